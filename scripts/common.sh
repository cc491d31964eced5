# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034  # the scripts that source this use its variables
# Sourced by the scripts beside it: a clean environment, the repository's root, a way to speak.
set -euo pipefail
unset CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CMAKE_GENERATOR CMAKE_BUILD_TYPE CMAKE_PREFIX_PATH DESTDIR MAKEFLAGS
unset CTEST_PARALLEL_LEVEL CTEST_OUTPUT_ON_FAILURE GTEST_FILTER VERGENCE_DEVICE CDPATH
export LC_ALL=C.UTF-8
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cd -- "$root"
jobs=$(nproc)

say() { printf '\n== %s\n' "$*"; }
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}
