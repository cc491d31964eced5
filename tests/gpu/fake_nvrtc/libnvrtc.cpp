// SPDX-License-Identifier: Apache-2.0
// A library that can be opened in NVRTC's place, for tests of the search for it; it compiles nothing.
extern "C" int nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 9;
  return 0;
}
