# SPDX-License-Identifier: Apache-2.0
"""The check of the paper's flags, which the kernel `flags` runs with."""

from cells import flag_cells, launched_groups
from verdicts import FAILS, HOLDS, Finding


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
        return Finding("; ".join(parts), HOLDS if all(right) else FAILS, "" if all(right) else "what is wrong at some sizes is nowhere assured" if any(right) else "wrong at all sizes")

    return check
