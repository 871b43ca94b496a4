"""Movies of numbered pictures, by ffmpeg: ParaView itself writes .avi, .ogv and pictures, by some builds no more."""

import glob
import os
import shutil
import subprocess
import tempfile

BY_PARAVIEW = (".avi", ".ogv", ".png", ".jpg")
BY_FFMPEG = (".mp4", ".mkv", ".webm", ".mov", ".gif")


def ending_of(path):
    return os.path.splitext(path)[1].lower()


def wrong_name(path):
    """What is wrong with the name of a movie, or an empty text."""
    if ending_of(path) not in BY_PARAVIEW + BY_FFMPEG:
        return f"--movie {path}: unknown ending, expected one of {' '.join(BY_PARAVIEW + BY_FFMPEG)}"
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        return f"--movie {path}: there is no such folder"
    return ""


def lacks_ffmpeg(path):
    """That a movie of this name needs ffmpeg and there is none, or an empty text."""
    if ending_of(path) not in BY_FFMPEG or shutil.which("ffmpeg"):
        return ""
    return (f"--movie {path}: {ending_of(path)} needs ffmpeg, which is not installed; "
            f"{' '.join(BY_PARAVIEW)} do without it")


def written(path):
    """The files that a movie became: itself, or the numbered pictures NAME.0000.png, ..."""
    stem, ending = os.path.splitext(path)
    if ending_of(path) in (".png", ".jpg"):
        return sorted(glob.glob(glob.escape(stem) + ".[0-9]*" + ending))
    return [path] if os.path.exists(path) else []


def write(path, rate, save):
    """Writes the movie with `rate` pictures per second; save(FILE) has ParaView write an animation. True if it is
    there afterwards, new and not empty: ParaView says nothing to its caller where it fails."""
    for old in written(path):
        os.remove(old)
    if ending_of(path) in BY_PARAVIEW:
        save(path)
    else:
        with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(path))) as folder:
            save(os.path.join(folder, "frame.png"))
            encode(os.path.join(folder, "frame.%04d.png"), rate, path)
    return any(os.path.getsize(file) > 0 for file in written(path))


def encode(pictures, rate, path):
    call = ["ffmpeg", "-loglevel", "error", "-y", "-framerate", str(rate), "-i", pictures]
    if not path.lower().endswith(".gif"):
        # Players expect this format, which has even numbers of pixels.
        call += ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt", "yuv420p"]
    subprocess.run(call + [path], stdin=subprocess.DEVNULL, check=False)
