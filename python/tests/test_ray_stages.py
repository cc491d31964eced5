# SPDX-License-Identifier: Apache-2.0
"""Stages of Ray Data, called as Ray calls them; with Ray itself in test_ray.py."""

import threading
import types

import numpy
import pytest
import vergence
from support import write_pgm
from test_video import write_video
from vergence import _engine
from vergence.ray import MotionStage, RectifyStage, StereoStage, TrackStage, stereo_parts, video_parts

RIG = {"size": (40, 60), "M1": [[50, 0, 29.5], [0, 50, 19.5], [0, 0, 1]], "M2": [[50, 0, 29.5], [0, 50, 19.5], [0, 0, 1]],
       "D1": [-0.1], "D2": [-0.1], "R": numpy.eye(3).tolist(), "T": [-0.1, 0, 0]}  # fmt: skip


def pairs(count, shape=(40, 60), seed=1, dtype=numpy.uint8):
    rng = numpy.random.default_rng(seed)
    return [tuple(rng.integers(0, numpy.iinfo(dtype).max + 1, (2, *shape)).astype(dtype)) for _ in range(count)]


def expected_maps(frames, **options):
    return [vergence.StereoMatcher("reference", left.shape, disparities=8, **options).compute(left, right, raw=True).disparity for left, right in frames]


@pytest.mark.parametrize("arrow", (False, True), ids=("numpy", "arrow"))
def test_stereo_gives_the_kind_of_batch_that_it_got(arrow):
    frames = pairs(5)
    batch = {"left": numpy.stack([one for one, _ in frames]), "right": numpy.stack([other for _, other in frames]), "name": numpy.arange(5)}
    if arrow:
        pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
        batch = pyarrow.table({name: pyarrow.FixedShapeTensorArray.from_numpy_ndarray(column) if column.ndim > 1 else column for name, column in batch.items()})
    stage = StereoStage("cpu", disparities=8, outputs=("disparity", "hash"))
    found = stage(batch)
    if arrow:
        assert type(found) is type(batch) and found.column_names == ["left", "right", "name", "disparity", "hash"]
        maps, hashes = found["disparity"].combine_chunks().to_numpy_ndarray(), found["hash"].to_pylist()
    else:
        assert list(found) == ["left", "right", "name", "disparity", "hash"]
        maps, hashes = found["disparity"], list(found["hash"])
    assert all(numpy.array_equal(a, b) for a, b in zip(maps, expected_maps(frames), strict=True))
    for one, told in zip(maps, hashes):
        value = vergence._hash.ValueHash()
        value.add_disparity(one)
        assert str(value) == told


def test_pictures_of_many_sizes_and_kinds(tmp_path):
    frames = pairs(2) + pairs(2, (7, 30)) + pairs(1, (9, 20), dtype=numpy.uint16) + pairs(1) + pairs(1, (1, 9)) + pairs(1, (30, 10))
    for side, index in (("l", 0), ("r", 1)):
        write_pgm(tmp_path / f"{side}.pgm", frames[5][index])
    column = numpy.empty((2, len(frames)), object)
    for index, pair in enumerate(frames):
        column[0][index], column[1][index] = pair
    column[0][5], column[1][5] = str(tmp_path / "l.pgm"), (tmp_path / "r.pgm").read_bytes()
    found = StereoStage("cpu", disparities=8, window=1, outputs=("disparity", "mask"), in_flight=3)({"left": column[0], "right": column[1]})
    for index, (left, right) in enumerate(frames):
        depth = {"pixel_depth": "u16"} if left.dtype == numpy.uint16 else {}
        assert numpy.array_equal(found["disparity"][index], expected_maps([(left, right)], window=1, **depth)[0])
        assert found["mask"][index].shape == left.shape


def test_rows_that_cannot_be_done_are_recorded_or_raised():
    frames = pairs(4)
    bad = numpy.empty((2, 4), object)
    for index, pair in enumerate(frames):
        bad[0][index], bad[1][index] = pair
    bad[1][1] = bad[1][1][:-1]
    bad[0][2] = "/nowhere/l.pgm"
    batch = {"left": bad[0], "right": bad[1]}
    found = StereoStage("cpu", disparities=8, on_error="record")(batch)
    assert [error is None for error in found["error"]] == [True, False, False, True]
    assert "60x40" in found["error"][1] and "/nowhere/l.pgm" in found["error"][2]
    assert numpy.array_equal(found["disparity"][3], expected_maps(frames[3:])[0]) and found["disparity"][1].size == 0
    with pytest.raises(vergence.BadDataError, match="60x39"):
        StereoStage("cpu", disparities=8)(batch)
    for wrong in ({"outputs": ("depth",)}, {"on_error": "cry"}, {"in_flight": 0}):
        with pytest.raises(vergence.ArgumentError):
            StereoStage("cpu", **wrong)
    with pytest.raises(vergence.ArgumentError, match="no column 'left': it has 'a'"):
        StereoStage("cpu")({"a": numpy.zeros(1)})
    with pytest.raises(vergence.ArgumentTypeError, match="batch_format"):
        StereoStage("cpu")([1, 2])


