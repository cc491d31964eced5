# SPDX-License-Identifier: Apache-2.0
"""Fixtures of all tests."""

from support import scene  # noqa: F401
