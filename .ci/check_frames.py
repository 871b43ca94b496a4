#!/usr/bin/python3
"""Reads every frame of a run with VTK and checks what ParaView needs.

    check_frames.py RUN/NAME.pvd NX NY

The .pvd lists at least two frames with growing times; each frame opens without an error, has NX x NY cells and the
cell arrays velocity (3 components), pressure and vorticity, all finite; in the last frame the fluid moves.
"""
import math
import pathlib
import sys
import xml.etree.ElementTree

from vtkmodules.vtkIOXML import vtkXMLGenericDataObjectReader


def values(array):
    return [array.GetComponent(i, c) for i in range(array.GetNumberOfTuples())
            for c in range(array.GetNumberOfComponents())]


def check_frame(path, cells):
    """Returns the largest velocity component of one frame."""
    failures = []
    reader = vtkXMLGenericDataObjectReader()
    reader.AddObserver("ErrorEvent", lambda *_: failures.append(path))
    reader.SetFileName(str(path))
    reader.Update()
    assert not failures, f"{path}: VTK reports an error"
    data = reader.GetOutput()
    assert data.GetNumberOfCells() == cells, f"{path}: {data.GetNumberOfCells()} cells, expected {cells}"
    largest = 0.0
    for name, components in (("velocity", 3), ("pressure", 1), ("vorticity", 1)):
        array = data.GetCellData().GetArray(name)
        assert array is not None, f"{path}: no cell array {name}"
        assert array.GetNumberOfComponents() == components, f"{path}: {name} has {array.GetNumberOfComponents()}"
        numbers = values(array)
        assert all(math.isfinite(x) for x in numbers), f"{path}: {name} is not finite"
        if name == "velocity":
            largest = max(abs(x) for x in numbers)
    return largest


def main():
    pvd = pathlib.Path(sys.argv[1])
    cells = int(sys.argv[2]) * int(sys.argv[3])
    datasets = xml.etree.ElementTree.parse(pvd).getroot().findall("Collection/DataSet")
    times = [float(d.get("timestep")) for d in datasets]
    assert len(times) >= 2 and times == sorted(set(times)), f"{pvd}: times {times}"
    largest = [check_frame(pvd.parent / d.get("file"), cells) for d in datasets]
    assert largest[-1] > 0.1, f"{pvd}: the last frame is at rest"
    print(f"{len(times)} frames, t = {times[0]} to {times[-1]}, largest velocity component {largest[-1]:.3f}")


main()
