# SPDX-License-Identifier: Apache-2.0
"""Every claim of the paper beside our figure, with a verdict that follows from the figures."""

from cells import best, clip_names, gain, is_step, loss, ms, pick, residue, speedup
from figures import device_name, number, table


def verdict(holds, because):
    return "holds" if holds else f"does not, because {because}"


def unclear(*times):
    """For times that nothing tells apart: where the CPU's border blocks take nearly all of each."""
    return "does not, because no difference shows beside the CPU's border blocks" if max(times) < 1.05 * min(times) else None


def fixed_claims():
    """What needs no measurement: the paper's own figures against each other."""
    return [
        ("Less memory overhead: \"speeds up our execution time by 10 seconds\"", "97.644 - 82.564 = 15.08 s", "does not, because of a slip: table I has 15"),
        ("Relative speed-ups of table I: 1.19, 4.33, 8.62", "97.644 / 82.564 = 1.183, 82.564 / 18.894 = 4.370, 18.894 / 2.163 = 8.735",
         "does not, because they are quotients of speed-ups that were rounded first"),
        ("Parallel FSBM: speed-up 0.448 on video 1", "0.983 / 2.163 = 0.4545", "does not, because of a misprint or another run's time"),
        ("Table IV gives residues in seconds", "they are sums of absolute differences", "does not, because of a misprint in its head"),
        ("13x13 does three rounds in one", "from spacings 4, 2, 1 a round of three reaches 7 away: 15x15",
         "does not, because the outermost ring is left out; `step-15x15-z` has it"),
        ("Borders without the CPU's help discard candidates that it used", "the CPU's and the GPU's condition are one inequality (exact-lab): all fields are equal but for ties",
         "does not, because nothing is discarded; residues differ by the order in which equal SADs are met"),
        ("The second form of streams is the worse one", "table II calls the rows SAD (1.692x) and Result (2.202x), the text numbers them the other way than the method section does",
         "unclear which is meant; the text's reading is used below"),
    ]


def _ladder(result, clips):
    first, last = clips[0], clips[-1]

    def at(clip, rung):
        return ms(best(result, clip, rung))

    rows = []
    slow = at(first, "sad") / at(first, "scalar")
    rows.append(("One SAD to a launch is 100 times slower than the CPU (97.6 s against 0.98 s)", f"{number(slow)} times",
                 verdict(slow >= 50, "a launch costs less against a scalar SAD now than then")))
    less = at(first, "sad") / at(first, "sad-swap")
    parts = ", ".join(f"{name} {number(at(first, a) / at(first, b), 4)}x" for name, a, b in
                      [("arrays made once", "sad", "sad-flat"), ("getBlock", "sad-flat", "sad-block"),
                       ("search area", "sad-block", "sad-area"), ("one frame a step", "sad-area", "sad-swap")])
    rows.append(("Fewer transfers help, but are not the main matter: 1.19x", f"{number(less, 4)}x ({parts})",
                 verdict(1.02 < less < 1.6, "what is sent for a block is nothing beside its 16,384 launches" if less <= 1.02 else "copies weigh more here")))
    borders = at(first, "sad-swap") / at(first, "borders")
    inner = pick(result, first, "borders")["counts"]
    share = inner["blocks"] / max(inner["blocks"] - inner["on_host"], 1)
    rows.append(("Borders on the CPU: 4.33x", f"{number(borders, 4)}x; the device is left {inner['blocks'] - inner['on_host']} of {inner['blocks']} blocks, {number(share)} times fewer",
                 "holds, but for the share of blocks that the CPU takes over, not for the condition" if borders >= 3 else verdict(False, "the CPU's part weighs as much as the device's")))
    whole = at(first, "borders") / at(first, "search")
    rows.append(("The whole search in a kernel: 8.62x more", f"{number(whole, 4)}x", verdict(whole >= 8.62, "the CPU's border blocks are what is left")))
    rows.append(("... and on video 1 still slower than the CPU (0.448x), on video 3 faster (3.54x)",
                 f"{number(speedup(result, first, best(result, first, 'search')), 4)}x, {number(speedup(result, last, best(result, last, 'search')), 4)}x",
                 verdict(at(first, "search") > at(first, "scalar") and at(last, "search") < at(last, "scalar"),
                         "launches and copies cost less than the inner blocks on the CPU, on small frames too" if at(first, "search") <= at(first, "scalar")
                         else "this device does not overtake the CPU")))
    return rows


