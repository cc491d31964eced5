# SPDX-License-Identifier: Apache-2.0
"""What each class gives, against values worked out here."""

import numpy
import pytest
import vergence
from support import device_names, run_python

DEVICES = device_names()


def motion_pair(shift=(3, -5), size=(48, 64)):
    """Two frames: what lies at (y, x) of the first was at (y + dy, x + dx) of the second."""
    big = numpy.random.default_rng(7).integers(0, 256, (size[0] + 32, size[1] + 32)).astype(numpy.uint8)
    dy, dx = shift
    reference = big[16 : 16 + size[0], 16 : 16 + size[1]]
    current = big[16 + dy : 16 + dy + size[0], 16 + dx : 16 + dx + size[1]]
    return current.copy(), reference.copy()


@pytest.mark.parametrize("device", DEVICES)
def test_motion(device):
    current, reference = motion_pair()
    estimator = vergence.MotionEstimator(device, current.shape, block=16, range=8)
    field = estimator.compute(current, reference, cost=True, second_j=True, confidence=True)
    assert field.vectors.shape == (3, 4, 2) and field.vectors.dtype == numpy.float32
    assert field.vectors[1, 1].tolist() == [-5, 3] and field.cost[1, 1] == 0 and field.confidence[1, 1] == 255
    assert field.second_j[1, 1] > 0 and field.j is None
    raw = estimator.compute(current, reference, raw=True)
    assert numpy.array_equal(raw.vectors / 4, field.vectors)
    given = numpy.zeros((3, 4, 2), numpy.int16)
    assert estimator.compute(current, reference, raw.vectors, vectors=given).vectors is given
    assert numpy.array_equal(given, raw.vectors)
    predicted = estimator.predict(reference, raw.vectors)
    assert numpy.array_equal(predicted[16:32, 16:32], current[16:32, 16:32])
    for bad in (raw.vectors[:2], field.vectors, raw.vectors[:, ::-1], None):
        with pytest.raises(vergence.Error, match="vectors"):
            estimator.predict(reference, bad)


@pytest.mark.parametrize("device", DEVICES)
def test_motion_stream_is_the_estimator(device, scene):
    frames = [scene[0]["left"], scene[1]["left"], scene[0]["right"], scene[1]["right"]] * 2
    estimator = vergence.MotionEstimator(device, frames[0].shape, block=8, range=6)
    stream = vergence.MotionStream(device, frames[0].shape, block=8, range=6)
    fields = list(stream.stream(frame.copy() for frame in frames))
    assert fields[0] is None and len(fields) == 8
    for i in range(1, 8):
        assert numpy.array_equal(fields[i].vectors, estimator.compute(frames[i], frames[i - 1]).vectors)
    stream.restart()
    assert stream.enqueue(frames[0]).wait() is None


