# SPDX-License-Identifier: Apache-2.0
"""What the claims' checks share: both baselines, blocks that a device searched, the paper's sizes."""

from statistics import mean, median

from cells import CODES, at_speed_of, base, best, clip_names, gain, host_doubt, in_turns, is_whole, least, loss, most, ms, ratios, rebuilds, speedup, times, walls, with_plain_borders
from figures import number
from verdicts import FAILS, HOLDS, NOT_YET, OPEN, PART, Finding, compare, middle_half, of_signs

UNSAID = "the paper does not say how its CPU program was compiled, and the two ways of ours give different answers"
OTHER_WORK = 2  # so many times as long the rungs with a launch for each candidate took on a machine that was not idle
ONE_RECORDING = "videos 2 and 3 are one recording in two sizes"  # so that residues of both are not two cases
THEIR_VIDEOS = "which video gains most is a matter of the paper's own, which it does not give"
FEW = 8  # blocks of a frame that the device must have searched for a verdict


def on_device(cell):
    """Blocks of a frame that the device searched."""
    counts = cell["counts"]
    left = counts["blocks"] - counts.get("on_host", 0)
    return left if is_whole(cell) else round(counts["searched"] * left / counts["blocks"])


def searched_in_turns(result, cell):
    """The same, where the run's frames took turns: others in each of them, so that all count."""
    return on_device(cell) * (len(cell["runs"]) if in_turns(result) and not is_whole(cell) else 1)


def listed(values, digits=3):
    return ", ".join(number(v, digits) for v in values)


def drifted(result):
    """The reason of a row that the host's own speed could turn."""
    if result.get("beside_other_work"):
        return f"nearly all rounds do not lie {OTHER_WORK} times apart, and the machine had other work"
    if in_turns(result):
        return "rounds lie on both sides"
    lines = [[c["counts"]["reconstruct_ms"] for c in result["cells"] if c["clip"] == clip and rebuilds(c)]
             for clip in clip_names(result)]
    most = max((max(line) / min(line) for line in lines if line), default=1)
    return f"the host took up to {number(most, 2)} times as long to rebuild a frame in one cell as in another: its speed could turn this"


def shifts(result):
    """For at_speed_of(): what the host's speed may have been, by the rebuilding of frames. Where cells took turns, what nearly all
    rounds lie between."""
    if in_turns(result):
        return least, most
    doubt = host_doubt(result)
    return 1 / doubt, 1, doubt


