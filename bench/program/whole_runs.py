# SPDX-License-Identifier: Apache-2.0
"""Times whole commands of the program beside decoding alone, computing alone and what users would run instead.

Started by scripts/bench-program. A bound is the larger of decoding (FFmpeg, all threads, to nowhere) and computing: the
median time of a frame that the program reports, times the frames. It is taken from frames that need no decoder, since
decoders go on beside a frame that is timed. SSIM, where it is asked for, is computing, too: what it adds to the processor
seconds of that run, on all processors. Writing is not. "Both" is what decoding and computing would take if they had all
processors in turn, and nothing else were done: no order of the two takes less. All commands of a case take turns.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time


def drop_caches():
    subprocess.run(["sync"], check=True)
    try:
        pathlib.Path("/proc/sys/vm/drop_caches").write_text("1\n")
    except OSError as error:
        sys.exit(f"error: --cold empties the page cache, which needs root: {error}")


def run(command, cold, **options):
    """Seconds by the clock and of all processors, and what the command printed."""
    if cold:
        drop_caches()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)}: {done.stderr.strip()}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


class Contestant:
    def __init__(self, name, command, **options):
        self.name, self.command, self.options = name, command, options
        self.seconds, self.processors = [], []

    def turn(self, cold):
        seconds, processors, _ = run(self.command, cold, **self.options)
        self.seconds.append(seconds)
        self.processors.append(processors)

    def median(self):
        return statistics.median(self.seconds)


PROCESSORS = len(os.sched_getaffinity(0))


def computing(command, folder, score):
    """Seconds of a command that reads plain frames; `score`: an option for what is computed besides."""
    _, processors, text = run([*command, "--json"], False, cwd=folder)
    report = json.loads(text)
    seconds = report["ms"]["median"] * 1e-3 * report.get("fields", report["frames"])
    if score:
        scored = [run([*command, score, "--json"], False, cwd=folder)[1] for _ in range(3)]
        seconds += max(statistics.median(scored) - processors, 0) / PROCESSORS
    return seconds


class Case:
    """A command of the program, what it is bounded by, and peers."""

    def __init__(self, name, command, folder, inputs, score=None, peers=()):
        self.ours = Contestant(name, command, cwd=folder)
        plain = [part.replace(".mp4", ".y4m") for part in command if part != score]
        if "-o" in plain:
            at = plain.index("-o")
            del plain[at : at + 2]
        self.computing = lambda: computing(plain, folder, score)
        self.compute = 0.0
        reading = [part for one in inputs for part in ("-i", one)]
        mapping = [part for i in range(len(inputs)) for part in ("-map", str(i))]
        self.decoding = Contestant("decoding", ["ffmpeg", "-v", "error", *reading, *mapping, "-f", "null", "-"], cwd=folder)
        self.peers = peers

    def measure(self, runs, cold):
        self.compute = self.computing()
        for _ in range(runs):
            for one in (self.ours, self.decoding, *self.peers):
                one.turn(cold)

    def row(self):
        decoding = self.decoding.median()
        both = self.compute + statistics.median(self.decoding.processors) / PROCESSORS
        spread = f"{min(self.ours.seconds):.2f} .. {max(self.ours.seconds):.2f}"
        peers = ", ".join(f"{peer.name} {peer.median():.2f}" for peer in self.peers) or "-"
        cells = [self.ours.median(), spread, statistics.median(self.ours.processors), decoding, self.compute, both]
        cells += [self.ours.median() / max(decoding, self.compute), peers]
        text = [cell if isinstance(cell, str) else f"{cell:.2f}" for cell in cells]
        return f"| `{self.ours.name}` | {' | '.join(text)} |"


def make_inputs(program, folder, frames):
    """The built-in scene as numbered pictures, with truth, and as H.264 of 1280x720."""
    complete = folder / f"complete-y4m-{frames}"
    if complete.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, size in (("pairs", "640x480"), ("film", "1280x720")):
        wanted = [program, "synth", name, "--size", size, "--frame-count", str(frames), "--noise", "2", "--samples", "1"]
        run(wanted, False, cwd=folder)
    pictures = sorted((folder / "film").glob("left_*"))[0].suffix
    coding = ["-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p"]
    start = ["ffmpeg", "-v", "error", "-y", "-framerate", "25", "-i"]
    run([*start, f"film/left_%04d{pictures}", *coding, "film.mp4"], False, cwd=folder)
    beside = ["-i", f"film/right_%04d{pictures}", "-filter_complex", "hstack", *coding, "pairs.mp4"]
    run([*start, f"film/left_%04d{pictures}", *beside], False, cwd=folder)
    for name in ("film", "pairs"):
        run(["ffmpeg", "-v", "error", "-y", "-i", f"{name}.mp4", f"{name}.y4m"], False, cwd=folder)
    complete.touch()


def opencv(script, *words):
    return [sys.executable, str(pathlib.Path(__file__).with_name("opencv_loops.py")), script, *words]


def make_cases(program, folder, device):
    suffix = sorted((folder / "pairs").glob("left_*"))[0].suffix
    left, right = f"pairs/left_%04d{suffix}", f"pairs/right_%04d{suffix}"
    on = ["--device", device]
    estimate = ["ffmpeg", "-v", "error", "-i", "film.mp4", "-vf", "mestimate=epzs", "-f", "null", "-"]

    def case(words, **more):
        return Case(" ".join(words), [program, *words, *on], folder, **more)

    return [
        case(["motion", "film.mp4", "--preset", "fast"], inputs=["film.mp4"], peers=[Contestant("ffmpeg mestimate epzs", estimate, cwd=folder)]),
        case(["motion", "film.mp4", "--preset", "fast", "--ssim"], inputs=["film.mp4"], score="--ssim"),
        case(["motion", "film.mp4"], inputs=["film.mp4"]),
        case(["motion", "film.mp4", "--preset", "fast", "-o", "flow_%04d.flo"], inputs=["film.mp4"]),
        case(["track", "film.mp4"], inputs=["film.mp4"], peers=[Contestant("OpenCV LK in Python", opencv("track", "film.mp4"), cwd=folder)]),
        case(["stereo", left, right, "--preset", "fast"], inputs=[left, right], peers=[Contestant("OpenCV StereoBM in Python", opencv("bm", left, right), cwd=folder)]),
        case(["stereo", left, right, "--preset", "quality"], inputs=[left, right], peers=[Contestant("OpenCV StereoSGBM in Python", opencv("sgbm", left, right), cwd=folder)]),
        case(["stereo", left, right, "--preset", "fast", "-o", "map_%04d.png"], inputs=[left, right]),
        case(["stereo", "pairs.mp4", "--layout", "side-by-side", "--preset", "fast"], inputs=["pairs.mp4"]),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--cold", action="store_true", help="empty the page cache before each run")
    parser.add_argument("--only", default="", help="cases that hold these words")
    given = parser.parse_args()
    program = str(pathlib.Path(given.program).resolve())
    make_inputs(program, given.folder, given.frames)
    cache = "cold" if given.cold else "warm"
    print(f"{given.frames} frames, {given.runs} runs in turn, {cache} cache, device {given.device}; seconds, medians.\n")
    print("| command | time | least .. most | of all processors | decoding | computing | both | time / larger | instead |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case in make_cases(program, given.folder, given.device):
        if given.only in case.ours.name:
            case.measure(given.runs, given.cold)
            print(case.row(), flush=True)


if __name__ == "__main__":
    main()
