# SPDX-License-Identifier: Apache-2.0
"""Pictures and videos as workers read them, and videos that are cut at key frames."""

import io
import struct
import zlib

import numpy
import pytest
import vergence
from support import run_program, write_pgm
from vergence import _engine, _read, _video

CODECS = [  # name, codec, options, frames that follow in another order than they are shown, can be cut
    ("closed.mp4", "libx264", {}, 2, True),
    ("closed.ts", "libx264", {}, 2, True),
    ("open.mkv", "libx264", {"x264-params": "open-gop=1:keyint=8"}, 2, False),
    ("refresh.mkv", "libx264", {"x264-params": "intra-refresh=1:keyint=8"}, 0, False),
    ("stream.264", "libx264", {}, 0, False),
    ("open5.mkv", "libx265", {"x265-params": "open-gop=1:keyint=8:bframes=2:log-level=0"}, None, True),
    ("mpeg2.mkv", "mpeg2video", {"flags": "-cgop"}, 2, True),
    ("mpeg4.mp4", "mpeg4", {}, 2, True),
    ("altref.webm", "libvpx-vp9", {"lag-in-frames": "8", "auto-alt-ref": "1"}, None, True),
    ("vp8.webm", "libvpx", {"lag-in-frames": "8", "auto-alt-ref": "1"}, None, False),
    ("lossless.mkv", "ffv1", {"level": "3"}, None, True),
    ("pictures.avi", "mjpeg", {}, None, True),
]


def write_video(path, codec, options=None, bframes=None, frames=32, apart=8):
    """A panning video, key frames so many frames `apart`; skips where PyAV or the encoder is missing."""
    av = pytest.importorskip("av", reason="PyAV is not installed")
    wall = numpy.random.default_rng(1).integers(0, 256, (48, 64 + frames)).astype(numpy.uint8)
    with av.open(str(path), "w") as container:
        try:
            stream = container.add_stream(codec, rate=25, options=options or {})
        except (av.error.FFmpegError, ValueError) as error:
            pytest.skip(f"PyAV has no encoder {codec}: {error}")
        stream.width, stream.height = 64, 48
        stream.pix_fmt = {"mjpeg": "yuvj420p", "ffv1": "gray"}.get(codec, "yuv420p")
        stream.codec_context.gop_size = apart
        if bframes is not None:
            stream.codec_context.max_b_frames = bframes
        for number in range(frames):
            frame = av.VideoFrame.from_ndarray(numpy.ascontiguousarray(wall[:, number : number + 64]), format="gray").reformat(format=stream.pix_fmt)
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return str(path)


@pytest.mark.parametrize("name,codec,options,bframes,cuttable", CODECS, ids=[row[0] for row in CODECS])
@pytest.mark.parametrize("shared", (0, 1))
def test_parts_are_the_whole(tmp_path, name, codec, options, bframes, cuttable, shared):
    path = write_video(tmp_path / name, codec, options, bframes)
    whole = [frame for _, frame, _ in _video.frames(path)]
    assert len(whole) == 32
    parts = _video.split(path, 7, shared)
    assert (len(parts) > 2) == cuttable
    seen = []
    for part in parts:
        numbers = []
        for number, frame, _ in _video.frames(path, part):
            assert numpy.array_equal(frame, whole[number]), (part, number)
            numbers.append(number)
        seen += numbers[: len(numbers) - shared] if part is not parts[-1] else numbers
        assert part.last is None or (numbers[0], numbers[-1]) == (part.first, part.last)
    assert seen == list(range(32))


def test_parts_of_motion_are_the_whole(tmp_path):
    path = write_video(tmp_path / "a.mp4", "libx264", bframes=2)
    work = _engine.Motion("cpu", block=8, range=4)
    parts = _video.split(path, 8, shared=1)
    assert len(parts) > 2
    joined = [field for part in parts for field in work.video(path, part)]
    whole = list(work.video(path))
    assert [number for number, _ in joined] == [number for number, _ in whole] == list(range(1, 32))
    assert all(numpy.array_equal(a.vectors, b.vectors) and numpy.array_equal(a.cost, b.cost) for (_, a), (_, b) in zip(joined, whole))
    assert _engine.motion_hash(field for _, field in joined) == run_program("motion", path, "--block", "8x8", "--range", "4", "--json")["hash"]


def test_fields_that_follow_from_each_other_are_not_cut():
    assert _engine.fields_independent() and _engine.fields_independent(search="step") and _engine.fields_independent("fast", independent=True)
    assert not _engine.fields_independent("fast") and not _engine.fields_independent(lambda_=1) and not _engine.fields_independent(search="diamond")
    with pytest.raises(vergence.NotFoundError, match="fats"):
        _engine.fields_independent("fats")


