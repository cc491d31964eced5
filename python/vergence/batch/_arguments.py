# SPDX-License-Identifier: Apache-2.0
"""The command line of vergence-batch."""

import argparse
import re

from .. import __version__, _core
from .._errors import ArgumentError
from ._calibration import METRES, read_calibration
from ._outputs import FORMATS

_EXAMPLES = """examples:
  vergence-batch stereo 'left/*.png' 'right/*.png' -o maps --preset quality --disparities 128
  vergence-batch stereo pairs.csv -o maps --address auto          columns left and right; output and truth if wanted
  vergence-batch rectify 'left/*.png' 'right/*.png' --calibration rig.yml -o flat
  vergence-batch motion 'clips/*.mp4' -o fields --dry-run
  vergence-batch stereo pairs.parquet -o s3://bucket/maps --address ray://head:10001 --device cuda

A run that is started again does what is missing, and nothing else. Exit status: 0 all is done, 1 some items failed (the
table says why), 2 the command line is wrong, 130 Ctrl-C, 143 SIGTERM.
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"vergence-batch: {message}; see {self.prog} --help\n")


def _fields(task):
    return {"stereo": _core.stereo_fields, "rectify": dict, "motion": _core.motion_fields, "track": _core.track_fields}[task]()


def value_of(name, text):
    """An option's value from the text that the program takes: width before height, across before down.

    >>> value_of("window", "9x7"), value_of("subpixel", "off"), value_of("range", "8,-4:3"), value_of("roi", "1,2,30,40")
    ((7, 9), False, ((-4, 3), 8), (2, 1, 40, 30))
    """
    if text in ("on", "off"):
        return text == "on"
    if text == "none" and name == "roi":
        return None
    if name == "range":
        axes = [_axis(part) for part in text.split(",")]
        return axes[0] if len(axes) == 1 else (_both(axes[1]), _both(axes[0]))
    if name == "roi":
        x, y, width, height = (_number(part) for part in text.split(","))
        return y, x, height, width
    pair = re.fullmatch(r"(\d+)x(\d+)", text)
    if pair and name != "step_grid":
        return int(pair[2]), int(pair[1])
    try:
        return _number(text)
    except ValueError:
        return text


def _number(text):
    try:
        return int(text)
    except ValueError:
        return float(text)


def _axis(text):
    first, colon, last = text.partition(":")
    return (int(first), int(last)) if colon else int(first)


def _both(axis):
    return axis if isinstance(axis, tuple) else (-axis, axis)


def _share(text):
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError
    return value


def _count(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def _shard(text):
    number, of = map(int, text.split("/"))
    if not 1 <= number <= of:
        raise ValueError
    return number, of


def _positive(text):
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def _positive_or_zero(text):
    value = float(text)
    if not 0 <= value < float("inf"):
        raise ValueError
    return value


def _frames(text):
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def _alpha(text):
    value = float(text)
    if not (0 <= value <= 1 or value == -1):
        raise ValueError
    return value


def _size(text):
    width, height = map(_count, text.split("x"))
    return height, width


_share.__name__, _count.__name__, _shard.__name__ = "share (0 .. 1)", "number (1 or more)", "shard (1/10 .. 10/10)"
_positive.__name__, _alpha.__name__, _size.__name__ = "number (above 0)", "alpha (0 .. 1, or -1)", "size (640x480)"
_positive_or_zero.__name__, _frames.__name__ = "number (0 or more)", "number of frames (0 or more)"


def _add_run(parser):
    run = parser.add_argument_group("the run")
    run.add_argument("--address", default="local", help="of Ray: auto, ray://HOST:10001; default: a Ray of this machine's own")
    run.add_argument("--device", default="auto", help="cpu, cuda, opencl:NAME, or several, cpu,cuda; auto: GPUs where the cluster has some, else cpu")
    run.add_argument("--workers", type=_count, help="of each device; default: as many as the cluster has room for")
    run.add_argument("--threads", type=_count, default=1, help="cores of a worker on cpu (1)")
    run.add_argument("--gpu-share", type=float, default=1.0, help="of a GPU for each worker there (1)")
    run.add_argument("--batch", type=_count, help="items of one call (16, videos 1)")
    run.add_argument("--attempts", type=_count, default=3, help="how often an item is tried whose process, device or store failed (3)")
    run.add_argument("--timeout", type=_positive_or_zero, default=0, metavar="SECONDS", help="an item that takes longer is taken for lost (0: none)")
    run.add_argument("--part-frames", type=_frames, metavar="N", help="videos whose frames can be done apart are cut at key frames, N frames at least to a "
                     "part (stereo 50, else 500; 0: not cut)")  # fmt: skip
    run.add_argument("--verify-share", type=_share, default=0, metavar="SHARE", help="share of the items that is done again on another kind of device, and compared (0)")
    run.add_argument("--verify-device", metavar="NAME", help="that device (default: reference, after GPUs cpu)")
    run.add_argument("--shard", type=_shard, metavar="K/N", help="does every Nth item from the Kth on, with a results table of its own")
    looks = parser.add_argument_group("looking only, or first")
    looks.add_argument("--check", action="store_true", help="compares the files that are there with their hashes; what differs is done again")
    looks.add_argument("--dry-run", action="store_true", help="says what would be done and what it would cost, from a few items done here")
    looks.add_argument("--price", type=_positive_or_zero, metavar="P", help="price of an hour of a worker, for --dry-run")


def _add_rectify_settings(parser):
    settings = parser.add_argument_group("settings, as of the program")
    settings.add_argument("--calibration", required=True, nargs="+", metavar="FILE", help="of the rig: one file, or two, left and right")
    settings.add_argument("--unit", choices=list(METRES), default="m", help="length that its translations count in (m)")
    settings.add_argument("--cameras", metavar="L:R", help="left and right camera of a file that holds more")
    settings.add_argument("--fisheye", action="store_true", help="the lenses of OpenCV's files are fisheyes")
    settings.add_argument("--alpha", type=_alpha, default=-1.0, metavar="A", help="0: no pixel lacks a source; 1: no source pixel is lost; -1: the mean focal length (-1)")
    settings.add_argument("--focal", type=_positive, metavar="PX", help="focal length of the rectified pictures, in the place of --alpha")
    settings.add_argument("--size", type=_size, metavar="WxH", help="of the rectified pictures (that of the cameras)")
    settings.add_argument("--along-rows", action="store_true", help="pictures of cameras above each other are turned by 90 degrees")


def _rectify_options(told):
    if told.focal and told.alpha != -1:
        raise ArgumentError("--alpha and --focal are given: both say the focal length, give one")
    return {"alpha": told.alpha, "focal_px": told.focal or 0.0, "size": told.size, "along_rows": told.along_rows}


def _add_settings(parser, task):
    presets = {"stereo": _core.stereo_presets, "motion": _core.motion_presets, "track": _core.track_presets}[task]()
    settings = parser.add_argument_group("settings, as of the program")
    settings.add_argument("--preset", default="default", choices=list(presets))
    if task == "motion":
        settings.add_argument("--independent", action="store_true", help="fields are found as if none were known of the frame before")
    for name, about in _fields(task).items():
        if name not in ("pixel_depth", "history"):
            help_text = f"{about['help']} {about['range']}".replace("%", "%%")
            settings.add_argument("--" + name.strip("_").replace("_", "-"), dest="field_" + name, metavar="V", help=help_text)
    if task == "stereo":
        settings.add_argument("--truth-scale", type=_positive, default=1.0, help="what stored values of the column `truth` are divided by (1)")


def on_gpu(device):
    """Whether a device's name is a GPU's."""
    return device.startswith(("cuda", "opencl"))


def _check_devices(told):
    for option, names in (("--device", told.device.split(",")), ("--verify-device", [told.verify_device] if told.verify_device else [])):
        for name in names:
            if name not in ("cpu", "reference", "cuda", "opencl") and not name.startswith(("cuda:", "opencl:")) and (option, name) != ("--device", "auto"):
                raise ArgumentError(f"{option} is {name!r}: cpu, cuda, opencl or opencl:NAME is allowed{', or auto, or several, separated by commas' * (option == '--device')}")
    if told.verify_device and not told.verify_share:
        raise ArgumentError("--verify-device is given without --verify-share, which says how much is verified: give --verify-share 0.01, too")
    if told.verify_device == told.device:
        raise ArgumentError(f"--verify-device and --device are both {told.device}: a device of another kind verifies")


def parse(argv=None):
    """The command line; its settings are in `settings`, what workers are told."""
    parser = _Parser(prog="vergence-batch", description="Stereo, rectification, motion and tracks of many inputs on a cluster of Ray, with the same bytes "
                     "from every machine.", epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)  # fmt: skip
    parser.add_argument("--version", action="version", version=__version__)
    tasks = parser.add_subparsers(dest="task", required=True, metavar="stereo|rectify|motion|track")
    pairs = "a table (.csv, .parquet) with columns left and right, or two patterns: files, globs with one *, %%04d"
    inputs = {"stereo": pairs, "rectify": pairs,
              "motion": "a table with a column video, or a pattern", "track": "a table with a column video, or a pattern"}  # fmt: skip
    for task, told in inputs.items():
        one = tasks.add_parser(task, help=told, epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
        one.add_argument("inputs", nargs="+", help=told)
        one.add_argument("-o", "--out", required=True, help="folder or URL for outputs and results.parquet")
        one.add_argument("--format", choices=FORMATS[task], default=FORMATS[task][0], help=f"of the files that are written ({FORMATS[task][0]})")
        if task == "rectify":
            _add_rectify_settings(one)
        else:
            _add_settings(one, task)
        _add_run(one)
    told = parser.parse_args(argv)
    options = _rectify_options(told) if told.task == "rectify" else {"preset": told.preset}
    for name, text in vars(told).items():
        if name.startswith("field_") and text is not None:
            try:
                options[name.removeprefix("field_")] = value_of(name.removeprefix("field_"), text)
            except ValueError:
                about = _fields(told.task)[name.removeprefix("field_")]
                raise ArgumentError(f"--{name.removeprefix('field_').strip('_').replace('_', '-')} is {text!r}: allowed is {about['range']}") from None
    if getattr(told, "independent", False):
        options["independent"] = True
    if told.out.startswith("memory://"):
        raise ArgumentError(f"-o is {told.out}: each worker would write into its own memory, and all would be lost: give a folder or a store")
    told.settings = {"task": told.task, "options": options, "format": told.format}
    if told.task == "stereo":
        told.settings["truth_scale"] = told.truth_scale
    told.doubts = []
    if told.task == "rectify":
        told.settings["calibration"], told.doubts = read_calibration(told.calibration, told.unit, told.cameras, told.fisheye)
    if told.part_frames is None:
        told.part_frames = 50 if told.task == "stereo" else 500
    _check_devices(told)
    if not 0 < told.gpu_share <= 1:
        raise ArgumentError(f"--gpu-share is {told.gpu_share:g}: more than 0 and at most 1 is allowed")
    return told
