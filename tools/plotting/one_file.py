"""Frames of a run in one file, as `output: {format: vtkhdf}` writes it: by the index that the file has of its own
(sim/app/output/vtkhdf_file.hpp), so that neither HDF5 nor a new VTK is needed."""

import json
import math
import os
import struct
import zlib

import numpy

SUPERBLOCK, MARK = 48, 32  # bytes
MOST_CHUNK_BYTES = 4 << 20


def chunks_of(shape, width):
    """How an array of one frame is cut: (values of a whole chunk, [(first value, values)]). shape: the slowest axis first."""
    axis, size = len(shape), width
    step = 1
    while axis > 0:
        step = min(shape[axis - 1], max(1, MOST_CHUNK_BYTES // size))
        if step != shape[axis - 1]:
            break
        size *= shape[axis - 1]
        axis -= 1
    length, step = (shape[axis - 1], step) if axis > 0 else (1, 1)
    fast = size // width
    rows = math.prod(shape[:max(axis - 1, 0)])
    return step * fast, [((row * length + first) * fast, min(step, length - first) * fast)
                         for row in range(rows) for first in range(0, length, step)]


class FrameInFile:
    """One frame of the file. Raises ValueError where the file is damaged or of another program."""

    def __init__(self, file, number):
        self.file, self.number = file, number

    def read(self):
        """(dimensions, [edges of the cells along x, y, z], {name: values as [z, y, x] or [z, y, x, component]})."""
        index = self.file.index
        cells = index["cells"]
        edges = [low + size * numpy.arange(n + 1) for low, size, n in zip(index["lower"], index["spacing"], cells)]
        edges += [numpy.zeros(1)] * (3 - len(cells))
        shape = [1] * (3 - len(cells)) + cells[::-1]
        fields = {}
        for array in index["arrays"]:
            values = self._values(array, shape)
            if values is not None:
                fields[self._name(array)] = values
        return len(cells), edges, fields

    def _chunks(self, array):
        count = len(array["chunks"]) // len(self.file.times)
        return array["chunks"][self.number * count:(self.number + 1) * count]

    def _is_here(self, array):
        return self._chunks(array)[0][1] > 0

    def _name(self, array):
        """An array that goes on in another precision after a restart is NAME_single or NAME_double from there on."""
        plain = array["name"].removesuffix("_single" if array["is_single"] else "_double")
        before = [other for other in self.file.index["arrays"] if other["name"] == plain and not self._is_here(other)]
        return plain if before and before[0]["is_single"] != array["is_single"] else array["name"]

    def _values(self, array, shape):
        kind = numpy.dtype("<f4" if array["is_single"] else "<f8")
        components = array["components"]
        whole = shape + ([components] if components > 1 else [])
        room, parts = chunks_of(whole[3 - len(self.file.index["cells"]):], kind.itemsize)
        chunks = self._chunks(array)
        if len(parts) != len(chunks):
            self.file.damaged(f"{array['name']} has {len(chunks)} chunks, expected {len(parts)}")
        if not self._is_here(array):
            return None
        values = numpy.empty(math.prod(whole), kind)
        with open(self.file.path, "rb") as file:
            for (first, count), (at, size) in zip(parts, chunks):
                file.seek(at)
                try:
                    packed = zlib.decompress(file.read(size)[:-4])  # behind it the checksum of HDF5; zlib has its own
                    shuffled = numpy.frombuffer(packed, numpy.uint8).reshape(kind.itemsize, room)
                except (zlib.error, ValueError):
                    self.file.damaged(f"{array['name']} of frame {self.number} has changed")
                values[first:first + count] = numpy.ascontiguousarray(shuffled.T).view(kind)[:count, 0]
        return values.reshape(whole)


class OneFile:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            block = file.read(SUPERBLOCK)
            end, root = struct.unpack_from("<QQ", block, 28) if len(block) == SUPERBLOCK else (0, 0)
            if not MARK <= root <= end <= os.path.getsize(path):
                self.damaged("it does not begin as a file of frames of hodge, or is cut off")
            file.seek(root - MARK)
            mark = file.read(MARK)
            at, size, checksum = struct.unpack_from("<QQQ", mark, 8)
            if not mark.startswith(b"hodgeidx") or at + size > end:
                self.damaged("its index is not where it should be")
            file.seek(at)
            text = file.read(size)
        if zlib.crc32(text) != checksum:
            self.damaged("its index has changed")
        self.index = json.loads(text)
        self.times = self.index["times"]

    def damaged(self, how):
        raise ValueError(f"{self.path} is damaged: {how}")

    def frames(self):
        """[(time, frame)]"""
        return [(time, FrameInFile(self, number)) for number, time in enumerate(self.times)]
