// SPDX-License-Identifier: Apache-2.0
// The bit probe: arithmetic whose exact results the host knows. src/gpu/bit_probe.cpp gives the inputs and judges.
#include "definitions/probe.h"
#if !defined(GROUP) || !defined(DOUBLES)
#error "bit_probe needs GROUP (work-items) and DOUBLES (0 or 1)"
#endif
#if DOUBLES
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#include "definitions/probe_doubles.h"
#endif
#ifdef VERGENCE_NVIDIA
#include "packed.h"
#else
// acc + |a - b| in both halves.
static inline uint add_difference(uint acc, uint a, uint b) {
  const uint low_a = a & 0xFFFFu, low_b = b & 0xFFFFu, high_a = a >> 16, high_b = b >> 16;
  const uint low = low_a > low_b ? low_a - low_b : low_b - low_a,
             high = high_a > high_b ? high_a - high_b : high_b - high_a;
  return acc + low + (high << 16);
}
#endif

// Integers: every definition, packed differences, a turn through local memory, atomics. One group or several.
__kernel WORK_GROUP(GROUP, 1) void probe_integers(__global const int* restrict in, __global uint64* restrict hashes,
                                                  __global uint* restrict packed, __global int* restrict reversed,
                                                  __global int* restrict counters) {
  __local int turn[GROUP];
  const int i = (int)get_global_id(0), lane = (int)get_local_id(0);
  const int a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3];
  hashes[i] = probe_definitions(a, b, c, d);
  packed[i] = add_difference((uint)(a & 255) | (uint)(b & 255) << 16, (uint)(c & 1023) | (uint)(d & 1023) << 16,
                             (uint)(b & 1023) | (uint)(a & 1023) << 16);
  turn[lane] = a - b;
  GROUP_BARRIER();
  reversed[i] = turn[GROUP - 1 - lane];
  atomic_add(&counters[0], c & 255);
  atomic_min(&counters[1], d - a);
}

// One work-item for each sum of 16 bits; the first ones do the floating-point numbers too.
__kernel WORK_GROUP(GROUP, 1) void probe_words(__global const ushort* restrict words, __global ushort* restrict sums,
                                               __global const float* restrict floats, __global float* restrict fused,
                                               int count) {
  const int i = (int)get_global_id(0);
  if (i >= count) return;
  sums[i] = (ushort)(words[i] + words[count + i]);
  fused[i] = floats[i] * floats[count + i] + floats[2 * count + i];
}

#if DOUBLES
// Every definition that takes doubles.
__kernel WORK_GROUP(GROUP, 1) void probe_solutions(__global const int* restrict in, __global uint64* restrict hashes) {
  const int i = (int)get_global_id(0);
  hashes[i] = probe_double_definitions(in[4 * i], in[4 * i + 1], in[4 * i + 2], in[4 * i + 3]);
}

// Eight arrays of `count`: a, b, c, numerator, denominator, radicand, small, factor; four of results.
__kernel WORK_GROUP(GROUP, 1) void probe_doubles(__global const double* restrict in, __global double* restrict out,
                                                 int count) {
  const int i = (int)get_global_id(0);
  if (i >= count) return;
  out[i] = in[i] * in[count + i] + in[2 * count + i];
  out[count + i] = in[3 * count + i] / in[4 * count + i];
  out[2 * count + i] = sqrt(in[5 * count + i]);
  out[3 * count + i] = in[6 * count + i] * in[7 * count + i];
}
#endif