def test_damaged_videos_are_refused(tmp_path):
    path = tmp_path / "a.mkv"
    write_video(path, "ffv1", {"level": "3", "slicecrc": "1"})
    whole = path.read_bytes()
    (tmp_path / "cut.mkv").write_bytes(whole[: len(whole) // 2])
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 255
    (tmp_path / "bit.mkv").write_bytes(flipped)
    (tmp_path / "text.mp4").write_text("no video at all")
    for name in ("cut.mkv", "bit.mkv", "text.mp4"):
        with pytest.raises(vergence.BadDataError, match=name):
            list(_video.frames(str(tmp_path / name)))
    with pytest.raises(vergence.IoError, match="nowhere"):
        list(_video.frames(str(tmp_path / "nowhere.mp4")))


def test_numbered_pictures(tmp_path):
    frames = numpy.random.default_rng(2).integers(0, 256, (4, 5, 6)).astype(numpy.uint8)
    for number, frame in zip((8, 9, 10, 11), frames):
        write_pgm(tmp_path / f"f[1]_{number}.pgm", frame)
    (tmp_path / "f[1]_007.pgm").write_text("written in another way")
    found = list(_video.frames(str(tmp_path / "f[1]_%d.pgm")))
    assert [number for number, _, _ in found] == [8, 9, 10, 11] and all(numpy.array_equal(a, b[1]) for a, b in zip(frames, found))
    (tmp_path / "f[1]_10.pgm").unlink()
    with pytest.raises(vergence.IoError, match="number 10 is missing"):
        list(_video.frames(str(tmp_path / "f[1]_%d.pgm")))
    with pytest.raises(vergence.ArgumentError, match="one %d"):
        list(_video.frames(str(tmp_path / "f_%d_%d.pgm")))


def png(rows, kind, depth=8, extra=b""):
    """A PNG of raw rows, written apart from any codec."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    height, width = rows.shape[:2]
    lines = b"".join(b"\0" + row.astype(">u2" if depth == 16 else "u1").tobytes() for row in rows)
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("depth", (8, 16))
@pytest.mark.parametrize("kind,channels", [(0, 1), (2, 3), (4, 2), (6, 4)], ids=["grey", "rgb", "grey+alpha", "rgba"])
def test_png(depth, kind, channels):
    if (depth, kind) == (16, 4):
        pytest.skip("16-bit grey with alpha is refused")
    pytest.importorskip("av", reason="PyAV is not installed")
    rows = numpy.random.default_rng(3).integers(0, 1 << depth, (7, 9, channels)).astype(numpy.uint16 if depth == 16 else numpy.uint8)
    expected = vergence.grey(rows) if channels > 2 else rows[:, :, 0]
    data = png(rows, kind, depth)
    picture, most = _read.read_grey(data)
    assert most == (1 << depth) - 1 and picture.dtype == rows.dtype and numpy.array_equal(picture, expected)
    for damaged in (data[:-12], data[:60], data[:50] + bytes([data[50] ^ 1]) + data[51:]):
        with pytest.raises(vergence.BadDataError, match="the picture"):
            _read.read_grey(damaged)


def test_jpeg_is_its_y_plane_and_truncation_is_seen(tmp_path):
    av = pytest.importorskip("av", reason="PyAV is not installed")
    path = write_video(tmp_path / "a.avi", "mjpeg", frames=1)
    with av.open(path) as container:
        data = bytes(next(container.demux(video=0)))
    (tmp_path / "a.jpg").write_bytes(data)
    picture, most = _read.read_grey(str(tmp_path / "a.jpg"))
    assert most == 255 and picture.shape == (48, 64)
    report = run_program("stereo", tmp_path / "a.jpg", tmp_path / "a.jpg", "--disparities", "4", "--json")
    result = next(_engine.Stereo("cpu", disparities=4).run([(str(tmp_path / "a.jpg"), picture)]))
    value = vergence._hash.ValueHash()
    value.add_disparity(result.disparity)
    assert str(value) == report["hash"]
    with pytest.raises(vergence.BadDataError, match="end marker"):
        _read.read_grey(data[: len(data) * 3 // 4])


def test_pnm_and_npy():
    for most, dtype in ((200, "u1"), (1000, ">u2")):
        pixels = numpy.random.default_rng(4).integers(0, most + 1, (3, 5)).astype(dtype)
        data = b"P5 # a comment\n5 3\n%d\n" % most + pixels.tobytes()
        picture, found = _read.read_grey(data)
        assert found == most and numpy.array_equal(picture, pixels)
        for damaged in (data[:-1], data + b"x", b"P5\n5 3\n100\n" + pixels.tobytes(), b"P5\n5 -3\n255\n"):
            with pytest.raises(vergence.BadDataError):
                _read.read_grey(damaged)
        file = io.BytesIO()
        numpy.save(file, pixels)
        assert numpy.array_equal(_read.read_grey(file.getvalue())[0], pixels)
        with pytest.raises(vergence.BadDataError):
            _read.read_grey(file.getvalue()[:-1])
    with pytest.raises(vergence.UnsupportedError, match="float64"):
        file = io.BytesIO()
        numpy.save(file, numpy.zeros((3, 3)))
        _read.read_grey(file.getvalue())
    for data, error in ((b"", vergence.BadDataError), (b"GIF89a", vergence.UnsupportedError)):
        with pytest.raises(error, match="picture"):
            _read.read_grey(data)