def _streams(result, clips):
    last = clips[-1]
    rows = []
    forms = {rung: best(result, last, rung) for rung in ("streams-portions", "streams-reduced")}
    portions, reduced = (ms(forms[rung]) for rung in ("streams-portions", "streams-reduced"))
    rows.append(("The form with reductions on the GPU is worse than portions to the CPU",
                 f"{number(reduced)} ms against {number(portions)} ms ({last}, each with its best number of streams)",
                 unclear(reduced, portions) or
                 verdict(reduced > portions, "reducing 16,384 results on the device costs less than sending and scanning them")))
    overlapped = ms(best(result, last, "search-overlapped"))
    rows.append(("Streams gain little over one kernel", f"best {number(overlapped / min(portions, reduced), 4)}x of the same without streams",
                 verdict(overlapped / min(portions, reduced) < 1.25, "parts of a search that fills no device run side by side")))
    by_count = sorted((c for c in result["cells"] if c["clip"] == last and c["rung"] == "streams-portions" and c["refused"] is None), key=lambda c: c["streams"])
    fastest = min(by_count, key=ms)["streams"]
    rows.append(("2 and 4 streams are the best", f"{', '.join(str(c['streams']) + ': ' + number(ms(c)) + ' ms' for c in by_count)}",
                 unclear(*(ms(c) for c in by_count)) or verdict(fastest in (2, 4), f"{fastest} is here")))
    return rows


def _whole(result, clips):
    first, last = clips[0], clips[-1]

    def at(clip, rung):
        return ms(best(result, clip, rung))

    rows = []
    all_on = at(last, "search") / at(last, "all-on-device")
    rows.append(("All on the GPU, with a sentinel for the condition: 2.29x of the kernel with borders on the CPU", f"{number(all_on, 4)}x ({last})",
                 verdict(all_on > 2, "the borders are a smaller part of the work")))
    if best(result, last, "pinned"):
        small, large = (at(clip, "all-on-device") / at(clip, "pinned") for clip in (first, last))
        rows.append(("Pinned memory: 5.10x on video 1, 1.06x on video 3", f"{number(small, 4)}x, {number(large, 4)}x",
                     verdict(small > 2, "pageable copies go through pinned memory of this program's own here, and a block's 64 KiB are copied fast")))
    pinned = best(result, last, "pinned") or best(result, last, "all-on-device")
    z = ms(pinned) / at(last, "z")
    rows.append(("32 work-items for a SAD: 1.24x", f"{number(z, 4)}x ({last})", verdict(z > 1.1, "a group for each candidate costs more than it shares out")))
    gains = [gain(result, clip, best(result, clip, "z")) for clip in clips]
    rows.append(("The gain grows with the frame's size: 4.02, 7.88, 10.66 (full search)", ", ".join(number(g, 4) for g in gains),
                 verdict(len(gains) > 1 and all(a < b for a, b in zip(gains, gains[1:])), "only one size was measured" if len(gains) == 1 else "the work of a block is the same in every frame, and blocks are searched one after the other")))
    losses = [loss(result, clip, best(result, clip, "z")) for clip in clips]
    rows.append(("Its prediction loss is about 1", ", ".join(number(value, 7) for value in losses), verdict(all(abs(v - 1) < 1e-3 for v in losses), "ties weigh more here")))
    return rows


