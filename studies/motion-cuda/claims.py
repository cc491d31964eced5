# SPDX-License-Identifier: Apache-2.0
"""Every claim of the paper, with a verdict that follows from the figures of each run."""

from cells import borrow_host_cells, borrow_host_doubt, gain, in_turns, lend_plain_borders, of_paper, of_sads, reach_of, turns_instead
from clocks import together
from judging import THEIR_VIDEOS, grows
from ladder_claims import (all_on_device, below_ten, borders_on_cpu, condition_costs, discards, group_shape, launches_weigh, mostly_borders, pinned,
                           pinned_small, reduction_limits, sad_is_slow, sads_bound, search_against_cpu, search_beats_sads, sixteen_times, step_of_ladder, threads_in_z)
from reason_claims import (behind_cpu, choice, comes_close, discarded_rarely_least, gain_by_residue, highest_gain, launches_limit, little_of_device, lower_on_all, more_points,
                           one_round_less, overhead_decides, overhead_of_3x3, reduction_limits_step, transfers_weigh, weight_of_search, z_is_best)
from step_claims import (above_full, alike, below_one, best_gain, closer, faster, full_against_step, intensity, last_gain, loss_is_one, lowest_on_second,
                         most_on_first, never_ahead, residues_fall, rounds_keep_residue, same_residue, second_is_highest, three_by_three, zones_potential)
from stream_claims import (four_over_two, larger_array, marginal_gains, reduced_alike, reductions_weigh, scanning_is_small, second_form_worse, streams_below_one, streams_on_first,
                           two_and_four_best)
from verdicts import FAILS, NOT_HERE, NOT_YET, Finding, row, table_of


class Timed:
    """A check that compares times of cells: of a run in turns, where there is one."""

    def __init__(self, check, rung="z"):
        self.check, self.rung = check, rung

    def __call__(self, result):
        found = self.check(result)
        if found and in_turns(result):
            found.figures += f"; {min(len(c['runs']) for c in result['cells'] if c['refused'] is None and not c.get('apart'))} rounds in turns" + (", beside other work on the machine" if result.get("beside_other_work") else "")
        return found


FIXED = [
    ("III-A", "Less memory overhead \"speeds up our execution time by 10 seconds\"", Finding("97.644 - 82.564 = 15.08 s", FAILS, "a slip: its table I gives 15")),
    ("III-A", "SAD's kernel is launched \"2^14 times in total\"", Finding("16,384 candidates of each block of each frame", FAILS, "a slip: 2^14 times a block")),
    ("III-A, table V", "What is discarded at borders costs some precision", Finding("residues of the full search 31,547,568 to 31,547,531 (-37), 634,064,063 to 634,063,236 (-827)", FAILS,
     "its own residues fall: a discarded candidate lowers no SAD, but another vector of the same SAD may rebuild a block with less")),
    ("Table I", "Relative speed-ups 1.19, 4.33, 8.62; speed-up 0.448", Finding("97.644 / 82.564 = 1.183, 82.564 / 18.894 = 4.370, 18.894 / 2.163 = 8.735; 0.983 / 2.163 = 0.4545", FAILS,
     "quotients of speed-ups that were rounded first; the last is a misprint or another run's time")),
    ("Table IV", "Residues in seconds", Finding("sums of absolute differences", FAILS, "a misprint in its head")),
    ("II-B", "13x13 does three rounds in one", Finding("from spacings 4, 2, 1 three rounds reach 7 away: 15x15", FAILS, "the outermost ring is left out; the rung `step-15x15-z` has it")),
]

# Rungs with a launch for each candidate among them: judged by the run with the most frames of these.
LAUNCHES = [
    ("III-A, table I", "One SAD to a launch is terribly slow (97.644 s against the CPU's 0.983 s: 99 times, implied)", sad_is_slow),
    ("III-A", "... because of the cost of launching a kernel 2^14 times", launches_weigh),
    ("III-A", "... and because each of them ends with a reduction", reduction_limits),
    ("III-A, table I", "Fewer transfers help (1.19x)", Timed(step_of_ladder("sad", "sad-swap"), "sad")),
    ("III-A, table I", "Border blocks on the CPU help (4.33x)", Timed(borders_on_cpu, "borders")),
    ("III-A", "... after which the SADs on the GPU are the bottleneck, by the host's clock", sads_bound),
    ("II-A", "The kernel's condition might cost time", condition_costs),
    ("III-A, table I", "The whole search in a kernel is faster still (8.62x)", search_beats_sads),
    ("II-A", "... 16 times as fast, for 16 times the threads (expected)", sixteen_times),
]

