# SPDX-License-Identifier: Apache-2.0
"""The program vergence-batch: a manifest of inputs in, outputs and a table of results out, on a cluster of Ray.

`python -m vergence.batch --help` tells the command line, docs/scale.md how to run it.
"""