@pytest.mark.parametrize("device", DEVICES)
def test_motion_of_all_sizes(device):
    current, reference = motion_pair()
    estimator = vergence.MotionSizesEstimator(device, current.shape, range=8)
    assert estimator.blocks == {8: (6, 8), 16: (3, 4), 32: (2, 2), 64: (1, 1)} and estimator.options["range"] == ((-8, 8), (-8, 8))
    maps = ("cost", "j", "second_j", "confidence")
    fields = estimator.compute(current, reference, **dict.fromkeys(maps, True))
    assert list(fields) == [8, 16, 32, 64] == list(estimator.blocks)
    for side, field in fields.items():
        assert field.vectors.shape == (*estimator.blocks[side], 2) and field.vectors.dtype == numpy.float32
        if side < 64:  # larger than the frame is no block of MotionEstimator's
            alone = vergence.MotionEstimator("cpu", current.shape, block=side, range=8).compute(current, reference, **dict.fromkeys(maps, True))
            assert all(numpy.array_equal(getattr(field, name), getattr(alone, name)) for name in ("vectors", *maps)), side
    assert fields[16].vectors[1, 1].tolist() == [-5, 3] and fields[16].cost[1, 1] == 0
    given = {side: numpy.zeros((*blocks, 2), numpy.int16) for side, blocks in estimator.blocks.items()}
    costs = {16: numpy.zeros((3, 4), numpy.uint64)}
    again = estimator.compute(current, reference, vectors=given, cost=costs)
    assert all(again[side].vectors is given[side] and numpy.array_equal(given[side] / 4, fields[side].vectors) for side in given)
    assert again[16].cost is costs[16] and numpy.array_equal(costs[16], fields[16].cost) and again[8].cost is None
    for error, words, call in (
        (vergence.ArgumentTypeError, "vectors is list: a dict by side", lambda: estimator.compute(current, reference, vectors=[1])),
        (vergence.ArgumentTypeError, "cost is ndarray", lambda: estimator.compute(current, reference, cost=costs[16])),
        (vergence.ArgumentError, "cost has the key 12", lambda: estimator.compute(current, reference, cost={12: True})),
        (vergence.ArgumentError, "previous has the key 'a'", lambda: estimator.compute(current, reference, {"a": None})),
        (vergence.ArgumentError, "cost map has the shape", lambda: estimator.compute(current, reference, cost={8: costs[16]})),
        (vergence.ArgumentError, "previous vectors has the shape", lambda: estimator.compute(current, reference, {8: given[16]})),
        (vergence.ArgumentTypeError, "reference frame is None", lambda: estimator.compute(current, None)),
        (vergence.ArgumentTypeError, "no option search", lambda: vergence.MotionSizesEstimator(device, current.shape, search="full")),
        (vergence.ArgumentTypeError, "no option preset", lambda: vergence.MotionSizesEstimator(device, current.shape, preset="fast")),
        (vergence.ArgumentError, "range", lambda: vergence.MotionSizesEstimator(device, current.shape, range=513)),
        (vergence.ArgumentError, "8x8", lambda: vergence.MotionSizesEstimator(device, (7, 9), range=2)),
    ):
        with pytest.raises(error, match=words):
            call()


@pytest.mark.parametrize("device", DEVICES)
def test_trackers_go_on_with_a_state(device, scene):
    first, second = scene[0]["left"], scene[1]["left"]
    tracker = vergence.PointTracker(device, first.shape, points=30, window=11)
    tracker.next(first)
    born = tracker.next(second)
    state, alive = tracker.state(), born.status == 0
    assert numpy.array_equal(state.id, born.id[alive]) and numpy.array_equal(state.xy, born.xy[alive])
    assert numpy.array_equal(state.age, born.age[alive]) and state.next_id == born.id.max() + 1 and len(state) == alive.sum()
    assert state.id.dtype == numpy.uint64 and state.age.dtype == numpy.int32 and state.previous_xy.shape == state.xy.shape
    for other_device in (device, "reference"):
        other = vergence.PointTracker(other_device, first.shape, points=30, window=11)
        taken = other.resume(second, vergence.TrackerState(**state.arrays()))
        assert numpy.array_equal(taken.xy, state.xy) and numpy.array_equal(taken.id, state.id)
        assert other.state().arrays().keys() == state.arrays().keys()
        assert all(numpy.array_equal(one, state.arrays()[name]) for name, one in other.state().arrays().items())
    one, two = tracker.next(first), other.next(first)
    assert all(numpy.array_equal(getattr(one, name), getattr(two, name)) for name in ("id", "xy", "age", "status", "residual"))
    nothing = vergence.TrackerState(numpy.empty(0, numpy.uint64), numpy.empty((0, 2)), numpy.empty((0, 2)), numpy.empty(0, numpy.int32), 7)
    assert len(other.resume(second, nothing)) == 0 and other.state().next_id == 7
    good = {"id": numpy.array([3, 5], numpy.uint64), "xy": numpy.ones((2, 2)), "previous_xy": numpy.ones((2, 2)), "age": numpy.zeros(2, numpy.int32), "next_id": 6}
    assert len(other.resume(second, vergence.TrackerState(**good))) == 2
    before = other.state().arrays()
    for words, change in {
        "id is int64": {"id": numpy.array([3, 5])},
        "2 dimensions": {"xy": numpy.ones(2)},
        "3, 2, 2 and 2": {"id": numpy.arange(3, dtype=numpy.uint64)},
        "2, 2, 2 and 1": {"age": numpy.zeros(1, numpy.int32)},
        "age is float64": {"age": numpy.zeros(2)},
        "next_id is -1": {"next_id": -1},
        "next_id is 2.5": {"next_id": 2.5},
        "next_id is None": {"next_id": None},
        "id is None": {"id": None},
        "previous_xy|shape": {"previous_xy": numpy.ones((2, 3))},
        "position": {"xy": numpy.full((2, 2), numpy.nan)},
        "ascend": {"id": numpy.array([5, 3], numpy.uint64)},
        "next": {"next_id": 5},
        "age": {"age": numpy.array([0, -1], numpy.int32)},
    }.items():
        with pytest.raises(vergence.Error, match=words):
            other.resume(second, vergence.TrackerState(**{**good, **change}))
    for bad in (None, second[:, ::-1], second.astype(float), second[:9]):
        with pytest.raises(vergence.Error, match="frame"):
            other.resume(bad, state)
    with pytest.raises(TypeError):
        other.resume(second, good)
    assert all(numpy.array_equal(one, before[name]) for name, one in other.state().arrays().items())


