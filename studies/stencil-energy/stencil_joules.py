# SPDX-License-Identifier: Apache-2.0
"""What the paper claims of the joules of stencils (table II, figure 6)."""

from application import NOT_HERE, short_reason
from figures import number
from figures_of import HD, NAMES, energy, has_processor_counter, idle_watts, is_cpu, missing_counter, row, share, told_apart, window_doubt
from verdicts import FAILS, HOLDS, OPEN, PART, Finding

# Places of the paper's six rows: with vectors, unrolled, and of either form in one pass.
STEPS = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]
UNITS = {"joules": "J of 100 runs", "mflop_per_joule": "MFlop/J", "energy_delay": "J s of 1000 runs", "watts": "W"}


def no_counter(result):
    return Finding("-", NOT_HERE, f"the processor has no counter: {short_reason(missing_counter(result))}")


def _joules(result):
    values = [energy(result, row(result, HD, name).cell.get("counts"), is_cpu(result)) if row(result, HD, name) else None for name in NAMES]
    return values if all(values) else None


def _off(values):
    return f"closer than two windows may be off together, of {100 * max(map(window_doubt, values)):.0f} % each"


def _board(result, watts=None):
    """What else a figure of energy needs: whose it is, and what the idle board draws, beside the range of what it drew."""
    said = "" if is_cpu(result) or has_processor_counter(result) else " (the board alone)"
    idle = idle_watts(result)
    if not idle:
        return said
    return f"{said}; {f'{number(min(watts))} to {number(max(watts))} W, ' if watts else ''}idle {number(idle)} W"


def stencil_energy(key, judge):
    """Whether a figure of energy goes the paper's way with each optimisation of both forms."""
    def check(result):
        if is_cpu(result) and not has_processor_counter(result):
            return no_counter(result)
        values = _joules(result)
        if not values:
            return None
        watts = None if key == "watts" else [value["watts"] for value in values]
        return judge(values, key, f"{', '.join(number(value[key]) for value in values)} {UNITS[key]}{_board(result, watts)}")
    return check


def steps(sign):
    """Every step the way of `sign`: vectors and unrolling of both forms, and from two passes to one."""
    def judge(values, key, figures):
        signs = [told_apart(values[i], values[j], key) for i, j in STEPS]
        if -sign in signs:
            return Finding(figures, FAILS, f"{signs.count(-sign)} of {len(STEPS)} steps go the other way")
        untold = signs.count(0)
        return Finding(figures, OPEN if untold else HOLDS, f"{untold} of {len(STEPS)} steps are {_off(values)}" if untold else "")
    return judge


fall, rise = steps(-1), steps(1)


def efficiency_follows(result):
    """Of each two rows whose speeds differ by more than 2 %: does the faster one give more MFlop/J?"""
    if is_cpu(result) and not has_processor_counter(result):
        return no_counter(result)
    values = _joules(result)
    if not values:
        return None
    pairs = sorted(((row(result, HD, name).gflops, value, name) for name, value in zip(NAMES, values)), key=lambda one: one[0])
    compared = [(told_apart(a[1], b[1], "mflop_per_joule"), f"{a[2]} and {b[2]}") for i, a in enumerate(pairs) for b in pairs[i + 1:] if b[0] > 1.02 * a[0]]
    wrong, same = ([names for step, names in compared if step == kind] for kind in (-1, 0))
    figures = ", ".join(f"{name} {number(speed)} GFlop/s {number(value['mflop_per_joule'])} MFlop/J" for speed, value, name in pairs)
    reason = "; ".join(f"{said} for {', '.join(names)}" for said, names in (("the other way", wrong), (_off(values), same)) if names)
    return Finding(figures + _board(result, [value["watts"] for value in values]), FAILS if wrong else OPEN if same else HOLDS, reason)


def of_processor_too(result):
    """What of the GPU's joules is the processor's."""
    return None if is_cpu(result) or has_processor_counter(result) else no_counter(result)


def no_processor_counter(result):
    return None if has_processor_counter(result) else no_counter(result)


def share_of_board(result):
    time = row(result, HD, "1P-V-UR")
    if not time:
        return None
    return Finding(f"1P-V-UR at {number(share(result, time.gflops))} % of the board's measured peak", OPEN, "so small a share is measured; the multicore's joules, which it is to explain, are not counted")


def power(values, key, figures):
    """Of both forms, from NV to V-UR: it stays or falls where it does not rise."""
    ends = {form: told_apart(values[i], values[i + 2], key) for form, i in (("2P", 0), ("1P", 3))}
    rises = [form for form, sign in ends.items() if sign > 0]
    if rises:
        return Finding(figures, PART if len(rises) < len(ends) else FAILS, f"{' and '.join(rises)} {'rises' if len(rises) == 1 else 'rise'} from NV to V-UR")
    higher = [form for form, i in (("2P", 0), ("1P", 3)) if values[i + 2][key] > values[i][key]]
    return Finding(figures, OPEN if higher else HOLDS, f"from NV to V-UR {' and '.join(higher)} rises by what is {_off(values)}" if higher else "")
