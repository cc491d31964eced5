// SPDX-License-Identifier: Apache-2.0
// What every exhaustive search is told of its candidates; the host's candidate_defines().

// What is computed (the host sets every one; a default lets the file compile by itself):
#ifndef PAD
#define PAD 0  // 1: the frame's edges go on; 0: candidates stay inside
#endif
#ifndef LAMBDA
#define LAMBDA 0  // weight of a vector's bits in J, 0 and up
#endif
#ifndef FIRST_X
#define FIRST_X (-16)  // the range of displacements in px: -512 .. 0
#endif
#ifndef LAST_X
#define LAST_X 16  // 0 .. 512
#endif
#ifndef FIRST_Y
#define FIRST_Y (-16)  // -512 .. 0
#endif
#ifndef LAST_Y
#define LAST_Y 16  // 0 .. 512
#endif
