# SPDX-License-Identifier: Apache-2.0
"""Every claim of the paper beside our figure, with a verdict that follows from the figures."""

from figures import device_name, kernel_ms, number, table

ALL = [("global", 1), ("centralised", 1), ("centralised", 4), ("distributed", 1), ("distributed", 4)]


def verdict(holds, because):
    return "holds" if holds else f"does not, because {because}"


def fixed_claims():
    """What needs no measurement."""
    return [
        ("Venus has 384 x 434 pixels, 162,222 disparities", "434 x 383 pixels, 166,222",
         "does not, because both figures are misprints: 384 x 434 would be 166,656"),
        ("At full occupancy ceil(162,222 / 384) = 423 rounds", "433 with the picture's real size; 683 with the padding, "
         "which is launched too", "does not, because of the misprint above; its division is right"),
        ("OpenCL's restriction makes the sizes powers of 2", "`--padding 512x384` gives the same map",
         "does not, because OpenCL 1.2 asks only that the group divides the global size"),
        ("OpenCL has no 8-bit unsigned integers, but a char that can be cast to", "`uchar` is one",
         "does not, because OpenCL's `uchar` is defined to be an unsigned 8-bit integer"),
        ("Work-items execute in order along the rows of a group, so that a flag `rowDone` suffices",
         "one barrier for each row of the group in its place",
         "does not, because OpenCL promises no order: without the barrier a row may be replaced while it is read"),
        ("Local memory: 2 x 5 x 512 x 4 = 20,480 bytes of 49,152", "20,480, a kernel argument that the host sizes",
         "holds"),
    ]


def _size_claims(result, pick, groups):
    def ms(kernel, rows, group, **more):
        return kernel_ms(pick(result, kernel, rows, group, **more))

    wide, narrow = pick(result, "distributed", 1, 512), pick(result, "distributed", 1, 512, "8-bit")
    up = 100 * (1 - narrow["bytes_up"] / wide["bytes_up"])
    whole = [sum(cell["median"][key] for key in ("upload_ms", "kernel_ms", "download_ms")) for cell in (wide, narrow)]
    saved = 100 * (1 - whole[1] / whole[0])
    loops = pick(result, "global", 1, 512, unrolled=False)
    unrolled = pick(result, "global", 1, 512)
    gain = kernel_ms(loops) / kernel_ms(unrolled)
    longer = unrolled["code_bytes"] / loops["code_bytes"]
    small = [g for g in groups if g < 256]
    worst = [g for g in small if ms("global", 1, g) < max(ms(k, r, g) or 0 for k, r in ALL[1:])]
    close = {r: ms("global", 1, 512) / ms("centralised", r, 512) for r in (1, 4)}
    near = min(close.values(), key=lambda ratio: abs(ratio - 1))
    slower = [g for g in groups if g <= 512 and ms("distributed", 1, g) > min(ms(k, r, g) or 1e9 for k, r in ALL[:3])]
    return [
        ("8-bit input cuts the bytes copied to the GPU by 75 %",
         f'{up:.0f} % ({wide["bytes_up"]:,} to {narrow["bytes_up"]:,}); upload {number(wide["median"]["upload_ms"])} to '
         f'{number(narrow["median"]["upload_ms"])} ms', verdict(round(up) == 75, "other types were chosen")),
        ("... which noticeably lowers the execution time",
         f"copies and kernel (distributed, 512): {number(whole[0])} to {number(whole[1])} ms, {saved:.0f} % less",
         verdict(saved >= 5, "what the copies gain is small beside the kernel, or the narrow loads cost it")),
        ("Unrolling removes the loops' overhead and hides stalls",
         f"global, 512: {number(kernel_ms(loops))} ms with loops, {number(kernel_ms(unrolled))} unrolled, {number(gain)}x",
         verdict(gain > 1.05, "the compiler's schedule leaves no overhead to remove")),
        ("... at the price of much lengthier code",
         f'{loops["code_bytes"]:,} to {unrolled["code_bytes"]:,} bytes of {unrolled["code_kind"]}, {number(longer)}x',
         verdict(longer > 1.5, "most of the code is not the window")),
        ("Global memory is the slowest below groups of 256",
         f"another kernel is slower at {', '.join(map(str, worst)) or 'none'} of {', '.join(map(str, small))}",
         verdict(not worst, "a cache of today's size serves the overlapping windows, while one loading work-item waits for each of its loads in turn")),
        ("At 512, global (18.03 ms) and centralised (18.01 ms) take equally long",
         f"global / centralised: {number(close[1])} with one row to a group, {number(close[4])} with four",
         verdict(abs(near - 1) < 0.1, "the loads of a single work-item have become slower in relation to cached loads by all")),
        ("The distributed kernel is always faster than both",
         f"slower than one of them at {', '.join(map(str, slower)) or 'no size'} of 32 to 512",
         verdict(not slower, "where groups are small, the overlap that each has to load anew outweighs what local memory saves")),
    ]


