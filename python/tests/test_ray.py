# SPDX-License-Identifier: Apache-2.0
"""The stages in Ray Data itself, on a local Ray of two cores."""

import csv

import numpy
import pytest
import vergence
from support import write_pgm
from test_ray_stages import RIG, pairs

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
