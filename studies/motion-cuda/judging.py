# SPDX-License-Identifier: Apache-2.0
"""What the claims' checks share: both baselines, blocks that a device searched, the paper's sizes."""

from cells import CODES, best, clip_names, code, is_whole, speedup
from figures import number
from verdicts import FAILS, HOLDS, NOT_YET, OPEN, Finding

UNSAID = "the paper does not say how its CPU program was compiled, and the two ways of ours give different answers"
FEW = 8  # blocks of a frame that the device must have searched for a verdict


def on_device(cell):
    """Blocks of a frame that the device searched."""
    counts = cell["counts"]
    left = counts["blocks"] - counts.get("on_host", 0)
    return left if is_whole(cell) else round(counts["searched"] * left / counts["blocks"])


def listed(values, digits=3):
    return ", ".join(number(v, digits) for v in values)


def by_code(measure, test):
    """A finding about speed-ups over the scalar program, compiled plainly and with vectors: `measure(code)` is a list of figures
    with None where there are none, `test(list)` says whether the claim holds for them."""
    figures = {how: measure(how) for how in CODES}
    have = {how: values for how, values in figures.items() if values and None not in values}
    if not have:
        return None
    text = "; ".join(f"over {'plain code' if how == 'plain' else 'vectors'} {listed(values)}" for how, values in have.items())
    if len(have) == 1:
        only = next(iter(have))
        return Finding(text, OPEN, f"the scalar program {'with vectors' if only == 'plain' else 'without vectors'} is {NOT_YET.replace('measured', 'timed')} beside it")
    answers = {how: test(values) for how, values in have.items()}
    if len(set(answers.values())) == 2:
        return Finding(text, OPEN, UNSAID)
    return Finding(text, HOLDS if answers["plain"] else FAILS)


def speedups(rung, lanes=0, which=slice(None), of=speedup):
    """For by_code: the speed-ups (or gains) of a rung on the clips."""

    def measure_of(result):
        return lambda how: [of(result, clip, best(result, clip, rung, lanes), how) for clip in clip_names(result)[which]]

    return measure_of


def three(result):
    """The paper's three sizes are there."""
    return len(clip_names(result)) == 3
