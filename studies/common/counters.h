// SPDX-License-Identifier: Apache-2.0
// Counters of what a kernel reads and writes. With COUNTED, each work-item leaves three numbers in `traffic`: its reads
// of global memory, its reads of local memory, its writes to local memory (pixels all of them). Without, nothing is
// left of it.
#if !defined(COUNTED)
#error "kernels of studies need COUNTED (0, 1)"
#endif
#if COUNTED
#define TRAFFIC_PARAMETER , __global uint* restrict traffic
#define COUNTERS uint global_reads = 0, local_reads = 0, local_writes = 0
#define COUNT(counter) ++counter
#define COUNTER_PARAMETER(name) , uint* name
#define COUNTER_ARGUMENT(name) , &name
#define COUNTER_FORWARD(name) , name
#define STORE_COUNTERS()                                                        \
  {                                                                             \
    const uint item = get_global_id(1) * get_global_size(0) + get_global_id(0); \
    traffic[3 * item] = global_reads;                                           \
    traffic[3 * item + 1] = local_reads;                                        \
    traffic[3 * item + 2] = local_writes;                                       \
  }
#else
#define TRAFFIC_PARAMETER
#define COUNTERS
#define COUNT(counter)
#define COUNTER_PARAMETER(name)
#define COUNTER_ARGUMENT(name)
#define COUNTER_FORWARD(name)
#define STORE_COUNTERS()
#endif