def side(rounds):
    """1 where quotients lie above 1, -1 where they lie below: nearly all of them, and their median by more than 2 %. 0 where the median
    lies closer, and the middle half of them within 5 %. None where neither is so: nothing is told by these."""
    middle, ordered = median(rounds), sorted(rounds)
    if abs(middle - 1) <= 0.02:
        return 0 if max(abs(ordered[i] - 1) for i in (len(ordered) // 4, len(ordered) * 3 // 4)) <= 0.05 else None
    return None if least(rounds) <= 1 <= most(rounds) else 1 if middle > 1 else -1


def back(sign):
    return None if sign is None else -sign


def told(result, a, b, limit=1):
    """compare() of two cells' frames, `limit` times those of the second; None where it would come out otherwise had the host been as
    fast in the first as in the second. Where they took turns, by the quotients within the rounds."""
    if in_turns(result) and (a.get("of") != b.get("of") or a.get("apart")):
        return None  # times of two runs, or not in turns
    if in_turns(result):
        rounds = [ratio / limit for ratio in ratios(result, a, b)]
        if result.get("beside_other_work"):
            return -1 if least(rounds) > OTHER_WORK else 1 if most(rounds) < 1 / OTHER_WORK else None
        return back(side(rounds))

    def of(first):
        return compare(first, [limit * wall for wall in walls(b)])

    sign = of(walls(a))
    return sign if all(of(at_speed_of(result, a, b, shift)) == sign for shift in shifts(result)) else None


def of_told(result, signs, text, because="", because_not="", always=False):
    """of_signs() of what told() says: decided where both answers of each undecided one lead to the same verdict, or where none is for it
    and more are against it than are not. An open one names what is decided."""
    found = [of_signs([other if sign is None else sign for sign in signs], text, because, because_not, always) for other in (-1, 1)]
    if found[0].verdict == found[1].verdict:
        return found[0]
    led, against, rest = signs.count(-1), signs.count(1), signs.count(None) + signs.count(0)
    if not led and against > rest:
        return Finding(text, FAILS, because_not or f"{against} of {len(signs)} places are against it, none for it")
    decided = f"; decided are {led} for it and {against} against it, of {len(signs)}" if led or against else ""
    return Finding(text, OPEN, drifted(result) + decided)


def in_plain(result, *cells):
    """The cells, had border blocks been in plain code, by an estimate; None where they leave none to the host, or nothing tells."""
    if not any(c["counts"].get("on_host") for c in cells):
        return None
    made = [with_plain_borders(result, c["clip"], c) if c["counts"].get("on_host") else c for c in cells]
    return None if None in made else made


def told_both(result, a, b, limit=1):
    """told(), where border blocks in plain code say the same; else None."""
    sign, plain = told(result, a, b, limit), in_plain(result, a, b)
    return sign if plain is None or told(result, *plain, limit) == sign else None


def with_plain(result, found, pairs):
    """Says of an open finding where border blocks in plain code, by an estimate, do not say what vectors do."""
    turned = [pair for pair in pairs if told(result, *pair) is not None and told_both(result, *pair) is None]
    if found.verdict == OPEN and turned:
        gains = [times(result, *in_plain(result, *pair)) for pair in turned]
        ends = " to ".join(dict.fromkeys(f"{number(end(gains))}x" for end in (min, max)))
        found.because += f"; at {len(turned)} of {len(pairs)} places border blocks in plain code, by an estimate, do not say what vectors do ({ends})"
    return found


def of_both(result, pairs, text, **more):
    """of_told() of pairs of cells, by border blocks in both codes."""
    return with_plain(result, of_told(result, [told_both(result, *pair) for pair in pairs], text, **more), pairs)


def by_code(result, measure, test):
    """A finding about speed-ups over the scalar program, compiled plainly and with vectors: `measure(code, shift)` is a list of figures
    with None where there are none, `test(list)` says whether the claim holds for them."""
    return by_code_verdicts(result, measure, lambda how, values: HOLDS if test(values) else FAILS)


def by_code_verdicts(result, measure, verdict, drifts=True):
    """The same where `verdict(code, list)` gives one for each way of compiling. Open where it would be another one had the host been as
    fast in the cell as in the scalar program's, unless `drifts` is False."""
    figures = {how: measure(how) for how in CODES}
    have = {how: values for how, values in figures.items() if values and None not in values}
    if not have:
        return None
    text = "; ".join(f"over {'plain code' if how == 'plain' else 'vectors'} {listed(values)}" for how, values in have.items())
    if len(have) == 1:
        only = next(iter(have))
        return Finding(text, OPEN, f"the scalar program {'with vectors' if only == 'plain' else 'without vectors'} is {NOT_YET.replace('measured', 'timed')} beside it")
    answers = {how: verdict(how, values) for how, values in have.items()}
    turned = drifts and any(verdict(how, measure(how, shift)) != answers[how] for how in have for shift in shifts(result))
    reasons = ([UNSAID] if len(set(answers.values()) - {OPEN}) == 2 else []) + ([drifted(result)] if turned or OPEN in answers.values() else [])
    return Finding(text, OPEN, "; ".join(reasons)) if reasons else Finding(text, answers["plain"])


def spread_of(cell):
    """The width of the middle half of its frames, as a part of the median."""
    return middle_half(walls(cell)) / median(walls(cell))


def growth(result, rung, lanes, how, of=speedup):
    """From each clip to the next larger one: -1 where the speed-up (or gain) grows, 1 where it falls, 0 where it changes by no more
    than compare() lets pass: 2 %, or the mean of the four cells' spreads. None where the host's speed could make the change. Where
    the clips took turns, as side() says of the growth within the rounds."""
    signs, clips = [], clip_names(result)
    if in_turns(result):
        lines = []
        for clip in clips:
            cell = best(result, clip, rung, lanes)
            over = loss(result, clip, cell) if of is gain else 1
            lines.append([ratio / over for ratio in ratios(result, base(result, clip, cell, how), cell)])
        return [back(side([after / before for before, after in zip(*pair)])) for pair in zip(lines, lines[1:])]
    for pair in zip(clips, clips[1:]):
        cells = [best(result, clip, rung, lanes) for clip in pair]
        spreads = [spread_of(one) for clip, cell in zip(pair, cells) for one in (cell, base(result, clip, cell, how))]

        def sign(*shift):
            before, after = (of(result, clip, cell, how, *one) for clip, cell, one in zip(pair, cells, shift))
            return 0 if abs(after / before - 1) <= max(0.02, mean(spreads)) else -1 if after > before else 1

        said = sign((), ())
        signs.append(said if said == 0 or all(sign((a,), (b,)) == said for a in shifts(result) for b in shifts(result)) else None)
    return signs


def grows(rung, lanes, of=speedup):
    """A check that the speed-up, or the gain, grows from clip to clip."""

    def check(result):
        if not three(result):
            return None
        return by_code_verdicts(result, speedups(rung, lanes, of=of)(result), lambda how, _: of_told(result, growth(result, rung, lanes, how, of), "").verdict, drifts=False)

    return check


def speedups(rung, lanes=0, which=slice(None), of=speedup):
    """For by_code: the speed-ups (or gains) of a rung on the clips."""

    def measure_of(result):
        return lambda how, shift=None: [of(result, clip, best(result, clip, rung, lanes), how, shift) for clip in clip_names(result)[which]]

    return measure_of


def three(result):
    """The paper's three sizes are there."""
    return len(clip_names(result)) == 3


def over(result, a, b):
    """"1.25x": how many times as fast the second cell is, as told() sees it."""
    return f"{number(times(result, a, b))}x"


def alike_sign(result, a, b, within):
    """1 where times of two cells lie within that part of each other, -1 where they do not, 0 where the limit is too near, else None."""
    signs = [told(result, *pair, 1 + within) for pair in ((a, b), (b, a))]
    return -1 if -1 in signs else None if None in signs else 0 if 0 in signs else 1


def decided_places(result, signs, within, text):
    """For "alike" at several places, by alike_sign(): a place that is decided against it refutes it, or leaves a part of it where others
    are decided for it. `signs` are those of named places."""
    near, far, unsure, drifting = ([place for place, s in signs.items() if s == sign] for sign in (1, -1, 0, None))
    reasons = [f"more than {100 * within:.0f} % apart: {', '.join(far)}"] if far else []
    reasons += [f"the runs' spread reaches to both sides of {100 * within:.0f} %: {', '.join(unsure)}"] if unsure else []
    if drifting:
        reasons.append(f"{drifted(result)}{': ' + ', '.join(drifting) if len(drifting) <= 3 else f' at {len(drifting)} of {len(signs)} places'}")
    if near and (far or drifting or unsure):
        reasons.append(f"within {100 * within:.0f} %: {', '.join(near)}")
    return Finding(text, PART if far and near else FAILS if far else OPEN if unsure or drifting else HOLDS, "; ".join(reasons))


def most_of_clips(result, pairs):
    """Of pairs of cells on each clip: -1 where the first clip's speed-up is above that of another one, 1 where it is below, as side()
    says; None where the rounds, or the host's speed, do not tell."""
    if in_turns(result):
        lines = [ratios(result, a, b) for a, b in pairs]
        return [back(side([one / other for one, other in zip(lines[0], line)])) for line in lines[1:]]
    noise = max(0.02, mean(spread_of(cell) for pair in pairs for cell in pair))
    gains = [times(result, a, b) for a, b in pairs]
    likely = [[median(at_speed_of(result, a, b, shift)) / ms(b) for shift in shifts(result)] for a, b in pairs]
    return [0 if abs(gains[0] / gain - 1) <= noise else None if any((one > other) != (gains[0] > gain) for one in likely[0] for other in line) else -1 if gains[0] > gain else 1
            for gain, line in zip(gains[1:], likely[1:])]
