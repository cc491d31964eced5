# SPDX-License-Identifier: Apache-2.0
"""What the paper claims of the whole application (table III): speeds, joules, and both devices together."""

import math

from figures import number
from figures_of import HD, has_processor_counter, is_cpu, missing_counter, of_one_machine, row, threads_of, told_apart, too_few_groups, trackers
from verdicts import EQUAL, FAILS, NOT_HERE, OPEN, Finding, OfProcessor, all_less, at_least, compare, holds_if, of_signs


def short_reason(missing):
    return missing.split(";")[0]


def of_trackers(titles, figure, name="published"):
    """A check on rows of table III of one result; None unless all of them are there."""
    def check(result):
        found = trackers(result, name)
        if not all(title in found for title in titles):
            return None
        return figure(result, {title: cell["counts"] for title, cell in found.items()}, found)
    return check


PAPERS_THREADS = 8


def of_eight(found, threads):
    """A number that the paper has of its 8 threads: with more of them only a failure tells, with fewer only what is for it."""
    if threads in (None, PAPERS_THREADS) or found.verdict == OPEN or (found.verdict == FAILS) == (threads > PAPERS_THREADS):
        return found
    return Finding(found.figures, OPEN, f"with {threads} threads; the paper's are {PAPERS_THREADS}")


def by_eight(check, everything=()):
    """of_eight() of a processor's run; of a machine with more threads a run with 8 decides, if its groups were searched."""
    def of(result):
        found = check(result)
        if found is None:
            return None
        own = of_eight(found, threads_of(result))
        other = run_of_eight(everything, result) if own.verdict == OPEN else None
        eight = check(other) if other else None
        if eight is None:
            return own
        figures = f"{own.figures}; with {PAPERS_THREADS} threads {eight.figures}"
        if unsearched(other):
            return Finding(figures, OPEN, f"{own.because}; {unsearched(other)}")
        return Finding(figures, eight.verdict, eight.because if eight.verdict == OPEN else f"by the run with {PAPERS_THREADS} threads, as the paper's")
    return of


def run_of_eight(everything, result):
    """The run with the paper's number of threads on a processor that another run has more of."""
    return next((r for _, r in everything if is_cpu(r) and threads_of(r) == PAPERS_THREADS and is_cpu(result) and threads_of(result) > PAPERS_THREADS and of_one_machine(r, result)), None)


def unsearched(result):
    """What a run says that tried one group alone; empty where several were searched."""
    groups, vectors = sorted({one["group"] for one in result["search"]}), row(result, HD, "2P-V")
    if len(groups) > 1:
        return ""
    few = too_few_groups(result, vectors) if vectors else ""
    return f"the run with {threads_of(result)} has groups of {', '.join(map(str, groups)) or 'one size'} alone: no searched figure" + (f", and vectors at full HD{few}, so that threads have no work" if few else "")


def speed(title, printed, everything=()):
    """`everything` may have a run of the paper's number of threads on the processor that is MC."""
    def gain_of(result, found, counts):
        gain = counts[title]["frames_per_s"] / counts["SC"]["frames_per_s"]
        text = f"{number(gain)}x ({number(counts[title]['frames_per_s'])} against {number(counts['SC']['frames_per_s'])} frames/s{on_threads(result, title)})"
        return of_eight(at_least(runs_of(found, "SC"), runs_of(found, title), printed, text, because_not=bottleneck(counts) if title == "MC+GPU" and "GPU" in counts else ""), threads_beside(result, title))

    def figure(result, counts, found):
        own = gain_of(result, found, counts)
        for _, other in everything if own.verdict == OPEN and title == "MC" else ():
            there = trackers(other, "published")
            if is_cpu(other) and threads_of(other) == PAPERS_THREADS and of_one_machine(other, result) and {"SC", "MC"} <= set(there):
                eight = gain_of(other, there, {who: cell["counts"] for who, cell in there.items()})
                return Finding(f"{own.figures}; {eight.figures}", eight.verdict, f"by the run with {PAPERS_THREADS} threads, as the paper's" if eight.verdict != OPEN else eight.because)
        return own
    return of_trackers(["SC", title], figure)