def _steps(result, clips):
    first, last = clips[0], clips[-1]

    def cell(clip, rung, lanes=0):
        return best(result, clip, rung, lanes)

    rows = []
    ahead = [c for clip in clips for c in result["cells"] if c["clip"] == clip and c["on"] == "device" and c["refused"] is None and
             c["rung"].startswith("step") and is_step(c) and speedup(result, clip, c) > 1]
    top = max((speedup(result, clip, c), c["rung"], clip) for clip in clips for c in result["cells"]
              if c["clip"] == clip and c["on"] == "device" and c["refused"] is None and c["rung"].startswith("step"))
    rows.append(("The step search never gets ahead of the CPU (0.818x at best)", f"at best {number(top[0], 4)}x ({top[1]}, {top[2]})",
                 verdict(not ahead, "a launch and a copy for each round take less time than the scalar program's SADs")))
    slow = 1 / speedup(result, last, cell(last, "step-3x3"))
    rows.append(("3x3 in one group takes almost three times the CPU's time (video 3)", f"{number(slow)} times", verdict(2 <= slow <= 4, "nine work-items of one unit are " + ("slower yet" if slow > 4 else "less slow"))))
    z = {lanes: ms(cell(last, "step-3x3")) / ms(cell(last, "step-z", lanes)) for lanes in (32, 256)}
    rows.append(("Work-items that share a SAD help: 1.73x on video 3, 19x on video 1", ", ".join(f"{lanes}: {number(v, 4)}x" for lanes, v in z.items()) + f" ({last})",
                 verdict(max(z.values()) > 1.2, "groups with barriers cost more than they share out")))
    seven, thirteen = ([ms(cell(clip, f"step-{grid}-z", 256)) for clip in clips] for grid in ("7x7", "13x13"))
    rows.append(("7x7 + Z is ahead of 13x13 + Z (videos 2 and 3: 14.02 s against 14.25 s)", "; ".join(f"{number(a)} against {number(b)} ms" for a, b in zip(seven, thirteen)),
                 verdict(seven[-1] < thirteen[-1], "one round less saves more than 120 further candidates cost where each has a group of its own")))
    losses = {grid: [loss(result, clip, cell(clip, f"step-{grid}-z", 256)) for clip in clips] for grid in ("7x7", "13x13", "15x15")}
    listed = "; ".join(f"{grid}: {', '.join(number(v, 4) for v in values)}" for grid, values in losses.items())
    rows.append(("Larger grids lower the residue (loss 0.981, 0.871 on video 1)", listed,
                 verdict(all(v <= 1 for v in losses["7x7"]) and all(b <= a for a, b in zip(losses["7x7"], losses["13x13"])), "a grid finds the least of its rounds, but the next rounds start elsewhere, which may be worse in the end")))
    same = all(residue(cell(clip, "step-3x3")) == residue(cell(clip, "step-z", 32)) for clip in clips)
    rows.append(("Threads in Z leave the residue as it is", "equal vectors" if same else "residues differ", verdict(same, "sums differ")))
    highest = [gain(result, clip, cell(clip, "step-13x13-z", 256)) for clip in clips]
    rows.append(("Normalised gain 0.724, 0.851, 0.818 (13x13 + Z)", ", ".join(number(g, 4) for g in highest), verdict(all(g < 1 for g in highest), "13x13 finds a far lower residue on one clip, by which the gain is divided")))
    return rows


def claims(results):
    name, result = next(((n, r) for n, r in results if "cuda" in n), results[0])
    clips = clip_names(result)
    rows = fixed_claims()
    sections = [
        (_ladder, ["scalar", "sad", "sad-flat", "sad-block", "sad-area", "sad-swap", "borders", "search"]),
        (_streams, ["search-overlapped", "streams-portions", "streams-reduced"]),
        (_whole, ["scalar", "search", "all-on-device", "z"]),
        (_steps, ["step-scalar", "step-3x3", "step-z", "step-7x7-z", "step-13x13-z", "step-15x15-z"]),
    ]
    for section, rungs in sections:
        if all(best(result, clip, rung) for clip in clips for rung in rungs):
            rows += section(result, clips)
    return f"Our figures: {device_name(result)}.\n\n" + table(["the paper", "ours", "verdict"], rows)