def test_scores_of_tracks_by_hand():
    truth = numpy.zeros((8, 9, 2), numpy.float32)
    truth[..., 0], truth[0, 0] = 2, numpy.nan
    scorer = vergence.TrackScorer()
    assert numpy.isnan(scorer.score()["survival"]) and scorer.score()["points"] == 0
    xy = numpy.array([[3, 3], [4, 4], [5, 5], [6, 6], [0.5, 0], [9, 3]], float)
    moved = xy + [[2, 0], [2, 0.75], [5, 4], [0, 0], [2, 0], [2, 0]]
    known = scorer.add(xy, moved, truth, numpy.array([True, True, True, False, True, True]))
    assert known.tolist() == [True, True, True, True, False, False]
    score = scorer.score()
    assert (score["points"], score["found"], score["unknown"], score["survival"]) == (4, 3, 2, 75)
    assert score["mean_error"] == (0 + 0.75 + 5) / 3 and score["median_error"] == 0.75
    assert score["bad"] == pytest.approx({0.5: 200 / 3, 1.0: 100 / 3, 2.0: 100 / 3})
    assert len(scorer.add(numpy.empty((0, 2)), numpy.empty((0, 2)), truth)) == 0
    lost = numpy.full((6, 2), numpy.nan)  # of points that were not found no place is asked
    assert scorer.add(xy, lost, truth, numpy.zeros(6, bool)).sum() == 4
    before = scorer.score()
    for words, call in {
        "6, 5 and 6": lambda: scorer.add(xy, moved[:5], truth),
        "6, 6 and 2": lambda: scorer.add(xy, moved, truth, numpy.ones(2, bool)),
        "found is uint8": lambda: scorer.add(xy, moved, truth, numpy.ones(6, numpy.uint8)),
        "xy is float32": lambda: scorer.add(xy.astype(numpy.float32), moved, truth),
        "xy is None": lambda: scorer.add(None, moved, truth),
        "truth is None": lambda: scorer.add(xy, moved, None),
        "truth is float64": lambda: scorer.add(xy, moved, truth.astype(float)),
        "truth has the shape": lambda: scorer.add(xy, moved, numpy.zeros((8, 9, 3), numpy.float32)),
        "truth": lambda: scorer.add(xy, moved, truth[:, :5]),
        "point 0 has a position": lambda: scorer.add(xy, lost, truth),
    }.items():
        with pytest.raises(vergence.Error, match=words):
            call()
    assert scorer.score() == before