def threads_beside(result, title):
    """How many threads MC has, of a row that it is part of."""
    if "MC" not in title:
        return None
    processor = result.get("processor_device")
    return threads_of(result) if is_cpu(result) else processor.get("compute_units") if isinstance(processor, dict) else None


def on_threads(result, title):
    """What MC is: the processor beside the device that a run is named after."""
    threads = threads_beside(result, title)
    return "" if threads is None else f"; {threads} threads" if is_cpu(result) else f"; MC: its host's {threads} threads"


def bottleneck(counts, mapping="MC+GPU"):
    """Which measured stage of two devices is longer than a whole frame on the faster one alone; empty where none is."""
    both = counts[mapping]
    alone = {title: counts[title]["prepare_ms"] + counts[title]["update_ms"] for title in ("MC", "GPU") if title in counts}
    best = min(alone, key=alone.get)
    parts = {"first": [("filters" if "read_ms" in both else "filters and copying out", both["prepare_ms"]), ("copying out", both.get("read_ms", 0))],
             "second": [(f"handing {both.get('plane_bytes', 0) / 1e6:.3g} MB of planes over", both.get("hand_over_ms", 0)), ("update", both["update_ms"])]}
    texts = []
    for stage, line in parts.items():
        whole = sum(value for _, value in line)
        if whole >= alone[best]:
            texts.append(f"the {stage} stage takes {number(whole)} ms a frame ({', '.join(f'{what} {number(value)}' for what, value in line if value)})")
    if texts:
        texts[-1] += f", a whole frame on {best} alone {number(alone[best])} ms"
    return "; ".join(texts)


def both_best(result, counts, found):
    times = {title: runs_of(found, title) for title in ("MC", "GPU", "MC+GPU")}
    figures = ", ".join(f"{title} {number(counts[title]['frames_per_s'])}" for title in times) + " frames/s"
    return all_less([(times["MC+GPU"], times[title]) for title in ("MC", "GPU")], figures, because_not=bottleneck(counts))


def runs_of(found, title):
    return OfProcessor(run[3] for run in found[title]["runs"])


def other_mapping(result, counts, found):
    """The paper tried both orders of the two phases, and means others than these; none is run."""
    figures = ", ".join(f"{title} {number(counts[title]['frames_per_s'])}" for title in ("MC+GPU", "GPU+MC", "MC", "GPU") if title in counts) + " frames/s"
    return Finding(figures, OPEN, "both orders and each device alone were run, as by the paper, and no other mapping")


def auto_best(result, counts, found):
    """What a trial of all mappings takes, one device alone among them."""
    figures = f"`auto` takes {counts['auto']['chosen']}: {number(counts['auto']['frames_per_s'])}; " + ", ".join(
        f"{title} {number(counts[title]['frames_per_s'])}" for title in ("MC", "GPU", "MC+GPU", "GPU+MC")) + " frames/s"
    return all_less([(runs_of(found, "auto"), runs_of(found, "MC+GPU"))], figures)


def real_time(result, counts, found):
    rates = {title: counts[title]["frames_per_s"] for title in ("SC", "MC", "GPU", "MC+GPU") if title in counts}
    figures = ", ".join(f"{title} {number(rate)}" for title, rate in rates.items()) + " frames/s"
    limit = [1000 / 33] * 10
    signs = [compare(limit, runs_of(found, title)) for title in rates]
    found = of_signs([-signs[0], *signs[1:]], figures)
    reasons = (["one core does 33 too"] if signs[0] < 0 else []) + ([f"{', '.join(slow)}: less"] if (slow := [title for title, sign in zip(rates, signs) if sign > 0 and title != "SC"]) else [])
    reasons += [f"{', '.join(near)}: the rounds reach to both sides of 33"] if (near := [title for title, sign in zip(rates, signs) if sign == 0]) else []
    return Finding(figures, OPEN if found.verdict == EQUAL else found.verdict, "; ".join(reasons))