def test_raw_pairs_are_rectified():
    frames = pairs(3)
    batch = {"left": numpy.stack([one for one, _ in frames]), "right": numpy.stack([other for _, other in frames])}
    flat = RectifyStage("cpu", rig=RIG, alpha=0)(batch)
    camera = vergence.Camera(RIG["M1"], RIG["D1"], size=RIG["size"])
    rectifier = vergence.StereoRectifier(vergence.StereoRig(camera, camera, RIG["R"], RIG["T"]), "reference", alpha=0)
    for index, pair in enumerate(frames):
        left, right = rectifier.rectify(*pair)
        assert numpy.array_equal(flat["left"][index], left) and numpy.array_equal(flat["right"][index], right)
    masks = {"left_mask": rectifier.left_mask, "right_mask": rectifier.right_mask}
    maps = StereoStage("cpu", disparities=8, rig=RIG, rectify={"alpha": 0})(batch)["disparity"]
    assert all(numpy.array_equal(a, b) for a, b in zip(maps, expected_maps(zip(flat["left"], flat["right"]), **masks), strict=True))
    with pytest.raises(vergence.ArgumentError, match="'M1'"):
        RectifyStage("cpu", rig={"size": (4, 4)})


def test_motion_of_pairs_and_of_parts_of_a_video(tmp_path):
    frames = pairs(3, (32, 48))
    batch = {"current": numpy.stack([one for one, _ in frames]), "reference": numpy.stack([other for _, other in frames])}
    found = MotionStage("cpu", block=8, range=4, outputs=("vectors", "cost"))(batch)
    estimator = vergence.MotionEstimator("reference", (32, 48), block=8, range=4)
    for index, pair in enumerate(frames):
        assert numpy.array_equal(found["vectors"][index], estimator.compute(*pair, raw=True).vectors)
    path = write_video(tmp_path / "a.mp4", "libx264", bframes=2)
    rows = video_parts([path], 8, block=8)
    assert len(rows) > 2 and len(video_parts([path], 8, preset="fast")) == 1
    stage = MotionStage("cpu", columns=("video",), block=8, range=4, outputs=("vectors", "first_field", "hash"))
    parts = stage({name: numpy.array([row[name] for row in rows]) for name in rows[0]})
    whole = stage({"video": numpy.array([path])})
    assert numpy.array_equal(numpy.concatenate(list(parts["vectors"])), whole["vectors"][0]) and len(whole["vectors"][0]) == 31
    assert list(parts["first_field"]) == [row["first"] + 1 for row in rows]


def test_tracks_of_a_video(tmp_path):
    scene = vergence.Scene(size=(60, 90), frames=3)
    tracker, expected = vergence.PointTracker("reference", (60, 90), points=20), []
    for number in range(3):
        frame = scene.render(number)["left"]
        write_pgm(tmp_path / f"f_{number}.pgm", frame)
        expected.append(tracker.next(frame))
    found = TrackStage("cpu", points=20)({"video": numpy.array([str(tmp_path / "f_%d.pgm")])})["tracks"][0]
    assert numpy.array_equal(found[:, 0], numpy.repeat(range(3), [len(one) for one in expected]))
    assert numpy.array_equal(found[:, 2:4], numpy.concatenate([one.xy for one in expected]))


def test_rows_that_failed_have_the_type_and_the_axes_of_the_others(tmp_path):
    """Else a column's blocks do not fit each other."""
    for name, picture in zip(("f_0.pgm", "f_1.pgm"), pairs(1, (32, 48))[0]):
        write_pgm(tmp_path / name, picture)
    one, other, video = (str(tmp_path / name) for name in ("f_0.pgm", "f_1.pgm", "f_%d.pgm"))
    cases = [
        (lambda: StereoStage("cpu", disparities=8, outputs=("disparity", "mask", "cost"), on_error="record"), {"left": one, "right": other}),
        (lambda: MotionStage("cpu", block=8, range=4, outputs=("vectors", "cost"), on_error="record"), {"current": one, "reference": other}),
        (lambda: MotionStage("cpu", columns=("video",), block=8, range=4, outputs=("vectors", "cost"), on_error="record"), {"video": video}),
        (lambda: TrackStage("cpu", points=20, on_error="record"), {"video": video}),
        (lambda: RectifyStage("cpu", rig={**RIG, "size": (32, 48)}, on_error="record"), {"left": one, "right": other}),
    ]
    for make, row in cases:

        def batch(*names, row=row):
            return {column: numpy.array([value if name == "good" else "/nowhere/%d.pgm" for name in names], object) for column, value in row.items()}

        real, stage = make()(batch("good")), make()
        for found in (stage(batch("bad", "bad")), stage(batch("bad", "good")), stage(batch("bad"))):
            assert found["error"][0] is not None
            for name in stage._outputs:
                empty, full = found[name][0], real[name][0]
                assert empty.size == 0 and (empty.dtype, empty.ndim) == (full.dtype, full.ndim), (type(stage), name)


