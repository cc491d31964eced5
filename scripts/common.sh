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

# For machines that have a GPU and perhaps nothing else. FOLDER is made anew.
gather_programs() { # FOLDER PROGRAM...
  local folder=$1
  shift
  rm -rf "$folder"
  mkdir -p "$folder/lib"
  cp "$@" "$folder/"
  # Everything but the C library and the loader, which belong to the machine; OpenCL and CUDA are opened at run time.
  ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux-x86-64)\.so' | xargs -I{} cp -L {} "$folder/lib/"
  # The loader of OpenCL is opened at run time, too, but not every machine with a driver has one.
  PATH=$PATH:/sbin ldconfig -p | awk '$1 == "libOpenCL.so.1" && !found { print $NF; found = 1 }' | xargs -r -I{} cp -L {} "$folder/lib/"
}
