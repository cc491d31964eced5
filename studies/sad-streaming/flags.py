# SPDX-License-Identifier: Apache-2.0
"""The check of the paper's flags, which the kernel `flags` runs with."""

from cells import flag_cells, launched_groups
from verdicts import FAILS, HOLDS, Finding


def late(result, how):
    """Where waits fail with groups in the usual order too, so that the order alone is not what failed."""
    usual = [c["group"] for c in flag_cells(result, "chained") if how == "reversed" and c["refused"] is None and c["counts"]["flags"]["runs_with_failed_waits"]]
    return f"; at {', '.join(map(str, usual))} waits fail in the usual order, too" if usual else ""


def flags(how):
    def check(result):
        cells = [c for c in flag_cells(result, how) if c["refused"] is None]
        if not cells:
            return None
        outcomes, right = {}, []
        for c in cells:
            f = c["counts"]["flags"]
            right.append(f["wrong_runs"] == 0 and f["runs_with_failed_waits"] == 0)
            said = "right, no wait failed" if right[-1] else f"wrong maps in {f['wrong_runs']}, failed waits in {f['runs_with_failed_waits']} of {f['looked_at']} runs"
            outcomes.setdefault(said, []).append(f"{c['group']} ({launched_groups(c)} groups)")
        parts = [f"{said} at {', '.join(where)}" for said, where in outcomes.items()]
        failed = any(c["counts"]["flags"]["runs_with_failed_waits"] for c in cells)
        ended = f"; a wait counts as failed after {int(result['settings']['spins']):,} looks" if failed and "spins" in result["settings"] else ""
        return Finding("; ".join(parts), HOLDS if all(right) else FAILS, "" if all(right) else ("what is wrong at some sizes is nowhere assured" if any(right) else f"wrong at all sizes{late(result, how)}") + ended)

    return check
