# SPDX-License-Identifier: Apache-2.0
"""The figures of the paper, and its rows beside the rungs of this study."""

# Seconds for videos 1 to 3; None where the paper gives none.
FULL = [
    # title, rung, seconds
    ("CPU", "scalar", (0.983, 21.232, 318.128)),
    ("Parallel SAD", "sad", (97.644, None, None)),
    ("Parallel SAD, arrays made once", "sad-flat", None),
    ("... and getBlock as a kernel", "sad-block", None),
    ("... and the search area as a kernel", "sad-area", None),
    ("Less Memory Overhead: and one new frame a step", "sad-swap", (82.564, None, None)),
    ("Borders on CPU", "borders", (18.894, None, None)),
    ("Borders on CPU, overlapped", "borders-overlapped", None),
    ("Parallel FSBM", "search", (2.163, 7.765, 89.902)),
    ("Parallel FSBM, borders overlapped", "search-overlapped", None),
    ("Streams, portions to the CPU: Streams (Result)", "streams-portions", (1.048, 10.216, 144.444)),
    ("Streams, reduced on the GPU: Streams (SAD)", "streams-reduced", (1.104, 13.051, 188.017)),
    ("All on GPU", "all-on-device", (1.63, 4.561, 39.324)),
    ("Pinned Memory", "pinned", (0.3199, 3.335, 37.121)),
    ("Threads in Z", "z", (0.2447, 2.695, 29.828)),
    ("Threads in Z, sums by shuffles", "z-shuffles", None),
]
PRINTED_ONE = {"sad": ("0.0101", "-"), "sad-swap": ("0.012", "1.19"), "borders": ("0.052", "4.33"), "search": ("0.448", "8.62")}
PRINTED_TWO = {"search": "3.539", "streams-reduced": "1.692", "all-on-device": "8.090", "streams-portions": "2.202",
               "pinned": "8.570", "z": "10.665"}
TABLE_ONE = ["scalar", "sad", "sad-flat", "sad-block", "sad-area", "sad-swap", "borders", "borders-overlapped", "search", "search-overlapped"]
TABLE_TWO = ["scalar", "search", "search-overlapped", "streams-portions", "streams-reduced", "all-on-device", "pinned", "z", "z-shuffles"]

STEP = [
    ("CPU", "step-scalar", 0, (0.0464, 0.818, 11.468), (5927379, 39866544, 692617109), "-"),
    ("3x3 block", "step-3x3", 0, (1.625, 3.879, 32.109), (5927379, 39866539, 692617735), "0.357"),
    ("7x7 block", "step-7x7", 0, None, None, None),
    ("13x13 block", "step-13x13", 0, (1.550, 3.263, 22.462), (5160609, 33633200, 681735270), "0.511"),
    # The paper has one row, and does not say of how many threads.
    ("Threads in Z, 32 or 256: 32", "step-z", 32, (0.0851, 1.353, 18.610), (5927379, 39866539, 692617735), "0.6162"),
    ("Threads in Z, 32 or 256: 256", "step-z", 256, (0.0851, 1.353, 18.610), (5927379, 39866539, 692617735), "0.6162"),
    ("7x7 + Z, 32", "step-7x7-z", 32, None, None, None),
    ("7x7 + Z, 256", "step-7x7-z", 256, (0.0746, 1.100, 14.023), (5814731, 34257434, 691075972), "0.8178"),
    ("13x13 + Z, 32", "step-13x13-z", 32, None, None, None),
    ("13x13 + Z, 256", "step-13x13-z", 256, (0.0736, 1.140, 14.250), (5160609, 33633200, 681735270), "0.8048"),
    ("15x15 + Z, 256: the whole closure of three rounds", "step-15x15-z", 256, None, None, None),
]
FULL_RESIDUE = {"scalar": (4216103, 31547568, 634064063), "z": (4216103, 31547531, 634063236)}
FINAL = [
    # video, search, our rung and lanes, its baseline: CPU residue, CPU s, GPU residue, GPU s, loss, speed-up, gain
    (0, "FSBM", "z", 32, "scalar", ("4,216,103", "0.983", "4,216,103", "0.2447", "1", "4.02", "4.02")),
    (1, "FSBM", "z", 32, "scalar", ("31,547,568", "21.232", "31,547,531", "2.695", "1", "7.88", "7.88")),
    (2, "FSBM", "z", 32, "scalar", ("634,064,063", "318.128", "634,063,236", "29.828", "1", "10.66", "10.66")),
    (0, "SS", "step-13x13-z", 256, "step-scalar", ("5,927,379", "0.0464", "5,160,609", "0.0736", "0.871", "0.630", "0.724")),
    (1, "SS", "step-13x13-z", 256, "step-scalar", ("39,866,544", "0.818", "33,633,200", "1.14", "0.844", "0.718", "0.851")),
    (2, "SS", "step-13x13-z", 256, "step-scalar", ("692,617,109", "11.468", "681,735,270", "14.25", "0.984", "0.805", "0.818")),
]
OURS = ["ours full", "ours step 3x3", "ours step 7x7", "ours step 13x13", "ours step 15x15", "ours tz"]
PAPER_GAIN = {"z": (4.02, 7.88, 10.66), "step-13x13-z": (0.724, 0.851, 0.818)}
