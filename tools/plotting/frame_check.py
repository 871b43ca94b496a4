"""Whether a frame is whole, before VTK's readers see it: they crash at some that are not.

Frames of hodge carry a checksum of all their bytes (sim/app/output/frame_seal.hpp). Those without one, of earlier versions
and of other programs, are read by `hodge verify`.
"""

import os
import re
import shutil
import subprocess
import zlib

SEAL = re.compile(rb'<\?xml version="1\.0"\?>\n<!-- hodge frame, CRC-32 of the file with zeros for its digits: ([0-9a-f]{8}) -->\n')
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def checksum(path, seal):
    """CRC-32 of the file, with zeros for the digits of its seal."""
    with open(path, "rb") as file:
        begin = file.read(seal.end())
        total = zlib.crc32(begin[:seal.start(1)] + b"0" * 8 + begin[seal.end(1):])
        while block := file.read(1 << 20):
            total = zlib.crc32(block, total)
    return total


def program():
    """The program `hodge`: that of HODGE_PROGRAM, of this checkout, or on PATH; None where there is none."""
    for path in (os.environ.get("HODGE_PROGRAM"), os.path.join(ROOT, "build/bin/hodge"), shutil.which("hodge")):
        if path and os.access(path, os.X_OK):
            return path
    return None


def check_frame(path):
    """Raises ValueError where the frame, or a piece that it lists, is damaged. Returns whether it has a checksum: then its
    pieces have to be checked one by one."""
    with open(path, "rb") as file:
        seal = SEAL.match(file.read(256))
    if seal:
        if checksum(path, seal) != int(seal.group(1), 16):
            raise ValueError(f"{path} is damaged: its checksum is not that of its bytes")
        return True
    verify = program()
    if verify is None:
        raise ValueError(f"{path} has no checksum, and there is no program hodge to check it: put hodge on PATH")
    result = subprocess.run([verify, "verify", path], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if result.returncode != 0:
        raise ValueError(result.stderr.strip().removeprefix("hodge: ") or f"{path} is damaged")
    return False
