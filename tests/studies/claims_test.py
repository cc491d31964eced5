#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the reports of sad-streaming and ssd-local-memory judge: the papers' own items, all that they speak of, and nothing closer to a
limit than the runs' spread. Usage: tests/studies/claims_test.py"""

from study_cells import GPU, cell, modules_of

# SAD: a band holds for a kernel if each of its steps lies inside; 1024 is judged by all kernels.
(claims,) = modules_of("sad-streaming", "claims")


def sad(times):
    cells = [cell(ms, kernel=kernel, rows=rows, group=group, input="32-bit", unrolled=True, tile="none" if kernel == "global" else "rows") for (kernel, rows, group), ms in times.items()]
    return {"inputs": {"width": 434, "height": 383}, "device": GPU, "cells": cells}


steps = [(32, 10.0), (64, 5.5), (128, 3.0)]  # 45 %
inside = {(kernel, rows, group): ms for kernel, rows in claims.OTHERS for group, ms in steps}
band = claims.falls(claims.PAIRS[:2], claims.OTHERS, (40, 50))
assert band(sad(inside)).verdict == "holds"
assert band(sad(inside | {("global", 1, 128): 5.4})).verdict == "holds in part"
assert band(sad({key: ms if key[2] < 128 else 5.4 for key, ms in inside.items()})).verdict == "does not hold"
larger = {(kernel, rows, group): ms for kernel, rows in claims.ALL for group, ms in ((512, 1.0), (1024, 2.0))}
assert claims.above_512(sad(larger)).verdict == "holds"
assert claims.above_512(sad(larger | {("distributed", 4, 1024): 0.5})).verdict == "holds in part"
assert all("384 cores" in claims.above_512(sad(one)).because for one in (larger, larger | {("distributed", 4, 1024): 0.5}))
# A claim that names no group is judged at all of them; one that names no rows by both shapes; a peak has to be one.
every = {(kernel, rows, group): {"global": 2.0, "centralised": 3.0, "distributed": 1.0}[kernel] for kernel, rows in claims.ALL for group in claims.PAPER}
beats = claims.faster_at_all("global", "distributed", (1, 4))
assert beats(sad(every)).verdict == claims.distributed_fastest(sad(every)).verdict == "holds" and claims.equal_at_512(sad(every)).verdict == "does not hold"
part = beats(sad(every | {("distributed", 4, 64): 4.0}))
assert part.verdict == "holds in part" and part.because == "faster at 9 of 10, slower at 1, not told apart at 0", part
assert claims.distributed_fastest(sad(every | {("distributed", 4, 64): 4.0})).verdict == "holds in part"
assert claims.equal_at_512(sad(every | {("centralised", 4, 512): 2.0})).verdict == "holds in part"
peak = sad({key: ms if key[2] == 128 else 2 * ms for key, ms in every.items()})
for c in peak["cells"]:
    c["input"] = "8-bit"
assert claims.peak_at_128(peak).verdict == "holds"
for c in peak["cells"]:
    c.update(cell(1.0))
assert claims.peak_at_128(peak).verdict == "no difference measured"

# The ring is judged where it turns, code by all three kernels, the paper's rate on its own work.


