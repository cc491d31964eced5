# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts that run on a machine with a GPU, from beside them in the repository or in a gathered folder. Apart
# from common.sh, which changes the folder and the environment.

# Containers with a GPU often hold NVIDIA's OpenCL library and no file that names it to the loader. Makes a folder of such files,
# which the caller removes at its end: `vendors`, empty where none is needed.
vendors=
find_opencl() {
  local library places=(/usr/lib/x86_64-linux-gnu /usr/lib64 /usr/lib /usr/local/nvidia/lib64)
  [ -z "${OCL_ICD_VENDORS:-}" ] || return 0
  ! grep -qs nvidia /etc/OpenCL/vendors/*.icd || return 0
  library=$({
    ldconfig -p || /sbin/ldconfig -p || true
    find "${places[@]}" -maxdepth 1 -name libnvidia-opencl.so.1 -printf 'libnvidia-opencl.so.1 %p\n' || true
  } 2> /dev/null | awk '$1 == "libnvidia-opencl.so.1" && !found { print $NF; found = 1 }')
  [ -n "$library" ] || return 0
  vendors=$(mktemp -d)
  cp /etc/OpenCL/vendors/*.icd "$vendors/" 2> /dev/null || true
  echo "$library" > "$vendors/nvidia.icd"
  export OCL_ICD_VENDORS=$vendors
  echo "no file in /etc/OpenCL/vendors names NVIDIA's OpenCL: using $library" >&2
}