def reverse(result, counts, found):
    """The figure that the paper gives is the least: less of it, or the other way, is not so."""
    slower = 100 * (counts["MC+GPU"]["frames_per_s"] / counts["GPU+MC"]["frames_per_s"] - 1)
    figures = f"MC+GPU {number(counts['MC+GPU']['frames_per_s'])}, GPU+MC {number(counts['GPU+MC']['frames_per_s'])} frames/s: {abs(slower):.1f} % {'more' if slower > 0 else 'less'} time"
    way = compare(runs_of(found, "MC+GPU"), runs_of(found, "GPU+MC"))
    return at_least(runs_of(found, "GPU+MC"), runs_of(found, "MC+GPU"), 1.462, figures, because_not={1: "it is slower, but by less than the 46.2 %", 0: "not told apart", -1: "it is faster"}[way])


def processor_first(result, counts, found):
    return all_less([(runs_of(found, "MC"), runs_of(found, "GPU"))], because_not="the GPU is the faster one", figures=
                    f"MC {number(counts['MC']['frames_per_s'])}, GPU {number(counts['GPU']['frames_per_s'])} frames/s")


def shares(result, counts, found):
    one = counts["SC"]
    loop = (one["prepare_ms"] + one["update_ms"]) * 200
    part, frames = 100 * loop / (loop + one["detect_ms"]), 39 * one["detect_ms"] / (one["prepare_ms"] + one["update_ms"])  # 97.5 % rounds to 98
    return Finding(f"{number(part)} % of 200 frames", OPEN, f"it rises with the number of frames, which the paper does not state here: 98 % from {math.ceil(frames)} on, as 97.5 % rounds to it; by stored means of one round")


def filters_share(result, counts, found):
    """A share that falls with the number of features: more of them are in another cell of the same clip, if it was run."""
    one, more = counts["SC"], [c["counts"] for c in result["cells"] if c["part"] == "tracker" and c["refused"] is None and c["on"] == found["SC"]["on"] and c["counts"].get("tracker") == "exact-sdvbs"]
    more = [c for c in more if c.get("clip") == "drifting" and c["mean_features"] > one["mean_features"]]
    text = f"{100 * one['prepare_share']:.3g} % with {number(one['mean_features'])} features" + "".join(f", {100 * c['prepare_share']:.3g} % with {number(c['mean_features'])}" for c in more[:1])
    return Finding(f"{text}, windows of {one['window']}", OPEN, "of one round; it falls with the number of features, which the paper does not state beside it")


def application_energy(title, printed):
    def check(result):
        if not has_processor_counter(result):
            return Finding("-", NOT_HERE, f"the processor has no counter: {short_reason(missing_counter(result))}")
        found = trackers(result, "published")
        values = [found[who]["counts"].get("energy") if who in found else None for who in ("SC", title)]
        if not all(isinstance(value, dict) for value in values):
            return None
        gain = values[0]["joules"] / values[1]["joules"]
        return holds_if(gain >= printed, f"{number(gain)}x")
    return check


def delay_product(better):
    def check(result):
        if not has_processor_counter(result):
            return Finding("-", NOT_HERE, f"the processor has no counter: {short_reason(missing_counter(result))}")
        found = trackers(result, "published")
        values = {title: cell["counts"]["energy"] for title, cell in found.items() if isinstance(cell["counts"].get("energy"), dict)}
        return better(values) if {"SC", "MC", "GPU", "MC+GPU"} <= set(values) else None
    return check


def least_product(title, others=("SC", "MC", "GPU", "MC+GPU")):
    """For delay_product(): less than each of the others by more than two windows may be off; one that is less refutes it."""
    def better(values):
        mine = values[title]
        return of_signs([told_apart(values[who], mine, "energy_delay") for who in others if who != title], f"{number(mine['energy_delay'])} J s, " + ", ".join(f"{who} {number(values[who]['energy_delay'])}" for who in others if who != title), always=True)
    return better


def rate_per_watt(result):
    if not has_processor_counter(result):
        return Finding("-", NOT_HERE, f"the processor has no counter: {short_reason(missing_counter(result))}")
    counts = {title: cell["counts"] for title, cell in trackers(result, "published").items() if isinstance(cell["counts"].get("energy"), dict)}
    if not {"GPU", "MC+GPU"} <= set(counts):
        return None
    rates = {title: counts[title]["frames_per_s"] / counts[title]["energy"]["watts"] for title in ("MC+GPU", "GPU")}
    return holds_if(rates["MC+GPU"] >= 1.1 / 1.2 * rates["GPU"], f"{number(rates['MC+GPU'])} against {number(rates['GPU'])}")
