#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What verdicts follow from which figures. Usage: tests/studies/verdicts_test.py"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "studies" / "common"))

from figures import bound  # noqa: E402
from verdicts import EQUAL, FAILS, HOLDS, NOT_YET, OPEN, PART, Finding, OfProcessor, all_less, at_least, compare, holds_if, of_signs, row  # noqa: E402

# Equality is neither less nor more, be it exact, within the spread of the runs, or within 2 %.
assert compare([10, 10, 10], [10, 10, 10]) == 0
assert compare([8, 10, 12, 9], [9, 11, 12, 10]) == 0
assert compare([100, 100, 100], [101, 101, 101]) == 0
assert compare([10, 10, 10], [5, 5, 5]) == -1
assert compare([5, 5, 5], [10, 10, 10]) == 1
assert compare([90, 95, 100, 105, 110], [83, 88, 93, 98, 103]) == 0  # the middle half is 10 wide, to both sides of the median
assert compare([90, 95, 100, 105, 110], [78, 83, 88, 93, 98]) == -1

# On a processor nearly all runs have to agree: the outermost of each do not count.
fast, slow = OfProcessor([5, 6, 6, 6, 6, 12]), OfProcessor([6, 9, 9, 9, 9, 12])
assert compare(fast, slow) == 1 and compare(slow, fast) == -1
assert compare(OfProcessor([5, 6, 6, 6, 6, 6, 6, 12, 12]), slow) == 0
assert compare(list(fast), slow) == 1 and compare([5, 6, 6, 6, 6, 6, 6, 12, 12], slow) == 0 and compare([5, 6, 6, 6, 6, 6, 6, 12, 12], list(slow)) == 1
assert at_least(slow, fast, 1.2, "").verdict == HOLDS and at_least(slow, fast, 1.5, "").verdict == OPEN

# One run alone says less.
assert compare([100], [104]) == 0
assert compare([100], [90]) == -1

# "Less everywhere" holds where all are, is left open where nothing differs, and equality somewhere is no "less".
assert of_signs([-1, -1], "").verdict == HOLDS
assert of_signs([0, 0], "").verdict == EQUAL
assert of_signs([-1, 0], "").verdict == PART
assert of_signs([-1, 1], "").verdict == PART
assert of_signs([0, 1], "").verdict == FAILS
assert of_signs([-1, 1], "", always=True).verdict == FAILS
assert of_signs([-1, 0], "", always=True).verdict == PART

# A limit decides beyond the spread of the runs and 2 %.
assert at_least([10.0] * 4, [2.0] * 4, 4, "").verdict == HOLDS
assert at_least([10.0] * 4, [2.0] * 4, 6, "").verdict == FAILS
assert at_least([10.0] * 4, [2.0] * 4, 5, "").verdict == OPEN
assert at_least([6.0, 10.0, 14.0, 10.0], [2.0] * 4, 4.5, "").verdict == OPEN

same, less = ([5.0] * 4, [5.0] * 4), ([4.0] * 4, [5.0] * 4)
assert all_less([less, less], "").verdict == HOLDS
assert all_less([same, same], "").verdict == EQUAL
assert all_less([less, same], "").verdict == PART
assert all_less([less, less[::-1]], "").verdict == FAILS
assert all_less([same, less[::-1]], "").verdict == FAILS

# A bound is rounded up, unless it is exact.
assert (bound(0.335, 1), bound(0.3, 1), bound(61.2), bound(62.0), bound(1234.5)) == ("0.4", "0.3", "62", "62", "1,235")

# A row says which machine gives which verdict, and that nothing was measured where that is so.
gpu = {"device": {"device": "NVIDIA H200", "api": "CUDA 13.0", "compute_units": 132}, "ms": 1}
cpu = {"device": {"device": "pthread", "api": "OpenCL 3.0", "compute_units": 2}, "ms": 3}
results = [("gpu", gpu), ("cpu", cpu)]
both = row("fig. 1", "fast", lambda r: holds_if(r["ms"] < 5, str(r["ms"])), results)
assert both == ["fig. 1", "fast", "H200, CUDA: 1<br>PoCL (2 cores): 3", "**holds**", ""], both
one = row("", "", lambda r: holds_if(r["ms"] < 2, "", because_not="slow"), results)
assert one[3:] == ["**holds** (H200, CUDA); **does not hold** (PoCL (2 cores))", "slow (PoCL (2 cores))"], one
none = row("", "", lambda r: None, results)
assert none[3] == f"**{NOT_YET}**"
assert row("", "", Finding("9 = 9", HOLDS), results)[2:] == ["9 = 9", "**holds**", ""]
print("verdicts follow from figures")
