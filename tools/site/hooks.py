"""What the site is made of besides docs/site: called by mkdocs (mkdocs.yml).

The documents of the repository (documents.py), a page for each method (methods.py), and what the program says of
itself: its commands, the names that a file may use, and the schema that editors check by. The program is HODGE_PROGRAM or
build/bin/hodge."""

import os
import pathlib
import re
import subprocess
import sys

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import documents  # noqa: E402
import methods  # noqa: E402

START = "docs/site/index.md"
WHOLE = {
    START: "index.md",
    "README.md": "overview.md",
    "BUILDING.md": "install.md",
    "GALLERY.md": "gallery.md",
    "RELIABILITY.md": "reliability.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "docs/PARALLEL.md": "parallel.md",
    "docs/PYTHON.md": "python.md",
    "docs/BACKFLOW.md": "backflow.md",
    "docs/MEASURED.md": "measured.md",
    "docs/SCALING.md": "scaling.md",
    "tools/hodge/bench/README.md": "bench.md",
    **{f"configs/tutorials/{name}.md": f"tutorials/{name}.md"
       for name in ("channel", "heated_box", "cylinder", "heated_cylinder", "sweep", "turbulent_channel")},
    **{f"docs/notebooks/{name}.py": f"notebooks/{name}.md"
       for name in ("cavity", "cylinder", "heated_box", "sweep", "which_solver", "control")},
}
SPLIT = {
    "docs/RECIPES.md": "recipes",
    "sim/CONFIGURATION.md": "configuration",
    "sim/OUTPUT.md": "output",
    "sim/VALIDATION.md": "validation",
    "sim/README.md": "flow",
    "linalg/README.md": "linalg",
    "linalg/LITERATURE.md": "literature",
    "linalg/RESULTS.md": "results",
}
_pages = documents.Documents(WHOLE, SPLIT)


def _program(*words):
    program = os.environ.get("HODGE_PROGRAM", documents.ROOT / "build/bin/hodge")
    try:
        return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise PluginError(f"the site shows what the program says of itself: {error}. Build it, or name it by "
                          "HODGE_PROGRAM") from error


def _quoted(text):
    return f"```text\n{text.rstrip()}\n```\n"


def _commands():
    text = "# Commands\n\nWhat `hodge COMMAND --help` says.\n\n"
    usage = _program("--help")
    names = re.findall(r"^  ([a-z]+) ", usage.partition("SUBCOMMANDS:")[2] or usage, re.MULTILINE)
    for name in dict.fromkeys(names):
        text += f"## hodge {name}\n\n{_quoted(_program(name, '--help'))}\n"
    return text


def _names():
    return ("# Names\n\nThe names that a configuration may use, as the program lists them.\n\n"
            + "".join(f"## hodge {word}\n\n{_quoted(_program(word))}\n" for word in ("schemes", "solvers", "cases")))


def _nav(entry):
    """Replaces a document that is split by the list of its pages, and `theory` by the groups of methods."""
    if isinstance(entry, list):
        return [one for item in entry for one in _nav(item)]
    if entry == "theory":
        return [{group: [{title: methods.uri(header)} for title, header in of.items()]}
                for group, of in methods.GROUPS.items()]
    if isinstance(entry, dict):
        (title, value), = entry.items()
        source = next((source for source, folder in SPLIT.items() if value == f"{folder}/"), None)
        if source:
            first, *rest = _pages.sections(source)
            return [{title: [first.uri, *({page.title: page.uri} for page in rest)]}]
        return [{title: _nav(value) if isinstance(value, list) else value}]
    return [entry]


def on_config(config):
    config.nav = _nav(config.nav)
    return config


def on_files(files, config):
    def add(uri, **what):
        files.append(File.generated(config, uri, **what))

    files.remove(files.get_file_from_path("index.md"))
    for page in _pages.pages:
        add(page.uri, content=_pages.markdown(page))
    if _pages.dead:
        raise PluginError("dead links: " + ", ".join(sorted(set(_pages.dead))))
    for uri, path in _pages.carried.items():
        add(uri, abs_src_path=str(path))
    for group in methods.GROUPS.values():
        for title, header in group.items():
            add(methods.uri(header), content=methods.page(documents.ROOT, title, header))
    add("commands.md", content=_commands())
    add("names.md", content=_names())
    add("schema.json", content=_program("schema"))
    return files
