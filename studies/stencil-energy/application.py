# SPDX-License-Identifier: Apache-2.0
"""What the paper claims of the whole application (table III): speeds, joules, and both devices together."""

from figures import number
from figures_of import has_processor_counter, is_cpu, missing_counter, trackers
from verdicts import OPEN, Finding, OfProcessor, all_less, at_least, compare, holds_if

NOT_HERE = "not measurable here"


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


def speed(title, printed):
    def figure(result, counts, found):
        gain = counts[title]["frames_per_s"] / counts["SC"]["frames_per_s"]
        return at_least(runs_of(found, "SC"), runs_of(found, title), printed, f"{number(gain)}x ({number(counts[title]['frames_per_s'])} against {number(counts['SC']['frames_per_s'])} frames/s{on_threads(result, title)})",
                        because_not=bottleneck(counts) if title == "MC+GPU" and "GPU" in counts else "")
    return of_trackers(["SC", title], figure)


def on_threads(result, title):
    """What MC is: the processor beside the device that a run is named after."""
    processor = result.get("processor_device")
    if "MC" in title and is_cpu(result):
        return f"; {result['device']['compute_units']} threads, the paper's are 8"
    known = "MC" in title and not is_cpu(result) and isinstance(processor, dict) and "compute_units" in processor
    return f"; MC: its host's {processor['compute_units']} threads" if known else ""


def bottleneck(counts, mapping="MC+GPU"):
    """Which measured stage of two devices is longer than a whole frame on the faster one alone, and whether any mapping could be
    faster; empty where these figures do not tell."""
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
    other = counts.get("MC" if best == "GPU" else "GPU")
    if other and min(other["prepare_ms"], other["update_ms"]) >= alone[best]:
        texts.append(f"no mapping can win: either phase alone takes the other device longer ({number(other['prepare_ms'])} and {number(other['update_ms'])} ms)")
    return "; ".join(texts)


def both_best(result, counts, found):
    times = {title: runs_of(found, title) for title in ("MC", "GPU", "MC+GPU")}
    figures = ", ".join(f"{title} {number(counts[title]['frames_per_s'])}" for title in times) + " frames/s"
    return all_less([(times["MC+GPU"], times[title]) for title in ("MC", "GPU")], figures, because_not=bottleneck(counts))


def runs_of(found, title):
    return OfProcessor(run[3] for run in found[title]["runs"])


def other_mapping(result, counts, found):
    """The other order of the two devices against the paper's; why it is no faster than one device, if it is not."""
    figures = ", ".join(f"{title} {number(counts[title]['frames_per_s'])}" for title in ("MC+GPU", "GPU+MC", "MC", "GPU") if title in counts) + " frames/s"
    why = bottleneck(counts, "GPU+MC") if {"MC", "GPU"} <= set(counts) else ""
    return all_less([(runs_of(found, "GPU+MC"), runs_of(found, "MC+GPU"))], figures, *[why and f"no faster than one device: {why}"] * 2)


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
    if 0 in signs:
        return Finding(figures, OPEN, "the rounds reach to both sides of 33")
    return holds_if(signs[0] > 0 and all(sign < 0 for sign in signs[1:]), figures, because_not="one core does 33 too" if signs[0] < 0 else "")


def reverse(result, counts, found):
    slower = 100 * (counts["MC+GPU"]["frames_per_s"] / counts["GPU+MC"]["frames_per_s"] - 1)
    return at_least(runs_of(found, "GPU+MC"), runs_of(found, "MC+GPU"), 1.462, f"MC+GPU {number(counts['MC+GPU']['frames_per_s'])}, GPU+MC {number(counts['GPU+MC']['frames_per_s'])} frames/s: {abs(slower):.1f} % {'more' if slower > 0 else 'less'} time")


def processor_first(result, counts, found):
    return all_less([(runs_of(found, "MC"), runs_of(found, "GPU"))],
                    f"MC {number(counts['MC']['frames_per_s'])}, GPU {number(counts['GPU']['frames_per_s'])} frames/s")


def shares(result, counts, found):
    one = counts["SC"]
    loop = (one["prepare_ms"] + one["update_ms"]) * 200
    part = 100 * loop / (loop + one["detect_ms"])
    return holds_if(part >= 97.5, f"{number(part)} % of 200 frames", because_not="the limit is what rounds to 98 %")


def filters_share(result, counts, found):
    one = counts["SC"]
    text = f"{100 * one['prepare_share']:.3g} % with {number(one['mean_features'])} features and windows of {one['window']}"
    if 0.8 <= one["prepare_share"] < 0.885:
        return Finding(text, OPEN, "of one round; it falls with the number of features, which the paper does not state")
    return holds_if(one["prepare_share"] >= 0.885, text, "rounds to 89 % or more, of one round", "the limit is what rounds to 89 %")


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
        values = {title: cell["counts"]["energy"]["energy_delay"] for title, cell in found.items() if isinstance(cell["counts"].get("energy"), dict)}
        return better(values) if {"SC", "MC", "GPU", "MC+GPU"} <= set(values) else None
    return check


def rate_per_watt(result):
    if not has_processor_counter(result):
        return Finding("-", NOT_HERE, f"the processor has no counter: {short_reason(missing_counter(result))}")
    counts = {title: cell["counts"] for title, cell in trackers(result, "published").items() if isinstance(cell["counts"].get("energy"), dict)}
    if not {"GPU", "MC+GPU"} <= set(counts):
        return None
    rates = {title: counts[title]["frames_per_s"] / counts[title]["energy"]["watts"] for title in ("MC+GPU", "GPU")}
    return holds_if(rates["MC+GPU"] >= 1.1 / 1.2 * rates["GPU"], f"{number(rates['MC+GPU'])} against {number(rates['GPU'])}")
