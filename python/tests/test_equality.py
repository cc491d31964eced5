# SPDX-License-Identifier: Apache-2.0
"""The bytes of the program, for random settings of each domain, by hash."""

import pickle

import numpy
import pytest
import vergence
from support import CASES, cases_of, device_names, fnv1a, random_pair, run_program, write_pgm

# Values to try for each option; a new option needs a line here.
STEREO = {
    "cost": ["sad", "ssd", "census-5x5", "census-9x7", "census-symmetric-9x7"],
    "window": ["auto", 1, 3, 9, (5, 3), (1, 7)],
    "disparities": [1, 2, 5, 16, 17, 33],
    "min_disparity": [0, 0, -4, 3],
    "reference": ["left", "right"],
    "border": ["partial", "invalid"],
    "outside": ["skip", "skip", "skip", "zero", "clamp"],
    "tie": ["lowest", "highest"],
    "aggregate": ["window", "window", "sgm"],
    "paths": [2, 4, 5, 8],
    "p1": [0, 0, 3],
    "p2": [0, 0, 70],
    "p2_slope": [0, 100],
    "prefilter": ["none", "none", "xsobel", "xsobel-opencv"],
    "prefilter_cap": [1, 31, 127],
    "subpixel": [True, False],
    "uniqueness": [0, 0, 10],
    "reject_ties": [True, False],
    "texture": [0, 50],
    "left_right": [-1, 0, 1],
    "left_right_unit": ["px", "grey"],
    "speckle_size": [0, 20],
    "speckle_range": [0, 16, 40],
    "median": [0, 3, 5],
    "fill": ["none", "background", "nearest", "mean", "mean-all"],
    "fill_window": [3, 11],
    "roi": [None, None, (0, 0, 1, 1), (1, 2, 9, 9)],
}
MOTION = {
    "search": ["full", "step", "diamond", "hexagon", "tz", "hierarchical"],
    "step_grid": ["3x3", "7x7", "13x13", "15x15"],
    "levels": [0, 1, 2],
    "cost": ["sad", "ssd", "satd"],
    "block": [4, 8, (8, 16), 16],
    "range": [1, 4, (-3, 7), ((-2, 4), (-6, 1))],
    "border": ["inside", "pad"],
    "lambda_": [0, 0, 65536],
    "subpel": ["none", "half", "quarter"],
    "overlap": [False, True],
}
SIZES = {name: MOTION[name] for name in ("cost", "range", "border", "lambda_", "subpel")}
TRACK = {
    "points": [1, 3, 40],
    "refill": [1, 80, 100],
    "corner": ["shi-tomasi", "harris"],
    "harris_k": [4, 10],
    "corner_block": [3, 5, 7],
    "quality": [0.01, 0.1],
    "min_distance": [0, 3, 10],
    "grid": [(1, 1), (2, 3)],
    "roi": [(0, 0, 25, 25), (3, 5, 20, 22)],
    "window": [3, 7, 8, 15],
    "levels": [0, 1, 3],
    "iterations": [1, 30],
    "epsilon": [0.01, 0.1],
    "min_eigen": [1e-4, 0.0],
    "gain_offset": [False, True],
    "guess": ["position", "velocity"],
    "must_converge": [False, True],
    "max_residual": [0, 20],
    "forward_backward": [0, 1],
    "min_separation": [0, 2.5],
    "history": [1, 4],
}


def draw(rng, values, fields):
    """Some options, each with one of its values. The type of pixels follows from the files."""
    assert set(values) | {"pixel_depth", "max_value"} == set(fields)
    names = [name for name in values if rng.random() < 0.4]
    return {name: values[name][int(rng.integers(len(values[name])))] for name in names}


