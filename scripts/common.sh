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

# Where the Python package of a build folder is made: sets $python, the interpreter, and $work, the folder of its version.
python_folder() { # BUILD_FOLDER
  python=${VERGENCE_PYTHON:-python3}
  work=$1/python-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
}

# NVRTC, NVIDIA's compiler, for the tests that compile kernels: from a toolkit where there is one, else from a Python
# package of 100 MB, unpacked below build/, where the loader is told to look.
find_nvrtc() {
  local folder=$root/build/nvrtc
  [ "$(uname -m)" = x86_64 ] || return 0
  if compgen -G '/usr/local/cuda/lib64/libnvrtc.so*' > /dev/null || PATH=$PATH:/sbin ldconfig -p | grep -q 'libnvrtc\.so'; then return 0; fi
  if [ ! -e "$folder/complete" ]; then
    rm -rf "$folder"
    if python3 -m venv "$folder/python" && "$folder/python/bin/pip" install -q --disable-pip-version-check --no-deps \
      --target "$folder/packages" 'nvidia-cuda-nvrtc-cu12==12.*'; then
      touch "$folder/complete"
    else
      echo "warning: the Python package nvidia-cuda-nvrtc-cu12 cannot be had: tests that compile for CUDA are skipped" >&2
      return 0
    fi
  fi
  export LD_LIBRARY_PATH=$folder/packages/nvidia/cuda_nvrtc/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
}

# A real pair with known truth, a clip, and pairs of a chessboard: files of the package opencv-doc, which is not installed for that.
bring_pictures() { # FOLDER; fails where they cannot be had
  local folder=$1 file missing=
  for file in aloeL.jpg aloeR.jpg aloeGT.png vtest.avi left01.jpg right14.jpg; do
    [ -s "$folder/$file" ] || missing=$file
  done
  [ -n "$missing" ] || return 0
  mkdir -p "$folder/package"
  if ! apt-cache show opencv-doc > /dev/null 2>&1; then
    echo "apt does not know opencv-doc; updating the package lists."
    if [ "$(id -u)" -eq 0 ]; then apt-get update -q; else sudo apt-get update -q; fi || return 1
  fi
  echo "Fetching the package opencv-doc (96 MB) for its pictures alone; nothing is installed."
  (cd "$folder/package" && apt-get -o APT::Sandbox::User= download opencv-doc) || return 1
  dpkg-deb --fsys-tarfile "$folder"/package/opencv-doc_*.deb |
    tar -x -C "$folder" --transform 's|.*/||' --wildcards '*/aloeL.jpg' '*/aloeR.jpg' '*/aloeGT.png' '*/vtest.avi' \
      '*/data/left[01]?.jpg' '*/data/right[01]?.jpg' || return 1
  rm -r "$folder/package"
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
