"""Frames of earlier versions for a VTK whose XML parser fails at them, as that of Debian 12's ParaView does.

Security updates of Expat (2.6.0, and 2.5.0-1+deb12u5 of Debian) let the parser wait for more text before it tries an
unfinished tag again (reparse deferral). Older VTK ends the text artificially before the appended bytes, and relies on the
parser having seen it, which a tag as long as that of earlier versions prevents (sim/app/output/vtk_frame.hpp). Inline data
has no such end.
"""

import base64
import os
import re
import shutil
import struct
import xml.etree.ElementTree
import xml.parsers.expat

ARRAY = re.compile(rb'format="appended" offset="(\d+)"\s*/>')
APPENDED = re.compile(rb'<AppendedData encoding="raw">\s*_')
LONGEST_HEADER = 1 << 20


def parser_waits():
    """Whether Expat waits where VTK relies on that it does not."""
    seen = []
    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = lambda name, attributes: seen.append(name)
    for text in ("<VTKFile><AppendedData", ' encoding="raw"', "/", ">", "</VTKFile>\n"):
        parser.Parse(text, False)
    return "AppendedData" not in seen


def packed_array(content, start):
    """Inline text of the array at start: sizes (blocks, bytes of a block, of the last one, of each packed), blocks."""
    blocks, = struct.unpack_from("<Q", content, start)
    size = 8 * (3 + blocks)
    packed = struct.unpack_from(f"<{blocks}Q", content, start + 24)
    end = start + size + sum(packed)
    return base64.b64encode(content[start:start + size]) + base64.b64encode(content[start + size:end])


def inline_text(path):
    """The frame as a text with inline data; None where it is not of an earlier version."""
    with open(path, "rb") as file:
        content = file.read(LONGEST_HEADER)
        found = APPENDED.search(content)
        if not found:
            return None
        content += file.read()
    tags = ARRAY.sub(lambda array: b'format="binary">' + packed_array(content, found.end() + int(array.group(1)))
                     + b"</DataArray>", content[:found.start()])
    return (tags + b"</VTKFile>\n").decode()


def pieces_of(path):
    """The files that a .pvti or .pvtr lists, in their order; of a single file none."""
    if not path.endswith((".pvti", ".pvtr")):
        return []
    return [os.path.join(os.path.dirname(path), piece.get("Source"))
            for piece in xml.etree.ElementTree.parse(path).iter("Piece")]


def inline_frame(path, folder):
    """Writes a frame of an earlier version into the folder, with inline data; returns its path there, else None."""
    made = os.path.join(folder, os.path.basename(path))
    pieces = pieces_of(path)
    if pieces:
        os.makedirs(os.path.splitext(made)[0], exist_ok=True)
        if None in [inline_frame(piece, os.path.splitext(made)[0]) for piece in pieces]:
            return None
        shutil.copyfile(path, made)
        return made
    text = inline_text(path)
    if text is None:
        return None
    with open(made, "w") as file:
        file.write(text)
    return made


def inline_run(pvd, folder):
    """Writes frames of earlier versions into the folder, with inline data; returns the .pvd of all frames there.

    Where there are none: pvd itself.
    """
    tree = xml.etree.ElementTree.parse(pvd)
    path = pvd
    for entry in tree.iter("DataSet"):
        frame = os.path.join(os.path.dirname(os.path.abspath(pvd)), entry.get("file"))
        made = inline_frame(frame, folder)
        if made is not None:
            path = os.path.join(folder, os.path.basename(pvd))
            frame = made
        entry.set("file", frame)
    if path != pvd:
        tree.write(path)
    return path
