# SPDX-License-Identifier: Apache-2.0
"""The stages in Ray Data itself, on a local Ray of two cores."""

import csv
import types

import numpy
import pytest
import vergence
from support import write_pgm
from test_ray_stages import RIG, pairs
from test_video import write_video

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install vergence[ray]")
pytest.importorskip("ray.data", reason="Ray Data is not installed: pip install vergence[ray]")


@pytest.fixture(scope="module")
def local_ray():
    ray.init(num_cpus=2, num_gpus=0, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


def test_three_lines(local_ray, tmp_path):
    frames = pairs(12, (30, 40))
    with open(tmp_path / "pairs.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["left", "right", "number"])
        for number, pair in enumerate(frames):
            names = [str(tmp_path / f"{side}{number}.pgm") for side in "lr"]
            table.writerow([*names, number])
            for name, picture in zip(names, pair):
                write_pgm(name, picture)
    from vergence.ray import StereoStage

    rows = ray.data.read_csv(str(tmp_path / "pairs.csv"))
    maps = rows.map_batches(StereoStage, **StereoStage.on("cpu", batch_size=5, disparities=8)).take_all()
    pools = [StereoStage.on("cpu", **more)["compute"] for more in ({}, {"cpus": 2}, {"concurrency": 3}, {"concurrency": (2, 3)})]
    assert [(pool.min_size, pool.max_size) for pool in pools] == [(1, 2), (1, 1), (3, 3), (2, 3)]
    matcher = vergence.StereoMatcher("reference", (30, 40), disparities=8)
    assert sorted(row["number"] for row in maps) == list(range(12))
    for row in maps:
        assert numpy.array_equal(row["disparity"], matcher.compute(*frames[row["number"]], raw=True).disparity)


def test_stages_follow_each_other_in_arrow(local_ray):
    from vergence.ray import RectifyStage, StereoStage

    frames = pairs(6)
    rows = ray.data.from_items([{"left": left, "right": right, "number": number} for number, (left, right) in enumerate(frames)])
    flat = rows.map_batches(RectifyStage, **RectifyStage.on("cpu", rig=RIG, batch_format="pyarrow", concurrency=1, cpus=1))
    maps = flat.map_batches(StereoStage, **StereoStage.on("auto", batch_format="pyarrow", concurrency=1, disparities=8, on_error="record")).take_all()
    stage = StereoStage("reference", disparities=8)
    expected = stage(RectifyStage("reference", rig=RIG)({"left": numpy.stack([p[0] for p in frames]), "right": numpy.stack([p[1] for p in frames])}))
    assert len(maps) == 6
    for row in maps:
        assert row["error"] is None and numpy.array_equal(row["disparity"], expected["disparity"][row["number"]])


def test_motion_and_tracks_of_videos(local_ray, tmp_path):
    from vergence.ray import MotionStage, TrackStage, video_parts

    path = write_video(tmp_path / "a.mp4", "libx264", bframes=2)
    options = {"block": 8, "range": 4, "columns": ("video",)}
    parts = video_parts([path], 8, block=8)
    rows = ray.data.from_items(parts).map_batches(MotionStage, **MotionStage.on("cpu", batch_size=1, **options)).take_all()
    fields = numpy.concatenate([row["vectors"] for row in sorted(rows, key=lambda row: row["first"])])
    whole = MotionStage("reference", **options)({"video": numpy.array([path])})["vectors"][0]
    assert len(rows) == len(parts) > 2 and numpy.array_equal(fields, whole)
    [row] = ray.data.from_items([{"video": path}]).map_batches(TrackStage, **TrackStage.on("cpu", concurrency=1, points=20)).take_all()
    assert numpy.array_equal(row["tracks"], TrackStage("reference", points=20)({"video": numpy.array([path])})["tracks"][0]) and len(row["tracks"]) > 100


def test_a_gpu_that_will_never_come_is_refused(local_ray, monkeypatch):
    from ray._private.state import state
    from vergence.ray import StereoStage

    with pytest.raises(vergence.DeviceError, match="cuda: the cluster has no GPU .* --num-gpus"):
        StereoStage.on("cuda")
    assert StereoStage.on("opencl:0", gpus=0, cpus=2)["num_cpus"] == 2 and StereoStage.on("auto")["fn_constructor_kwargs"]["device"] == "cpu"
    for told in (lambda: {"GPU": 4, "CPU": 8}, lambda: types.SimpleNamespace().nobody_tells):
        monkeypatch.setattr(state, "get_max_resources_from_cluster_config", told)
        with pytest.warns(UserWarning, match="waits until one comes"):
            assert StereoStage.on("cuda", gpus=0.5)["num_gpus"] == 0.5
    monkeypatch.setattr(state, "get_max_resources_from_cluster_config", lambda: {"CPU": 8})
    with pytest.raises(vergence.DeviceError):
        StereoStage.on("cuda:1")