MEASURED = [
    ("III-A, table I", "... still behind the CPU on video 1 (0.448x)", Timed(search_against_cpu(slice(0, 1), False))),
    ("III-A, table II", "... ahead of it on videos 2 and 3 (7.765 s against 21.232: 2.73x, implied; 3.539x)", Timed(search_against_cpu(slice(1, 3), True))),
    ("III-A", "... but not ten times as fast", Timed(below_ten)),
    ("III-A", "Most blocks of video 1 are borders, larger videos leave the GPU more", mostly_borders),
    ("III-A, table II", "With streams the larger videos take longer than without (7.765 to 10.216 and 13.051 s, 89.902 to 144.444 and 188.017 s)", Timed(streams_below_one)),
    ("III-A, table II", "... but video 1 less (2.163 to 1.048 and 1.104 s)", Timed(streams_on_first)),
    ("III-A", "2 and 4 streams are the best: portions to the CPU", Timed(two_and_four_best("streams-portions"))),
    ("III-A", "... and reduced on the GPU", Timed(two_and_four_best("streams-reduced"))),
    ("III-A", "Portions: more streams are marginally faster", Timed(marginal_gains)),
    ("III-A", "... 4 slightly faster than 2", Timed(four_over_two)),
    ("III-A", "Reduced on the GPU: more streams give similar results", Timed(reduced_alike)),
    ("III-A", "With a larger array of results streams could pay", Timed(larger_array)),
    ("III-A", "Portions: the CPU's scan of the results is far from being the bottleneck", scanning_is_small),
    ("III-A, table II", "Streams that reduce on the GPU are worse than portions to the CPU", Timed(second_form_worse)),
    ("III-A", "... because of the kernels that reduce", reductions_weigh),
    ("III-A, table II", "All on the GPU more than doubles the speed-up (3.539x to 8.090x)", Timed(all_on_device)),
    ("III-A", "... but discards some candidates at borders, with small errors", discards),
    ("III-A, table II", "Pinned memory helps (8.090x to 8.570x on video 3)", Timed(pinned)),
    ("Table II", "... most on video 1 (5.10x; 1.37x on video 2; implied)", Timed(pinned_small)),
    ("III-A", "Blocks of many threads in x alone are the most effective shape", group_shape),
    ("III-A, table II", "32 work-items for a SAD help (8.570x to 10.665x on video 3)", Timed(threads_in_z)),
    ("III-B, table III", "3x3 in one block is far slower than the CPU (almost 3 times on video 3)", Timed(three_by_three)),
    ("III-B", "... as one group of 3x3 threads barely uses the GPU", little_of_device),
    ("III-B", "... and hardly gets past the overhead", overhead_of_3x3),
    ("III-B, table III", "13x13 in one block is slightly faster than 3x3 (0.357x to 0.511x of the CPU on video 3)", Timed(faster("step-3x3", "step-13x13"))),
    ("III-B", "... although still slower than the CPU", Timed(behind_cpu("step-13x13"))),
    ("III-B, table III", "Pinned memory with threads in Z is slightly faster again (22.462 to 18.610 s on video 3, over 13x13 in one block)", Timed(faster("step-13x13", "step-z", 0, (32, 256)))),
    ("Table III", "... and faster than 3x3 in one block (32.109 to 18.610 s; implied)", Timed(faster("step-3x3", "step-z", 0, (32, 256)))),
    ("III-B", "... most on video 1 (1.625 to 0.0851 s, over 3x3)", Timed(most_on_first("step-3x3", "step-z", (32, 256)))),
    ("III-B", "... since pinned memory matters more where frames are small", transfers_weigh),
    ("III-B", "... while launches limit the speed-up", launches_limit),
    ("III-B", "... and so does the reduction", reduction_limits_step),
    ("III-B, table III", "7x7 + Z is faster than 13x13 + Z on videos 2 and 3 (1.100 against 1.140, 14.023 against 14.250 s)", Timed(faster("step-13x13-z", "step-7x7-z", 256, (256,), (1, 2)))),
    ("III-B", "... since 13x13 groups cost more than the round they save (on videos 2 and 3)", one_round_less),
    ("III-B, III-C", "... but both perform alike (0.0746 and 0.0736, 1.100 and 1.140, 14.023 and 14.250 s)", Timed(alike("step-7x7-z", "step-13x13-z", 256))),
    ("III-B", "... and 13x13's residue is significantly closer to an ideal one", closer("step-7x7-z", "step-13x13-z", 256)),
    ("III-B", "... so that the grid is a choice between time and accuracy", Timed(choice)),
    ("III-B", "The step search never gets ahead of the CPU", Timed(never_ahead)),
    ("III-B", "... because nothing makes up for the overhead", overhead_decides),
    ("III-B, table IV", "3x3 leaves the CPU's residue (loss 1)", rounds_keep_residue),
    ("III-B, table IV", "Larger grids (7x7, 13x13) leave less residue than the CPU's", residues_fall),
    ("III-B", "... since more points are looked at", more_points),
    ("III-B", "... but it stays above the full search's", above_full),
    ("III-B, table IV", "Threads in Z leave the residue as it is", same_residue),
    ("III-C, table V", "Full search: the prediction loss is about 1", loss_is_one),
    ("III-C", "... since what is discarded is very rarely the least", discarded_rarely_least),
    ("III-C", "The form with threads in Z is the full search's best", Timed(z_is_best)),
    ("III-C, table V", "Full search: the gain grows with the video: 4.02, 7.88, 10.66", Timed(grows("z", 32, gain))),
    ("III-C", "... since larger videos have larger frames, and more of them", Finding("-", NOT_YET, "each frame is timed by itself: their size varies here, their number does not")),
    ("III-C", "... so that the parallel part weighs less on video 1", weight_of_search),
    ("Abstract, III-C", "Full search: a normalised gain above 10 on video 3 (10.66x)", Timed(last_gain("z", 32, 10, True))),
    ("III-C, table V", "Step search, 13x13 + Z: the prediction gain is highest on video 2 (loss 0.871, 0.844, 0.984)", lowest_on_second),
    ("III-C", "... since the additional blocks happen to matter there", Finding("-", NOT_HERE, f"{THEIR_VIDEOS}; no run records which of the points gave a vector")),
    ("III-C", "13x13 + Z has the highest prediction gain of the grids", highest_gain),
    ("III-C, table V", "... and its residue is significantly smaller on all videos, so that the gain is above the speed-up", lower_on_all),
    ("III-C, table V", "... the speed-up grows with the video (0.630, 0.718, 0.805)", Timed(grows("step-13x13-z", 256))),
    ("III-C", "... and comes close to the CPU on video 3 (0.805x, approximately 25 % slower)", Timed(comes_close)),
    ("III-C, table V", "Step search, 13x13 + Z: the gain is highest on video 2 (0.724, 0.851, 0.818)", Timed(second_is_highest)),
    ("III-C", "... since that video benefits most from the larger grid", Timed(gain_by_residue)),
    ("III-C", "... the gain stays below 1", Timed(below_one("step-13x13-z", 256))),
    ("IV", "... but almost breaks even (0.851x, on video 2)", Timed(best_gain)),
    ("III-C", "For a very large video that benefits a lot from the larger grid the step search might match the CPU", Timed(last_gain("step-13x13-z", 256, 1, True))),
    ("IV", "The step search gains nothing, mainly because of its lower arithmetic intensity", intensity),
    ("IV", "Test zones have low potential for further acceleration", zones_potential),
    ("IV", "... since they are highly optimised already", Finding("-", NOT_YET, "no run varies how much of the search its rules spare")),
    ("Table V", "Its CPU takes 21, 26, 28 times as long for the full search as for the step search (implied)", full_against_step),
]


def by_opencl(results):
    """The rows above are of CUDA, as the paper; whether a GPU gives the same by OpenCL needs a run there."""
    if any("NVIDIA" in result["device"]["device"] and "OpenCL" in result["device"]["api"] for _, result in results):
        return []
    return [("all, ours", "The same by OpenCL on a GPU", Finding("-", NOT_YET, "no run by OpenCL on a GPU was made; OpenCL's figures are PoCL's alone"))]


def claims(results):
    results = lend_plain_borders(borrow_host_doubt(borrow_host_cells(together(results))))
    own, sads = of_paper(results), of_sads(results)
    reach = [(name, result) for name, result in results if reach_of(result) > 64 and not in_turns(result)]

    def runs_of(check, runs):
        if not isinstance(check, Timed):
            return runs
        if check.check is larger_array:
            return turns_instead(reach, results, "streams-portions", lambda result: reach_of(result) > 64)
        return turns_instead(runs, results, check.rung)

    return table_of([row(*one, runs_of(one[2], sads)) for one in LAUNCHES] + [row(*one, runs_of(one[2], own)) for one in MEASURED + FIXED + by_opencl(own)])
