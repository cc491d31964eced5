# SPDX-License-Identifier: Apache-2.0
"""Options as keywords, from the library's tables."""

import ast
import builtins
import locale
import pathlib

import numpy
import pytest
import vergence

SIZE = (48, 64)
DOMAINS = [
    (vergence.StereoMatcher, vergence.stereo_fields, vergence.stereo_presets),
    (vergence.MotionEstimator, vergence.motion_fields, vergence.motion_presets),
    (vergence.PointFlow, vergence.track_fields, vergence.track_presets),
]
VALID = {"disparities": 32, "range": ((-8, 8), (-8, 8))}


@pytest.mark.parametrize("make, fields, presets", DOMAINS)
def test_every_option_takes_its_own_value(make, fields, presets):
    names = set(fields())
    for preset, options in presets().items():
        assert set(options) == names
        if preset == "sad-2018":  # its window is wider than the picture may be here
            continue
        given = {**options, **{name: value for name, value in VALID.items() if name in options}}
        if given.get("pixel_depth") == "u8":
            given["max_value"] = 65535
        try:
            made = make("cpu", SIZE, **given)
        except vergence.Error as error:
            pytest.fail(f"{preset}: {error}")
        for name, value in given.items():
            if name not in ("window", "p1", "p2"):  # what 'auto' and 0 stand for
                assert made.options[name] == value, name


@pytest.mark.parametrize("make, fields, presets", DOMAINS)
def test_documentation_names_every_option(make, fields, presets):
    for name, field in fields().items():
        assert f"{name} : {field['type']}" in make.__doc__
        assert field["help"] and (field["range"] or field["type"].startswith("Literal"))
        assert f"{name}: " in make.__init__.__doc__ + str(make.__init__.__nb_signature__)


def message(error, **options):
    with pytest.raises(error) as caught:
        vergence.StereoMatcher("cpu", SIZE, **options)
    return str(caught.value)


def test_refusals():
    assert "did you mean disparities" in message(TypeError, disparites=3)
    assert "did you mean disparities" in message(TypeError, numDisparities=3)
    assert "min_disparity" in message(TypeError, min_disparty=3)
    assert "1 .. 64" in message(ValueError, disparities=65)
    assert "64.5" in message(TypeError, disparities=64.5)
    assert "an int" in message(TypeError, disparities=True)
    assert "an int" in message(TypeError, disparities="64")
    assert "an int" in message(TypeError, disparities=None)
    assert "whole number" in message(ValueError, disparities=10**30)
    assert "min_disparity is -10000000" in message(ValueError, min_disparity=-(10**7))
    assert "True or False" in message(TypeError, subpixel=1)
    assert "True or False" in message(TypeError, subpixel="on")
    assert "census-5x5" in message(ValueError, cost="census")
    assert "a str" in message(TypeError, cost=1)
    assert "window=(8, 9), height before width" in message(ValueError, window=(8, 9))
    assert "(height, width)" in message(TypeError, window=(8, 9, 7))
    assert "(height, width)" in message(TypeError, window="9x9")
    assert "roi=(0, 0, 64, 48)" in message(ValueError, roi=(0, 0, 64, 48))
    assert "(y, x, height, width)" in message(TypeError, roi=(1, 2))
    assert "there are fast" in message(ValueError, preset="slow")
    assert "mask" in message(ValueError, left_mask=numpy.zeros((3, 4), numpy.uint8))
    with pytest.raises(vergence.ArgumentTypeError, match="height, width"):
        vergence.StereoMatcher("cpu", 48)
    with pytest.raises(vergence.ArgumentTypeError, match="height, width"):
        vergence.StereoMatcher("cpu", (48.0, 64))
    with pytest.raises(vergence.ArgumentTypeError, match="size is missing"):
        vergence.StereoMatcher("cpu")
    with pytest.raises(vergence.NotFoundError, match="no device is named"):
        vergence.StereoMatcher("gpu", SIZE)
    with pytest.raises(vergence.ArgumentTypeError, match="device"):
        vergence.StereoMatcher(0, SIZE)
    with pytest.raises(vergence.Error) as caught:
        vergence.StereoMatcher("cpu", SIZE, min_disparity=-(10**7))
    assert caught.value.field == "min_disparity"
    with pytest.raises(vergence.ArgumentError, match="^lambda_ is -1") as caught:
        vergence.MotionEstimator("cpu", SIZE, range=4, lambda_=-1)
    assert caught.value.field == "lambda_"


def test_numpy_numbers_are_numbers():
    options = vergence.StereoMatcher("cpu", SIZE, disparities=numpy.int64(16), subpixel=numpy.bool_(False)).options
    assert options["disparities"] == 16 and options["subpixel"] is False


def test_forms():
    estimator = vergence.MotionEstimator("cpu", SIZE, range=((-2, 4), (-6, 1)), block=(8, 16), lambda_=5)
    assert estimator.options["range"] == ((-2, 4), (-6, 1)) and estimator.options["lambda_"] == 5
    assert estimator.blocks == (6, 4)
    assert vergence.MotionEstimator("cpu", SIZE, range=3).options["range"] == ((-3, 3), (-3, 3))
    assert vergence.MotionEstimator("cpu", SIZE, range=(-3, 5)).options["range"] == ((-3, 5), (-3, 5))
    assert vergence.StereoMatcher("cpu", SIZE, disparities=8, window=(3, 5)).options["window"] == (3, 5)
    assert vergence.StereoMatcher("cpu", SIZE, disparities=8).options["window"] == (9, 9)
    assert vergence.StereoMatcher("cpu", SIZE, disparities=8, roi=(1, 2, 3, 4)).options["roi"] == (1, 2, 3, 4)


@pytest.fixture
def comma():
    """A locale that writes 0,5."""
    before = locale.setlocale(locale.LC_NUMERIC)
    for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8"):
        try:
            yield locale.setlocale(locale.LC_NUMERIC, name)
        except locale.Error:
            continue
        locale.setlocale(locale.LC_NUMERIC, before)
        return
    pytest.skip("no locale with a decimal comma is installed")


def test_numbers_have_a_point_in_any_locale(comma):
    assert vergence.track_fields()["quality"]["default"] == 0.01
    assert vergence.PointFlow("cpu", SIZE, quality=0.25).options["quality"] == 0.25


def test_stubs_name_everything():
    package = pathlib.Path(vergence.__file__).parent
    stub = package / "_core.pyi"
    if not stub.exists():
        pytest.skip("the package is not installed: stubs are made with the wheel")
    tree = ast.parse(stub.read_text())
    names = {getattr(node, "name", None) for node in tree.body}
    # What annotations say is defined there, or imported.
    defined = {alias.asname or alias.name.partition(".")[0] for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assert {"Literal", "Callable"} <= used <= defined | names | set(dir(builtins))
    missing = [name for name in vergence.__all__ if not hasattr(vergence, name)]
    assert not missing
    from_core = [name for name in vergence.__all__ if getattr(getattr(vergence, name), "__module__", "") == "vergence._core"]
    assert len(from_core) > 15 and set(from_core) <= names
    assert (package / "py.typed").exists()
