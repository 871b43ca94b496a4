#!/usr/bin/python3
"""Reads every frame of a run with VTK and checks what ParaView needs.

    check_frames.py RUN/NAME.pvd NX NY

The .pvd lists at least two frames with growing times; each frame opens without an error, has NX x NY cells and the
cell arrays velocity (3 components), pressure and vorticity, all finite; in the last frame the fluid moves.
Every collection RUN/surfaces/*.pvd lists as many frames, whose faces have pressure, friction (3 components) and y_plus,
all finite.
"""
import math
import pathlib
import sys
import xml.etree.ElementTree

from vtkmodules.vtkIOXML import vtkXMLGenericDataObjectReader


def values(array):
    return [array.GetComponent(i, c) for i in range(array.GetNumberOfTuples())
            for c in range(array.GetNumberOfComponents())]


def read(path):
    failures = []
    reader = vtkXMLGenericDataObjectReader()
    reader.AddObserver("ErrorEvent", lambda *_: failures.append(path))
    reader.SetFileName(str(path))
    reader.Update()
    assert not failures, f"{path}: VTK reports an error"
    return reader.GetOutput()


def check_arrays(path, data, wanted):
    """{name: numbers} of the cell arrays, which are finite."""
    numbers = {}
    for name, components in wanted:
        array = data.GetCellData().GetArray(name)
        assert array is not None, f"{path}: no cell array {name}"
        assert array.GetNumberOfComponents() == components, f"{path}: {name} has {array.GetNumberOfComponents()}"
        numbers[name] = values(array)
        assert all(math.isfinite(x) for x in numbers[name]), f"{path}: {name} is not finite"
    return numbers


def check_frame(path, cells):
    """Returns the largest velocity component of one frame."""
    data = read(path)
    assert data.GetNumberOfCells() == cells, f"{path}: {data.GetNumberOfCells()} cells, expected {cells}"
    numbers = check_arrays(path, data, (("velocity", 3), ("pressure", 1), ("vorticity", 1)))
    return max(abs(x) for x in numbers["velocity"])


def check_surface(pvd, count):
    datasets = xml.etree.ElementTree.parse(pvd).getroot().findall("Collection/DataSet")
    assert len(datasets) == count, f"{pvd}: {len(datasets)} frames, expected {count}"
    for dataset in datasets:
        path = pvd.parent / dataset.get("file")
        data = read(path)
        faces = data.GetNumberOfCells()
        assert faces > 0 and data.GetNumberOfPoints() >= faces, f"{path}: {faces} faces"
        check_arrays(path, data, (("pressure", 1), ("friction", 3), ("y_plus", 1)))


def main():
    pvd = pathlib.Path(sys.argv[1])
    cells = int(sys.argv[2]) * int(sys.argv[3])
    datasets = xml.etree.ElementTree.parse(pvd).getroot().findall("Collection/DataSet")
    times = [float(d.get("timestep")) for d in datasets]
    assert len(times) >= 2 and times == sorted(set(times)), f"{pvd}: times {times}"
    largest = [check_frame(pvd.parent / d.get("file"), cells) for d in datasets]
    assert largest[-1] > 0.1, f"{pvd}: the last frame is at rest"
    surfaces = sorted(pvd.parent.glob("surfaces/*.pvd"))
    assert surfaces, f"{pvd}: no surfaces"
    for surface in surfaces:
        check_surface(surface, len(times))
    print(f"{len(surfaces)} surfaces, {len(times)} frames, t = {times[0]} to {times[-1]}, largest velocity component {largest[-1]:.3f}")


main()
