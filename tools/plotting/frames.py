"""Frames of a run: the .pvd with its times, and the cell data of a .vti or .vtr, or of the pieces of a .pvti or .pvtr, as
NumPy arrays; or those of a .vtkhdf."""

import os
import xml.etree.ElementTree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLRectilinearGridReader

from plotting.collection import run_collection
from plotting.frame_check import check_frame
from plotting.inline_frame import inline_text, parser_waits, pieces_of
from plotting.one_file import FrameInFile, OneFile


class Frame:
    """Cell data on a rectilinear grid: edges[d] along axis d, fields[name] as [z, y, x] or [z, y, x, component]."""

    def __init__(self, path, time):
        self.path, self.time = path, time
        if isinstance(path, FrameInFile):
            self.dim, self.edges, self.fields = path.read()
            return
        if not os.path.exists(path):
            raise ValueError(f"{path} is missing")
        one_by_one = check_frame(path)
        files = pieces_of(path)
        if not files:
            self.dim, self.edges, self.fields = self._read(path)
            return
        for file in files if one_by_one else []:
            check_frame(file)
        pieces = [self._read(file) for file in files]  # layers across the last axis, one after another
        self.dim, self.edges, self.fields = pieces[0]
        last = self.dim - 1
        self.edges[last] = numpy.concatenate([self.edges[last]] + [edges[last][1:] for _, edges, _ in pieces[1:]])
        for name in self.fields:
            self.fields[name] = numpy.concatenate([fields[name] for _, _, fields in pieces], axis=2 - last)

    def _read(self, path):
        reader = vtkXMLImageDataReader() if path.endswith(".vti") else vtkXMLRectilinearGridReader()
        if not reader.CanReadFile(path):
            raise ValueError(f"{path} cannot be read as a frame")
        reader.SetFileName(path)
        inline = inline_text(path) if parser_waits() else None
        if inline is not None:
            reader.SetReadFromInputString(True)
            reader.SetInputString(inline)
        reader.Update()
        data = reader.GetOutput()
        stored = data.GetFieldData().GetArray("TimeValue")
        if stored and stored.GetTuple1(0) != self.time:
            raise ValueError(f"{path} has t = {stored.GetTuple1(0)}, the collection says {self.time}")
        extent = data.GetExtent()
        points = data.GetDimensions()
        cells = [max(n - 1, 1) for n in points]
        fields = {}
        for k in range(data.GetCellData().GetNumberOfArrays()):
            array = data.GetCellData().GetArray(k)
            values = vtk_to_numpy(array)
            fields[array.GetName()] = values.reshape(cells[::-1] + list(values.shape[1:]))
        return 3 if extent[5] > 1 else 2, [self._edges(data, d, points[d]) for d in range(3)], fields

    @staticmethod
    def _edges(data, d, count):
        if hasattr(data, "GetSpacing"):
            first = data.GetExtent()[2 * d]
            return data.GetOrigin()[d] + data.GetSpacing()[d] * numpy.arange(first, first + count)
        return vtk_to_numpy((data.GetXCoordinates, data.GetYCoordinates, data.GetZCoordinates)[d]())

    def centres(self, d):
        return 0.5 * (self.edges[d][1:] + self.edges[d][:-1])


def collection(run):
    """[(time, path)] of the frames in the directory of a run, in place of a path a FrameInFile; empty where it has none."""
    path = run_collection(run)
    if path is None:
        return []
    if path.endswith(".vtkhdf"):
        return OneFile(path).frames()
    try:
        tree = xml.etree.ElementTree.parse(path)
        return [(float(entry.attrib["timestep"]), os.path.join(run, entry.attrib["file"]))
                for entry in tree.iter("DataSet")]
    except (xml.etree.ElementTree.ParseError, KeyError, ValueError) as error:
        raise ValueError(f"{path} is no collection of frames: {error}") from None
