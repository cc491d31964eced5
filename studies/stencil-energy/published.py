# SPDX-License-Identifier: Apache-2.0
"""The paper's figures. Milliseconds of a run follow from its table II: joules / watts / 100 runs."""

MACHINE = [
    ("clock, GHz (turbo)", "3.4 (3.9)", "0.65 (1.15)"), ("peak, GFlop/s", "125", "147.4"), ("base, GFlop/s", "112", "44.8"),
    ("cores or units", "4 (8 threads)", "16"), ("last-level cache", "8 MB", "the same"), ("cache before it", "L2 256 KB", "L3 256 KB"),
    ("bandwidth to memory, GB/s", "25.6", "25.6"), ("TDP", "77 W", "the same"),
]
# Joules and watts of 100 runs at full HD: NV, V, V-UR.
TABLE_TWO = {
    ("MC", "2P"): ((26.3, 67.7), (8.3, 71.1), (7.7, 72.4)), ("MC", "1P"): ((20.7, 74.7), (8.1, 81.4), (7.0, 82.7)),
    ("GPU", "2P"): ((31.5, 43.1), (13.4, 37.1), (10.0, 36.1)), ("GPU", "1P"): ((10.7, 39.1), (8.7, 33.0), (8.0, 38.9)),
}
# GFlop/s that its text names: (full HD, VGA).
TEXT = {("SC", "2P-auto"): (1.6, None), ("MC", "2P-NV"): (11.9, None), ("MC", "2P-V"): (39.0, None), ("MC", "1P-V-UR"): (54.0, 58.6),
        ("GPU", "1P-V-UR"): (21.3, 29.8)}
CACHED = {("MC", "2P-V-UR"): 92.3, ("MC", "1P-V-UR"): 92.1, ("GPU", "1P-V-UR"): 36.7}
# Frames/s, joules, frames/s per watt, energy-delay product; 200 frames.
TABLE_THREE = {"SC": (17.0, 510.2, 0.4, 6002.3), "MC": (54.4, 234.7, 0.8, 863.8), "GPU": (44.4, 162.2, 1.2, 729.8), "MC+GPU": (72.4, 188.7, 1.1, 521.6)}


def table_two(platform, row):
    """(joules, watts, ms of a run) of "2P-NV" and so on."""
    form, _, kind = row.partition("-")
    joules, watts = TABLE_TWO[platform, form][("NV", "V", "V-UR").index(kind)]
    return joules, watts, joules / watts * 10
