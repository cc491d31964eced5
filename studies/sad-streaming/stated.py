# SPDX-License-Identifier: Apache-2.0
"""Claims of the paper that no run decides: arithmetic, what a standard says, causes that nothing here counts."""

from verdicts import FAILS, Finding, HOLDS, OPEN, PART

FIXED = [
    ("V", "384 x 434 pixels, 162,222 disparities, 423 rounds", Finding("Venus has 434 x 383, 166,222; 433 rounds, 683 with the padding that is launched too", FAILS, "misprints: 384 x 434 would be 166,656; its division is right")),
    ("VII", "It goes on because of caches, or because fewer groups fill the instruction buffers less often", Finding("-", OPEN, "no counter of caches or instruction buffers is read")),
    ("VII", "Centralised and global take equally long because the first work-item has to bring everything", Finding("-", OPEN, "no counter of waiting work-items is read; here they do not take equally long")),
    ("VII", "From 128 on all three get faster; the centralised one gets slower", Finding("both are said of the same steps of figure 9", FAILS, "the paper contradicts itself: its text says both")),
    ("IV, V", "OpenCL makes sizes powers of 2", Finding("the study takes any size that holds the last window, 497x383 too", FAILS, "OpenCL 1.2 (section 5.8) asks that the group divides the global size")),
    ("VI", "OpenCL has no 8-bit unsigned integers, but an 8-bit unsigned char", Finding("`uchar` is an 8-bit unsigned integer", PART, "OpenCL 1.2 (section 6.1.1) defines it so: the second half is right, and refutes the first")),
    ("VI-A", "Local memory: 2 x 5 x 512 x 4 = 20,480 bytes of 49,152", Finding("20,480, an argument that the host sizes", HOLDS, "CUDA C Programming Guide 8.0: 48 KB for a group at compute capability 5.0, which is its GPU's")),
    ("VIII", "The gain carries over to an embedded platform, in real time (future work; the paper suspects it)", Finding("64-bit Arm under an emulator: the tests pass, which says nothing of speed", "not measurable here", "no such device at hand")),
]