@pytest.mark.parametrize("device", DEVICES)
def test_tracks(device, scene):
    first, second = scene[0]["left"], scene[1]["left"]
    tracker = vergence.PointTracker(device, first.shape, points=30, window=11, history=2)
    born = tracker.next(first)
    assert len(born) > 5 and (born.age == 0).all() and born.id.tolist() == list(range(len(born)))
    tracks = tracker.next(second)
    flow = scene[0]["flow"]
    good = 0
    for index, identity in enumerate(tracks.id):
        if identity < len(born) and tracks.status[index] == vergence.TrackStatus.TRACKED:
            x, y = born.xy[identity]
            assert tracker.history(index).tolist() == [[x, y], tracks.xy[index].tolist()]
            good += bool(numpy.hypot(*(tracks.xy[index] - [x, y] - flow[int(y), int(x)])) < 1)
    assert good > 3
    assert {one.name: int(one) for one in vergence.TrackStatus} == {
        name: value for value, name in enumerate("TRACKED OUTSIDE SMALL_DETERMINANT NOT_CONVERGED RESIDUAL FORWARD_BACKWARD TOO_CLOSE".split())}
    point_flow = vergence.PointFlow(device, first.shape, window=11)
    point_flow.push(first)
    corners = point_flow.corners(5)
    assert corners.shape == (5, 2)
    point_flow.push(second)
    found = point_flow.track(corners)
    assert len(found) == 5 and found.id is None
    assert len(point_flow.track(numpy.empty((0, 2)))) == 0
    added = tracker.add(numpy.array([[20.5, 30.25]]))
    assert added == tracks.id.max() + 1
    for bad in (numpy.zeros((3, 3)), numpy.zeros((3, 2), numpy.float32), [[1.0, 2.0]], numpy.array([[numpy.nan, 1]])):
        with pytest.raises(vergence.Error):
            tracker.add(bad)
    tracker.set_mask(numpy.zeros(first.shape, numpy.uint8))
    tracker.restart()
    assert len(tracker.next(first)) == 0
    with pytest.raises(vergence.Error, match="mask"):
        tracker.set_mask(numpy.zeros((3, 4), numpy.uint8))


@pytest.mark.parametrize("device", DEVICES)
def test_filters(device):
    picture = numpy.random.default_rng(4).integers(0, 256, (15, 21)).astype(numpy.uint8)
    filters = vergence.PictureFilter(device, picture.shape)
    wide = numpy.pad(picture.astype(int), 2, mode="reflect")

    def both(weights_across, weights_down):
        reach = len(weights_across) // 2
        inner = wide[2 - reach : wide.shape[0] - 2 + reach, 2 - reach : wide.shape[1] - 2 + reach]
        across = sum(w * inner[:, i : i + 21] for i, w in enumerate(weights_across))
        return sum(w * across[i : i + 15] for i, w in enumerate(weights_down))

    blurred = (both([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]) + 128) >> 8
    assert numpy.array_equal(filters.blur(picture), blurred)
    assert numpy.array_equal(filters.half(picture), blurred[::2, ::2])
    for name, weights in {"sobel": [1, 2, 1], "scharr": [3, 10, 3]}.items():
        dx, dy = getattr(filters, name)(picture)
        assert numpy.array_equal(dx, both([-1, 0, 1], weights)) and numpy.array_equal(dy, both(weights, [-1, 0, 1]))
    assert filters.sobel(picture, dy=False)[1] is None
    out = numpy.zeros((15, 30), numpy.uint8)[:, 3:24]
    assert filters.blur(picture, out) is out and numpy.array_equal(out, blurred)
    assert filters.blur(picture.astype(numpy.float32)).dtype == numpy.float32
    for call in (lambda: filters.blur(picture.astype(numpy.uint16)), lambda: filters.blur(picture, border="wrap"),
                 lambda: filters.blur(picture[:3])):  # fmt: skip
        with pytest.raises(vergence.Error):
            call()