def test_rows_that_failed_stand_in_columns_of_arrow(tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    pytest.importorskip("ray.data", reason="Ray Data is not installed")
    for number, picture in enumerate(pairs(1, (32, 48))[0]):
        write_pgm(tmp_path / f"f_{number}.pgm", picture)
    stage = MotionStage("cpu", columns=("video",), block=8, range=4, on_error="record")
    found = stage(pyarrow.table({"video": ["/nowhere/%d.pgm", str(tmp_path / "f_%d.pgm")]}))
    assert [rows.shape for rows in found["vectors"].combine_chunks().to_numpy(zero_copy_only=False)] == [(0, 0, 0, 2), (1, 4, 6, 2)]


def test_pairs_of_a_gpu_are_in_flight_and_come_home_in_their_order(monkeypatch):
    """Each thread has an estimator or a rectifier of its own, and they work at the same time."""
    frames = pairs(6, (32, 48))
    batch = {"current": numpy.stack([one for one, _ in frames]), "reference": numpy.stack([other for _, other in frames])}
    expected = MotionStage("cpu", block=8, range=4, outputs=("vectors", "cost"))(batch)
    raw = {"left": numpy.stack([one for one, _ in pairs(6)]), "right": numpy.stack([other for _, other in pairs(6)])}
    flat = RectifyStage("cpu", rig=RIG)(raw)

    class Gpu(_engine.Lanes):
        def __init__(self, device, *more):
            super().__init__(types.SimpleNamespace(kind="cuda"), *more)
            self.makers, self.met = [], threading.Barrier(3, timeout=5)

        def call(self, function, *arguments):
            def together(objects, *more):
                self.makers.append(id(objects))
                self.met.wait()  # broken where three are not under way
                return function(objects, *more)

            return super().call(together, *arguments)

    monkeypatch.setattr(_engine, "Lanes", Gpu)
    stage = MotionStage("cpu", block=8, range=4, outputs=("vectors", "cost"), in_flight=3)
    found = stage(batch)
    assert all(numpy.array_equal(found[name], expected[name]) for name in ("vectors", "cost"))
    assert len(set(stage._work._lanes.makers)) == 3
    again = RectifyStage("cpu", rig=RIG, in_flight=3)(raw)
    assert all(numpy.array_equal(again[side], flat[side]) for side in ("left", "right"))


def test_lanes_go_with_a_run_that_ends_early():
    lanes = _engine.Lanes(types.SimpleNamespace(kind="opencl"), 2, object)
    run = lanes.map(lambda objects, row: row, iter(range(100)))
    assert next(run) == 0
    run.close()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor") and thread.is_alive()]
    assert _engine.Lanes(types.SimpleNamespace(kind="cpu"), 4, object).count == 1
    with pytest.raises(vergence.ArgumentError, match="in_flight is 0"):
        MotionStage("cpu", in_flight=0)


def test_independent_fields_of_a_video_in_flight(tmp_path, monkeypatch):
    for number, (picture, _) in enumerate(pairs(5, (32, 48))):
        write_pgm(tmp_path / f"f_{number}.pgm", picture)
    row = {"video": numpy.array([str(tmp_path / "f_%d.pgm")])}
    options = {"columns": ("video",), "outputs": ("vectors", "hash"), "preset": "fast", "range": 8, "independent": True}
    expected = MotionStage("cpu", **options)(row)
    monkeypatch.setattr(_engine.Lanes, "__init__", lambda self, device, count, make, init=_engine.Lanes.__init__: init(self, types.SimpleNamespace(kind="cuda"), count, make))
    found = MotionStage("cpu", **options)(row)
    assert found["hash"] == expected["hash"] and numpy.array_equal(found["vectors"][0], expected["vectors"][0]) and len(found["vectors"][0]) == 4


def test_stereo_of_parts_of_videos(tmp_path):
    left, right = (write_video(tmp_path / f"{side}.mp4", "libx264", bframes=2) for side in "lr")
    other = write_video(tmp_path / "other.mp4", "libx264", apart=32)
    rows = stereo_parts([(left, right), (left, other)], 8)
    assert len(rows) > 3 and [row["right"] for row in rows].count(other) == 1 and rows[-1]["last"] == -1
    stage = StereoStage("cpu", videos=True, disparities=8, outputs=("disparity", "mask", "hash"))
    parts = stage({name: numpy.array([row[name] for row in rows[:-1]]) for name in rows[0]})
    whole = stage({"left": numpy.array([left]), "right": numpy.array([right])})
    for name in ("disparity", "mask"):
        assert numpy.array_equal(numpy.concatenate(list(parts[name])), whole[name][0]) and whole[name][0].shape == (32, 48, 64)
    value = vergence._hash.ValueHash()
    for one in whole["disparity"][0]:
        value.add_disparity(one)
    assert whole["hash"] == [str(value)]
    failed = StereoStage("cpu", videos=True, disparities=8, outputs=("disparity", "mask"), on_error="record")
    found = failed({"left": numpy.array([left, "/nowhere.mp4"]), "right": numpy.array([right, right])})
    assert found["error"][0] is None and "/nowhere.mp4" in found["error"][1]
    assert found["disparity"][1].shape == found["mask"][1].shape == (0, 0, 0)