class Compared:
    """Counts the settings of a domain that were compared, and keeps which values each option had in them."""

    def __init__(self, domain, device, values):
        self.domain, self.device, self.values = domain, device, values
        self.tried, self.count, self.seen = 0, 0, {name: set() for name in values}

    def agree(self, seed, report, options, compute):
        """Python and the program refuse alike, or give the same hash and what else compute() names."""
        self.tried += 1
        case = f"{self.domain} seed {seed} on {self.device}"
        try:
            found = compute()
        except vergence.Error as error:
            assert report is None, f"{case}: the program takes what Python refuses: {error}"
            return
        assert report is not None, f"{case}: the program refuses what Python takes"
        for name, value in found.items():
            assert value == report[name], f"{case}: {name}"
        self.count += 1
        for name, value in options.items():
            if name in self.seen:
                self.seen[name].add(value)

    def enough(self):
        assert self.count >= self.tried // 3, "hardly any settings were valid"
        if CASES >= 200:
            missing = {name: set(values) - self.seen[name] for name, values in self.values.items() if set(values) - self.seen[name]}
            assert not missing, f"{self.domain}: never compared: {missing}"
        print(f"{self.domain} on {self.device}: {self.count} of {self.tried} settings were valid, all equal")


def axis(value):
    return str(value) if isinstance(value, int) else f"{value[0]}:{value[1]}"


