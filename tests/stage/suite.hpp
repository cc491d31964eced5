// SPDX-License-Identifier: Apache-2.0
// INSTANTIATE_TEST_SUITE_P for a suite that a macro names: GoogleTest's own does not expand it.
#pragma once

#include <gtest/gtest.h>

#define VERGENCE_INSTANTIATE_SUITE(prefix, suite, ...) INSTANTIATE_TEST_SUITE_P(prefix, suite, __VA_ARGS__)