def ring(one_row, four_rows, code):
    cells = [cell(1.0, kernel=kernel, rows=rows, group=group, input="32-bit", unrolled=unrolled, tile="none" if kernel == "global" else "rows", local_size=[group // rows, rows], code_kind="PTX",
                  code_bytes=code[kernel] if unrolled else 1000, counts={"global_reads_per_disparity": 50.0 if kernel == "global" else one_row if rows == 1 else four_rows})
             for kernel, rows in claims.ALL for group in claims.PAPER for unrolled in (True, False)]
    return {"inputs": {"width": 434, "height": 383}, "device": GPU, "cells": cells, "settings": {"window": "5", "disparities": "64"}}


codes = {"global": 2000, "centralised": 1600, "distributed": 1500}
assert claims.fewer_reads(ring(0.3, 0.1, codes)).verdict == "holds"
assert claims.fewer_reads(ring(0.3, 0.3, codes)).verdict == "does not hold"
assert claims.unrolled_code(ring(0.3, 0.1, dict.fromkeys(codes, 2000))).verdict == "holds"
assert claims.unrolled_code(ring(0.3, 0.1, codes)).verdict == "holds in part" and claims.unrolled_code(ring(0.3, 0.1, {**codes, "distributed": 900})).verdict == "holds in part"
assert claims.unrolled_code(ring(0.3, 0.1, dict.fromkeys(codes, 900))).verdict == "does not hold"
# Unrolling names no group: one of the paper's where it is not told apart leaves a part; 1024, which the paper leaves out, counts nowhere.
turned = ring(0.3, 0.1, codes)
turned["cells"] = [{**c, **cell(1.0 if c["unrolled"] else 2.0)} for c in turned["cells"]]
assert claims.unrolling(turned).verdict == "holds"
for c in turned["cells"]:
    if (c["kernel"], c["rows"], c["group"], c["unrolled"]) == ("distributed", 1, 64, False):
        c.update(cell(1.0))
unrolled = claims.unrolling(turned)
assert unrolled.verdict == "holds in part" and unrolled.because == "faster at 14 of 15, slower at 0, not told apart at 1", unrolled
widest = sad({**every, **{(kernel, rows, 1024): 0.1 for kernel, rows in claims.ALL}})
assert claims.peak_at_128({**widest, "cells": [{**c, "input": "8-bit", **({} if c["group"] == 1024 else cell(1.0 if c["group"] == 128 else 2.0))} for c in widest["cells"]]}).verdict == "holds"
assert claims.peak_at_128({**peak, "cells": [{**c, "input": "8-bit", **cell({128: 2.0, 512: 1.0 if c["kernel"] == "global" else 3.0}.get(c["group"], 3.0))} for c in peak["cells"]]}).verdict == "does not hold"
# The other group with the least median may be the one that its runs do not tell apart: each of them is compared.
spread = [{**c, "input": "8-bit", **cell({128: 2.0, 32: [1.3] * 6 + [3.0] * 4, 512: 1.5}.get(c["group"], 3.0))} for c in peak["cells"]]
beside = claims.peak_at_128({**peak, "cells": spread})
assert beside.verdict == "does not hold" and "slower than 512 and not told apart from 32 and faster than 64, 256" in beside.figures, beside
# A larger picture of several at which a pixel takes longer leaves a part.
sizes = ring(0.3, 0.1, codes)
for c in sizes["cells"]:
    c.update(input="8-bit", local_bytes=100)
sizes["device"] = {**GPU, "local_memory": 49152}
sizes["cells"] += [{**sizes["cells"][-1], **cell(ms, kernel="distributed", rows=1, group=512, picture=p, local_bytes=100)} for p, ms in (("868x766", 4.0), ("1736x1532", 18.0))]
assert claims.larger_pictures(sizes).verdict == "holds in part"
# Figure 9: a fall is smaller than the one before only beyond what the runs leave open.
fall = {(kernel, rows, group): ms for kernel, rows in claims.ALL for group, ms in ((32, 100.0), (64, 60.0), (128, 42.0), (256, 36.0), (512, 34.0))}
assert claims.fall_shrinks(sad(fall)).verdict == "holds"
assert claims.fall_shrinks(sad(fall | {("global", 1, 128): 30.0})).verdict == "holds in part"
open_fall = claims.fall_shrinks(sad({key: [ms, 0.6 * ms, 1.5 * ms] * 4 for key, ms in fall.items()}))
assert open_fall.verdict == "not decided" and "not told apart at 15" in open_fall.because, open_fall
assert claims.rate(ring(0.3, 0.1, codes)) and claims.rate({**ring(0.3, 0.1, codes), "settings": {"window": "9", "disparities": "64"}}) is None

# SSD: the report's form is the single launch; a processor has no banks, and its seconds are of pictures nobody knows.
(claims,) = modules_of("ssd-local-memory", "claims")


def ssd(device, times):
    cells = [cell(ms, window=11, disparities=60, memory=memory, group="32x16", form=form, counts={"differences": 1}) for (memory, form), ms in times.items()]
    return {"inputs": {"width": 434, "height": 383}, "device": device, "cells": cells, "c_program": [{"window": 11, "disparities": 60, "median_ms": 100.0}]}


times = {("uchar4", "single"): 2.0, ("bytes", "single"): 2.0, ("uchar4", "separate"): 1.0, ("bytes", "separate"): 3.0}
assert claims.uchar4(ssd(GPU, times)).verdict == "no difference measured"
assert claims.uchar4(ssd({**GPU, "device": "pthread"}, times | {("bytes", "single"): 3.0})).verdict == "not decided"
# Local memory is judged in the report's groups, 32 across; other widths of the same device stand beside, and decide nothing.
wide, narrow = (ssd(GPU, {("uchar4", "single"): ms, ("none", "single"): 2.0}) for ms in (1.0, 4.0))
for c in narrow["cells"]:
    c["group"] = "16x32"
beside = claims.local_memory(wide, [("a", wide), ("b", narrow)])
assert beside.verdict == "holds" and "in others 16x32 0.500" in beside.figures and "in others" not in claims.local_memory(wide, [("a", wide)]).figures, beside
seconds = claims.seconds(11, 60)(ssd(GPU, times))
assert seconds.verdict == "not decided" and "2.00 ms in one launch" in seconds.figures, seconds
# A quotient like the report's at one place, and between the limits at another, is a part; beyond them at one it is against it.


def quotients(first, second):
    took = {(11, 60): 10.0, (11, 90): 10.0 * first * 0.4932 / 0.2775, (15, 60): 20.0, (15, 90): 20.0 * second * 0.8518 / 0.5780}
    cells = [cell(ms, window=window, disparities=d, memory="uchar4", group="32x16", form="single", counts={"differences": 1}) for (window, d), ms in took.items()]
    return claims.factor([((11, 90), (11, 60)), ((15, 90), (15, 60))])({"inputs": {}, "device": GPU, "cells": cells}).verdict


assert [quotients(*of) for of in ((1.0, 1.02), (0.84, 1.02), (0.84, 1.1), (0.84, 1.5))] == ["holds", "holds in part", "not decided", "does not hold"]
print("claims are judged by the papers' items")