@pytest.mark.parametrize("device", DEVICES)
def test_rectification_of_a_rectified_pair_changes_nothing(device):
    matrix = [[60, 0, 31.5], [0, 60, 23.5], [0, 0, 1]]
    camera = vergence.Camera(matrix, size=(48, 64))
    rig = vergence.StereoRig(camera, camera, numpy.eye(3), (-0.2, 0, 0))
    rectifier = vergence.StereoRectifier(rig, device)
    left, right = numpy.random.default_rng(4).integers(0, 256, (2, 48, 64)).astype(numpy.uint8)
    flat = rectifier.rectify(left, right)
    assert numpy.array_equal(flat[0], left) and numpy.array_equal(flat[1], right)
    assert numpy.array_equal(rectifier.rectify_left(right), right)
    assert rectifier.focal_px == 60 and rectifier.baseline_m == 0.2 and not rectifier.vertical
    assert rectifier.left_mask.all() and rectifier.r1.tolist() == numpy.eye(3).tolist()
    assert rectifier.p2[0].tolist() == [60, 0, 31.5, -12] and rig.doubts() == []
    for call in (
        lambda: vergence.Camera([[1, 2], [3, 4]]),
        lambda: vergence.Camera(matrix, model="wide"),
        lambda: vergence.Camera(matrix, [0] * 15),
        lambda: vergence.StereoRig(camera, camera, numpy.ones((3, 3)), (-0.2, 0, 0)),
        lambda: vergence.StereoRig(camera, camera, numpy.eye(3), (0, 0, 0)),
        lambda: rectifier.rectify(left, right[:, :63]),
        lambda: vergence.StereoRectifier(rig, device, alpha=3),
    ):
        with pytest.raises(vergence.Error):
            call()


def test_masks_of_sources():
    left = numpy.random.default_rng(4).integers(0, 256, (24, 40)).astype(numpy.uint8)
    mask = numpy.ones(left.shape, numpy.uint8)
    mask[:, 30:] = 0
    result = vergence.StereoMatcher("cpu", left.shape, disparities=4, left_mask=mask).compute(left, left, mask=True)
    assert not result.mask[:, 30:].any() and result.mask[:, 10:25].all()
    assert numpy.isnan(result.disparity[:, 30:]).all()


def test_scores_by_hand():
    truth = numpy.full((2, 5), 10, numpy.float32)
    found = numpy.array([[10, 10.75, 12.5, 15, numpy.nan]] * 2, numpy.float32)
    truth[1] = numpy.nan
    score = vergence.score_stereo(found, truth)["all"]
    assert score["pixels"] == 5 and score["valid_pixels"] == 4 and score["density"] == 80
    assert score["bad"] == {0.5: 60, 1.0: 40, 2.0: 40, 4.0: 20} and score["total_bad"][1.0] == 60
    assert score["average_error"] == (0.75 + 2.5 + 5) / 4 and score["d1"] == 20
    parts = vergence.score_stereo(found, truth, numpy.full((2, 5), 255, numpy.uint8), validity=numpy.ones((2, 5), numpy.uint8))
    assert parts["non_occluded"]["pixels"] == 5 and parts["measured"]["pixels"] == 5
    with pytest.raises(vergence.Error, match="truth"):
        vergence.score_stereo(found, truth[:1])
    frame = numpy.full((4, 4), 100, numpy.uint8)
    score = vergence.score_prediction(frame, frame + numpy.uint8(2))
    assert score["residue"] == 32 and score["mse"] == 4 and numpy.isnan(score["ssim"])
    assert score["psnr"] == pytest.approx(10 * numpy.log10(255**2 / 4), abs=1e-9)
    assert vergence.is_scene_cut(frame, frame) is False
    vectors = numpy.zeros((2, 2, 2), numpy.int16)
    vectors[0, 0] = 4
    assert vergence.vector_entropy(vectors) == pytest.approx(0.25 * 2 + 0.75 * numpy.log2(4 / 3))