def argument(name, value):
    """The text that the command line takes: width before height, across before down."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "none"
    if name == "range":
        return axis(value) if isinstance(value, int) or isinstance(value[0], int) else f"{axis(value[1])},{axis(value[0])}"
    if name == "roi":
        return f"{value[1]},{value[0]},{value[3]},{value[2]}"
    return f"{value[1]}x{value[0]}" if isinstance(value, tuple) else str(value)


def arguments(options):
    """What the command line is told: all but how many positions are kept, which changes none."""
    told = {name: value for name, value in options.items() if name != "history"}
    return [part for name, value in told.items() for part in ("--" + name.strip("_").replace("_", "-"), argument(name, value))]


def pixels(rng):
    """The largest pixel, and the options that pictures of it need."""
    most = int(rng.choice([255, 255, 1023, 65535]))
    return most, {} if most == 255 else {"pixel_depth": "u16", "max_value": most}


@pytest.mark.parametrize("device", device_names())
def test_stereo(device, tmp_path):
    compared = Compared("stereo", device, STEREO)
    for seed in range(cases_of(device)):
        rng = numpy.random.default_rng(seed)
        most, depth = pixels(rng)
        left, right = random_pair(rng, most)
        options = draw(rng, STEREO, vergence.stereo_fields())
        options.setdefault("disparities", min(8, left.shape[1]))
        preset = str(rng.choice(["default", "fast", "quality"]))
        write_pgm(tmp_path / "left.pgm", left, most)
        write_pgm(tmp_path / "right.pgm", right, most)
        report = run_program("stereo", tmp_path / "left.pgm", tmp_path / "right.pgm", "--json", "--preset", preset, *arguments(options))

        def compute():
            matcher = vergence.StereoMatcher(device, left.shape, preset, **options, **depth)
            return {"hash": fnv1a(matcher.compute(left, right, raw=True).disparity.astype(numpy.int32))}

        compared.agree(seed, report, options, compute)
    compared.enough()


def field_words(field):
    """What the program hashes of a field: vectors, then both halves of the cost, block by block."""
    halves = field.cost.view(numpy.uint32).reshape(*field.cost.shape, 2)
    return numpy.concatenate([field.vectors.astype(numpy.int32).view(numpy.uint32), halves], axis=2).ravel()


@pytest.mark.parametrize("device", device_names())
def test_motion(device, tmp_path):
    compared = Compared("motion", device, MOTION)
    for seed in range(cases_of(device)):
        rng = numpy.random.default_rng(seed)
        most, depth = pixels(rng)
        frames = list(random_pair(rng, most)) * 2
        options = draw(rng, MOTION, vergence.motion_fields())
        options.setdefault("block", 8)
        options.setdefault("range", 4)
        for number, frame in enumerate(frames):
            write_pgm(tmp_path / f"frame_{number:04d}.pgm", frame, most)
        report = run_program("motion", tmp_path / "frame_%04d.pgm", "--json", *arguments(options))

        def compute():
            stream = vergence.MotionStream(device, frames[0].shape, **options, **depth)
            estimator = vergence.MotionEstimator(device, frames[0].shape, **options, **depth)
            words, residue = [], 0
            for number, field in enumerate(stream.stream(frames, raw=True, cost=True)):
                if field is not None:
                    words.append(field_words(field))
                    predicted = estimator.predict(frames[number - 1], field.vectors)
                    residue += int(numpy.abs(frames[number].astype(int) - predicted).sum())
            return {"hash": fnv1a(numpy.concatenate(words)), "residue": residue}

        compared.agree(seed, report and {**report, "residue": report["total"]["residue"]}, options, compute)
    compared.enough()


@pytest.mark.parametrize("device", device_names())
def test_motion_of_all_sizes(device, tmp_path):
    compared = Compared("all sizes", device, SIZES)
    for seed in range(1 if device.startswith("opencl") and CASES < 200 else cases_of(device)):  # its kernels take seconds to compile
        rng = numpy.random.default_rng(seed)
        most, depth = pixels(rng)
        frames = list(random_pair(rng, most)) * 2
        options = draw(rng, SIZES, {**SIZES, "pixel_depth": 0, "max_value": 0})
        options.setdefault("range", 4)
        for number, frame in enumerate(frames):
            write_pgm(tmp_path / f"frame_{number:04d}.pgm", frame, most)
        report = run_program("motion", tmp_path / "frame_%04d.pgm", "--json", "--all-sizes", "--search", "full", "--block", 8, *arguments(options))

        def compute():
            estimator = vergence.MotionSizesEstimator(device, frames[0].shape, **options, **depth)
            words, before = [], None
            for reference, current in zip(frames, frames[1:]):
                fields = estimator.compute(current, reference, before, raw=True, cost=True)
                words += [field_words(fields[side]) for side in (8, 16, 32, 64)]
                before = {side: field.vectors for side, field in fields.items()}
            return {"hash": fnv1a(numpy.concatenate(words))}

        compared.agree(seed, report, options, compute)
    compared.enough()


@pytest.mark.parametrize("device", device_names())
def test_tracks(device, tmp_path):
    """Every second tracker hands its state to another one after the second frame."""
    compared = Compared("tracks", device, TRACK)
    for seed in range(cases_of(device)):
        rng = numpy.random.default_rng(seed)
        most, depth = pixels(rng)
        scene = vergence.Scene(size=(int(rng.integers(30, 60)), int(rng.integers(30, 80))), seed=seed, frames=3)
        frames = [scene.render(i)["left"] for i in range(3)]
        if most > 255:
            frames = [(frame.astype(numpy.uint32) * most // 255).astype(numpy.uint16) for frame in frames]
        options = draw(rng, TRACK, vergence.track_fields())
        options.setdefault("points", 40)
        for number, frame in enumerate(frames):
            write_pgm(tmp_path / f"frame_{number:04d}.pgm", frame, most)
        report = run_program("track", tmp_path / "frame_%04d.pgm", "--json", *arguments(options))

        def compute():
            tracker = vergence.PointTracker(device, frames[0].shape, **options, **depth)
            words = [numpy.empty((0, 7), numpy.int64)]
            for number, frame in enumerate(frames):
                t = tracker.next(frame)
                places = (t.xy * 1024).astype(numpy.int64)
                columns = [numpy.full(len(t), number), t.id, places[:, 0], places[:, 1], t.status, t.residual * 1024, t.age]
                words.append(numpy.stack([numpy.asarray(column).astype(numpy.int64) for column in columns], axis=1))
                if number == 1 and seed % 2 == 1:
                    state = pickle.loads(pickle.dumps(tracker.state()))
                    tracker = vergence.PointTracker(device, frames[0].shape, **options, **depth)
                    assert len(tracker.resume(frame, state)) == len(state)
            return {"hash": fnv1a(numpy.concatenate(words).astype(numpy.int32))}

        compared.agree(seed, report, options, compute)
    compared.enough()


@pytest.mark.parametrize("device", device_names())
def test_rectification(device, tmp_path):
    for seed in range(cases_of(device) if CASES >= 200 else max(cases_of(device) // 4, 1)):
        rng = numpy.random.default_rng(seed)
        matrix = [[50 + rng.random(), 0, 31], [0, 51, 20 + rng.random()], [0, 0, 1]]
        lens = (rng.random(5) * [-0.2, 0.05, 0.002, 0.002, 0]).tolist()
        turn = rng.random() * 0.02
        rotation = [[1, 0, 0], [0, numpy.cos(turn), -numpy.sin(turn)], [0, numpy.sin(turn), numpy.cos(turn)]]
        left, right = (rng.integers(0, 256, (41, 63)).astype(numpy.uint8) for _ in range(2))
        write_pgm(tmp_path / "left.pgm", left)
        write_pgm(tmp_path / "right.pgm", right)
        with open(tmp_path / "rig.yml", "w") as file:
            file.write("%YAML:1.0\n---\nimage_width: 63\nimage_height: 41\n")
            for name, rows in {"M1": matrix, "D1": [lens], "M2": matrix, "D2": [lens], "R": rotation, "T": [[-0.1], [0.001], [0]]}.items():
                flat = ", ".join(repr(float(value)) for row in rows for value in row)
                file.write(f"{name}: !!opencv-matrix\n   rows: {len(rows)}\n   cols: {len(rows[0])}\n   dt: d\n   data: [ {flat} ]\n")
        report = run_program("rectify", tmp_path / "left.pgm", tmp_path / "right.pgm", "--calibration", tmp_path / "rig.yml", "--json",
                             "-o", tmp_path / "l.pgm", "--other", tmp_path / "r.pgm", "--alpha", "0")  # fmt: skip
        assert report is not None
        camera = vergence.Camera(matrix, lens, size=(41, 63))
        rig = vergence.StereoRig(camera, camera, rotation, (-0.1, 0.001, 0))
        flat = vergence.StereoRectifier(rig, device, alpha=0).rectify(left, right)
        for name, picture in zip("lr", flat):
            assert (tmp_path / f"{name}.pgm").read_bytes().endswith(picture.tobytes()), f"seed {seed}"


def write_flo(path, flow):
    with open(path, "wb") as file:
        file.write(b"PIEH" + numpy.array(flow.shape[1::-1], "<i4").tobytes() + flow.astype("<f4").tobytes())


def test_scores_of_tracks(tmp_path):
    """TrackScorer and `eval-tracks`, on tracks that the program made."""
    scene = vergence.Scene(size=(96, 128), seed=3, frames=4)
    rendered = [scene.render(i) for i in range(4)]
    tracker, scorer, before = vergence.PointTracker("cpu", (96, 128), points=60, window=7, max_residual=3), vergence.TrackScorer(), None
    for number, frame in enumerate(rendered):
        write_pgm(tmp_path / f"frame_{number:04d}.pgm", frame["left"])
        if frame["flow"] is not None:
            frame["flow"][:, :10] = numpy.nan
            write_flo(tmp_path / f"flow_{number:04d}.flo", numpy.where(numpy.isnan(frame["flow"]), numpy.float32(2e9), frame["flow"]))
        tracks = tracker.next(frame["left"])
        if before is not None:
            place = numpy.searchsorted(tracks.id, before[0])
            assert numpy.array_equal(tracks.id[place], before[0])
            known = scorer.add(before[1], tracks.xy[place], rendered[number - 1]["flow"], tracks.status[place] == 0)
            assert known.dtype == bool and not known[before[1][:, 0] < 9].any() and known.sum() > 10
        alive = tracks.status == 0
        before = tracks.id[alive], tracks.xy[alive]
    assert run_program("track", tmp_path / "frame_%04d.pgm", "--json", "-o", tmp_path / "tracks.npy", "--points", 60, "--window", 7, "--max-residual", 3)
    told = run_program("eval-tracks", tmp_path / "tracks.npy", tmp_path / "flow_%04d.flo", "--json")["scores"]
    found = scorer.score()
    assert {name: found[name] for name in ("points", "found", "unknown")} == {name: told[name] for name in ("points", "found", "unknown")}
    assert found["points"] > found["found"] > 30 and found["unknown"] > 0
    for name in ("survival", "mean_error", "median_error"):
        assert found[name] == pytest.approx(told[name], abs=5e-5), name
    assert list(found["bad"].values()) == pytest.approx(list(told["bad"].values()), abs=5e-5)