def _trend_claims(result, groups, series, drop):
    falls = {}
    for kernel, rows in ALL:
        line = series(result, kernel, rows)
        falls[kernel, rows] = {b: drop(x, y) for a, b, x, y in zip(groups, groups[1:], line, line[1:])}

    def listed(kernel, rows, wanted):
        return ", ".join(f"{number(falls[kernel, rows][g])} %" for g in wanted if falls[kernel, rows].get(g) is not None)

    early, late = [g for g in groups if 32 < g <= 128], [g for g in groups if 128 < g <= 512]
    others = [("global", 1), ("distributed", 1)]
    in_band = all(40 <= falls[o].get(g, 0) <= 50 for o in others for g in early)
    positive = all((falls[o].get(g) or 0) > 0 for o in others for g in late)
    both_negative = [r for r in (1, 4) if all((falls["centralised", r].get(g) or 0) < 0 for g in (256, 512))]
    declining = all((falls[o].get(g) or 0) > 0 for o in others for g in early + late)
    return [
        ("The time falls as groups grow (figure 8)",
         "; ".join(f"{k}: {listed(k, r, early + late)}" for k, r in others) + " from doubling to doubling, 32 to 512",
         verdict(declining, "a group's size no longer decides how much work a unit holds at once: small groups fill it as well")),
        ("... by 40 to 50 % for each doubling up to 128 (figure 9; global and distributed)",
         "; ".join(f"{k}: {listed(k, r, early)}" for k, r in others),
         verdict(in_band, "that GPU was short of groups it could hold at once; ours holds enough of 64 already")),
        ("... and by less, but still, from 128 to 512", "; ".join(f"{k}: {listed(k, r, late)}" for k, r in others),
         verdict(positive, "beyond 128 the sizes differ by little more than how groups divide the picture")),
        ("The centralised kernel gets slower from 128 to 256 and from 256 to 512",
         f'one row: {listed("centralised", 1, late)}; four rows: {listed("centralised", 4, late)}',
         verdict(bool(both_negative), "fewer, larger groups also load the overlap fewer times, which makes up for the longer wait")),
    ]


def _result_claims(result, pick, groups):
    distributed = pick(result, "distributed", 1, 512)
    ms, wall = distributed["median"]["kernel_ms"], distributed["median"]["wall_ms"]
    ratio = kernel_ms(pick(result, "global", 1, 512)) / ms
    rows = [
        ("Distributed, 512: 4.88 ms, 205 frames/s", f"{number(ms)} ms, {number(1000 / ms)} frames/s; host to host "
         f"{number(wall)} ms, {number(1000 / wall)} frames/s", verdict(ms <= 4.88, "the device is slower")),
        ("... 3.7 times as fast as global memory (18.03 / 4.88)", f"{number(ratio)} times",
         verdict(ratio >= 3.3, "the caches of today serve global loads almost as fast as local memory")),
    ]
    larger = [(g, kernel_ms(pick(result, "distributed", 1, g))) for g in groups if g > 512]
    larger = [(g, t) for g, t in larger if t]
    if larger:
        rows.append(("Groups above 512 do not match the hardware and are left out",
                     ", ".join(f"{g}: {number(t)} ms" for g, t in larger) + f", 512: {number(ms)} ms",
                     verdict(all(t >= ms for _, t in larger), "a larger group is no slower here")))
    central = pick(result, "centralised", 1, 512)
    rows.append(("Without the centralised kernel's conditions the distributed one saves time",
                 f'{central["code_bytes"]:,} against {distributed["code_bytes"]:,} bytes of code, '
                 f"{number(kernel_ms(central))} against {number(ms)} ms",
                 "holds for the time, but the conditions are not why: the loads run side by side instead of one after another"
                 if kernel_ms(central) > ms else "does not, because the kernel is not faster"))
    tiles = {tile: pick(result, "distributed", 1, 512, tile=tile) for tile in ("columns", "columns-padded")}
    if all(tiles.values()):
        a, b = kernel_ms(tiles["columns"]), kernel_ms(tiles["columns-padded"])
        rows.append(("Bank conflicts should be avoided",
                     f'columns a power of 2 apart ({tiles["columns"]["counts"]["bank_conflicts"]} items at one bank): '
                     f"{number(a)} ms; an odd number apart (1): {number(b)} ms",
                     verdict(a > 1.1 * b, "other limits hide the conflicts")))
    vertical = pick(result, "vertical", 1, 512)
    if vertical:
        best = min(kernel_ms(pick(result, "vertical", 1, g, bits)) or 1e9 for g in groups for bits in ("32-bit", "8-bit"))
        rows.append(("Later: loading downwards will give several disparities from one kernel",
                     f"four to a work-item: {number(kernel_ms(vertical))} ms at 512 ({number(ms / kernel_ms(vertical))}x of "
                     f"distributed), {number(best)} ms at best", verdict(kernel_ms(vertical) < ms, "it is not faster")))
    units = result["device"]["compute_units"]
    rows.append(("The work scales to GPUs with more cores",
                 f"{units} units instead of 3, {number(4.88 / ms)} times as fast",
                 verdict(4.88 / ms > units / 3, "one picture of this size is too little work for all units")))
    return rows


def claims(results, pick, groups_of, series, drop):
    result = next((r for name, r in results if "opencl" in name), results[0][1])
    groups = groups_of(result)
    rows = fixed_claims()
    if pick(result, "distributed", 1, 512) and pick(result, "global", 1, 512, unrolled=False):
        rows += _size_claims(result, pick, groups) + _trend_claims(result, groups, series, drop)
        rows += _result_claims(result, pick, groups)
    return f"Our figures: {device_name(result)}.\n\n" + table(["the paper", "ours", "verdict"], rows)