def test_scene(scene):
    frame = scene[0]
    assert frame["left"].shape == (60, 90) and frame["flow"].shape == (60, 90, 2) and scene[1]["flow"] is None
    assert frame["left_rgb"] is None
    again = vergence.Scene(size=(60, 90), seed=2, frames=2, color=True).render()
    assert numpy.array_equal(vergence.grey(again["left_rgb"]), again["left"])
    matcher = vergence.StereoMatcher("cpu", (60, 90), "quality", disparities=16)
    score = vergence.score_stereo(matcher.compute(frame["left"], frame["right"]).disparity, frame["disparity"])
    assert score["all"]["bad"][2.0] < 20
    with pytest.raises(vergence.Error, match="frame"):
        vergence.Scene(size=(60, 90)).render(1)
    with pytest.raises(vergence.Error):
        vergence.Scene(size=(0, 90))


def test_range():
    source = vergence.Scene(size=(240, 320), seed=1).render()
    found = vergence.find_disparity_range(source["left"], source["right"])
    truth = source["disparity"]
    assert found[0] <= numpy.percentile(truth, 5) and sum(found) > numpy.percentile(truth, 95)
    assert vergence.find_disparity_range(numpy.zeros((8, 8), numpy.uint8), numpy.zeros((8, 8), numpy.uint8)) is None


def test_verify():
    report = vergence.verify("cpu", cases=2)
    assert report["differences"] == 0 and report["cases"] == 2 and report["left_out"] == ""
    assert report["hash"] == vergence.verify("reference", cases=2)["hash"]


def test_devices():
    names = [one.name for one in vergence.devices()]
    assert "cpu" in names and "reference" in names
    for one in vergence.devices():
        assert one.available or one.reason
    device = vergence.Device("cpu", threads=1)
    assert device.name == "cpu" and repr(device) == "vergence.Device('cpu')"
    assert vergence.StereoMatcher(device, (9, 9), disparities=3).device.description == device.description
    with pytest.raises(vergence.ArgumentError, match="threads"):
        vergence.Device("cpu", threads=-1)
    with pytest.raises(vergence.UnsupportedError, match="host memory|device"):
        device.put(numpy.zeros((3, 3), numpy.uint8))


def test_nvrtc_is_loaded_for_the_environments_device():
    run_python("""
import os, vergence, vergence._cuda
os.environ.pop("VERGENCE_DEVICE", None)
calls = []
vergence._cuda.load_nvrtc = lambda: calls.append(1)
vergence.Device()
assert not calls
os.environ["VERGENCE_DEVICE"] = "cuda"
try:
    vergence.Device()
except vergence.Error:
    pass
assert calls
""")


def test_check_and_dense_motion():
    forward = numpy.zeros((2, 3, 2), numpy.int16)
    backward = numpy.zeros((2, 3, 2), numpy.int16)
    forward[0, 0] = 32, 0  # 8 px to the right: into the next block, whose way back is 2 px too short
    backward[0, 1] = -24, 0  # and which itself stays, so that its way back is 6 px too long
    forward[1, 2] = 400, 0  # out of the frame
    assert vergence.check_motion(forward, backward, (16, 24), (8, 8), 8).tolist() == [[1, 0, 1], [1, 1, 0]]
    assert vergence.check_motion(forward, backward, (16, 24), (8, 8), 7).tolist() == [[0, 0, 1], [1, 1, 0]]
    dense = vergence.dense_motion(forward, (8, 8), (16, 20))
    assert dense.shape == (16, 20, 2) and dense[7, 7].tolist() == [32, 0] and dense[7, 8].tolist() == [0, 0]
    assert dense[15, 19].tolist() == [400, 0]
    for call in (lambda: vergence.check_motion(forward, backward[:1], (16, 24), (8, 8)),
                 lambda: vergence.dense_motion(forward, (8, 8), (99, 20)), lambda: vergence.dense_motion(forward, (8, 8), (0, 0)),
                 lambda: vergence.dense_motion(forward / 4, (8, 8), (16, 24))):  # fmt: skip
        with pytest.raises(vergence.Error):
            call()
