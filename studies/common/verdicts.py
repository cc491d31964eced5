# SPDX-License-Identifier: Apache-2.0
"""The table of a paper's claims: what it says, what was measured where, the verdict, the reason.

A claim's check gets one result (the content of a JSON file) and returns a Finding, or None where that run has no figures
for it. A verdict is never written by hand: it is what the findings of all runs give.
"""

from dataclasses import dataclass
from statistics import median

from figures import table

HOLDS, PART, FAILS, EQUAL, OPEN = "holds", "holds in part", "does not hold", "no difference measured", "not decided"
NOT_YET, NOT_HERE = "not measured yet", "not measurable here"


@dataclass
class Finding:
    figures: str  # what was measured
    verdict: str
    because: str = ""  # a reason that this run's own figures give, or nothing


def holds_if(condition, figures, because="", because_not=""):
    return Finding(figures, HOLDS if condition else FAILS, because if condition else because_not)


class OfProcessor(list):
    """Runs on a processor, whose speed changes from one to the next by as much as twice, and stays there for some."""


def kernels(cell):
    """Each run's kernel time of a cell, once mark() has said what ran it."""
    return (OfProcessor if cell.get("on_processor") else list)(run[1] for run in cell["runs"])


def mark(results):
    """Says of each cell whether a processor ran it."""
    for _, result in results:
        for cell in result["cells"]:
            cell["on_processor"] = "NVIDIA" not in result["device"]["device"]
    return results


def compare(before, after, least=None):
    """How times of two sets of runs lie to each other: -1 where `after` took less, 1 where it took more, 0 where the medians are
    closer than the runs' spread, the middle half of each, in the mean of both, or than `least` of the larger: 2 %, with fewer than
    three runs 5 %. On a processor 0 where the runs overlap, but for the outermost of each."""
    if least is None:
        least = 0.02 if min(len(before), len(after)) >= 3 else 0.05
    difference = median(after) - median(before)
    if isinstance(before, OfProcessor) or isinstance(after, OfProcessor):
        (first, last), (other_first, other_last) = nearly_all(before), nearly_all(after)
        if other_last >= first and last >= other_first:
            return 0
    noise = max(least * max(median(before), median(after)), (middle_half(before) + middle_half(after)) / 2)
    return 0 if abs(difference) <= noise else 1 if difference > 0 else -1


def nearly_all(values):
    """The first and the last without the outermost, if there are five or more."""
    ordered = sorted(values)
    return (ordered[1], ordered[-2]) if len(ordered) >= 5 else (ordered[0], ordered[-1])


def middle_half(values):
    """Its whole width."""
    ordered = sorted(values)
    return ordered[len(ordered) * 3 // 4] - ordered[len(ordered) // 4]


def of_signs(signs, figures, because="", because_not="", always=False):
    """For "takes less" at several places, each as compare() says; with `always`, a single place where it takes more refutes it. Open where
    it takes less nowhere, more somewhere, and more places than that are not told apart."""
    if all(sign < 0 for sign in signs):
        return Finding(figures, HOLDS, because)
    if all(sign == 0 for sign in signs):
        return Finding(figures, EQUAL)
    if any(sign < 0 for sign in signs) and not (always and any(sign > 0 for sign in signs)):
        return Finding(figures, PART, because_not or counted(signs))
    more, untold = sum(sign > 0 for sign in signs), sum(sign == 0 for sign in signs)
    if untold > more and not always:
        return Finding(figures, OPEN, f"{untold} of {len(signs)} are not told apart, {more} take{'s' if more == 1 else ''} more")
    return Finding(figures, FAILS, because_not or counted(signs))


def counted(signs):
    """At how many places it is so, the other way, or not told apart."""
    if len(signs) == 1:
        return "the other way"
    return f"so at {sum(sign < 0 for sign in signs)} of {len(signs)} places, the other way at {sum(sign > 0 for sign in signs)}, not told apart at {sum(sign == 0 for sign in signs)}"


def counted_less(less, figures):
    """Of counts at several places, which no runs spread."""
    return Finding(figures, HOLDS if all(less) else PART if any(less) else FAILS, "" if all(less) else f"so at {sum(less)} of {len(less)} places")


def at_least(before, after, limit, figures, because="", because_not=""):
    """For "`after` is at least `limit` times as fast as `before`", by the runs of both: open where their spread, or 2 %, reaches to
    both sides of the limit."""
    sign = compare(before, [limit * run for run in after])
    if sign == 0:
        return Finding(figures, OPEN, f"the runs' spread, or 2 %, reaches to both sides of {limit:.3g}x")
    return holds_if(sign < 0, figures, because, because_not)


def all_less(pairs, figures, because="", because_not=""):
    """For "a takes less than b" at each of several places: `pairs` of the runs of (a, b). One place where it takes more refutes
    it; equality somewhere does not, and is no "less" either."""
    found = of_signs([compare(b, a) for a, b in pairs], figures, because, because_not, always=True)
    if found.verdict == EQUAL:
        found.because = "closer than the runs' spread, or than 2 %"
    return found


def short_name(result):
    """"H200, CUDA": the machine's device and API in a table's cell."""
    device = result["device"]
    api = device["api"].split()[0]
    name = device["device"]
    if "NVIDIA" in name:
        return f"{name.replace('NVIDIA', '').strip()}, {api}"
    return f"PoCL ({device['compute_units']} cores)" if api == "OpenCL" else f"{name}, {api}"


def _joined(named):
    """One text where all machines say the same, else each under its name."""
    if len({text for _, text in named}) == 1:
        return named[0][1]
    groups = {}
    for name, text in named:
        if text:
            groups.setdefault(text, []).append(name)
    return "; ".join(f"{text} ({'; '.join(names)})" for text, names in groups.items())


def row(where, says, check, results):
    """A row of the table: `check` is a function of one result, or a Finding that needs no measurement."""
    if isinstance(check, Finding):
        return [where, says, check.figures, f"**{check.verdict}**", check.because]
    found = [(short_name(result), check(result)) for _, result in results]
    found = [(name, finding) for name, finding in found if finding]
    if not found:
        return [where, says, "-", f"**{NOT_YET}**", ""]
    verdicts = [(name, f"**{finding.verdict}**") for name, finding in found]
    figures = "<br>".join(f"{name}: {finding.figures}" for name, finding in found)
    return [where, says, figures, _joined(verdicts), _joined([(name, finding.because) for name, finding in found])]


def claims_table(rows, results):
    """`rows` are (where in the paper, what it says, check)."""
    return table_of([row(*each, results) for each in rows])


def table_of(rows):
    return table(["where", "the paper says", "measured", "verdict", "because"], rows)
