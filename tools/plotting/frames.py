"""Frames of a run: the .pvd with its times, and the cell data of a .vti or .vtr as NumPy arrays."""

import glob
import os
import xml.etree.ElementTree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLRectilinearGridReader

from plotting.inline_frame import inline_text, parser_waits


class Frame:
    """Cell data on a rectilinear grid: edges[d] along axis d, fields[name] as [z, y, x] or [z, y, x, component]."""

    def __init__(self, path, time):
        reader = vtkXMLImageDataReader() if path.endswith(".vti") else vtkXMLRectilinearGridReader()
        if not os.path.exists(path) or not reader.CanReadFile(path):
            raise ValueError(f"{path} cannot be read as a frame")
        reader.SetFileName(path)
        inline = inline_text(path) if parser_waits() else None
        if inline is not None:
            reader.SetReadFromInputString(True)
            reader.SetInputString(inline)
        reader.Update()
        data = reader.GetOutput()
        self.path, self.time = path, time
        points = data.GetDimensions()
        self.dim = 3 if points[2] > 2 else 2
        self.edges = [self._edges(data, d, points[d]) for d in range(3)]
        cells = [max(n - 1, 1) for n in points]
        self.fields = {}
        for k in range(data.GetCellData().GetNumberOfArrays()):
            array = data.GetCellData().GetArray(k)
            values = vtk_to_numpy(array)
            self.fields[array.GetName()] = values.reshape(cells[::-1] + list(values.shape[1:]))

    @staticmethod
    def _edges(data, d, count):
        if hasattr(data, "GetSpacing"):
            return data.GetOrigin()[d] + data.GetSpacing()[d] * numpy.arange(count)
        return vtk_to_numpy((data.GetXCoordinates, data.GetYCoordinates, data.GetZCoordinates)[d]())

    def centres(self, d):
        return 0.5 * (self.edges[d][1:] + self.edges[d][:-1])


def collection(run):
    """[(time, path)] of the frames in the directory of a run; empty where it has none."""
    files = sorted(glob.glob(os.path.join(glob.escape(run), "*.pvd")))
    if not files:
        return []
    tree = xml.etree.ElementTree.parse(files[0])
    return [(float(entry.get("timestep")), os.path.join(run, entry.get("file")))
            for entry in tree.iter("DataSet")]
