"""The Markdown of the repository as pages of the site.

Documents stay where GitHub shows them, in GitHub's dialect, and link each other by their places in the repository. A
document becomes one page, or a page for each of its sections (`## `), which then have the headings one level higher.
Links follow: to the page that has the anchor, to a file that the site carries along, or, where the target is source
code, to nothing but its name."""

import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^ *(```|~~~)")
_HEADING = re.compile(r"^(#{1,6}) +(.*?) *$")
_LINK = re.compile(r"(`+)(?:.*?)\1|(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)", re.DOTALL)
_ITEM = re.compile(r"^( *)([-*+]|\d+[.)])( +)")
_CARRIED = {".png", ".svg", ".yaml", ".csv", ".stl", ".slurm", ".mtx", ".ipynb"}


def slug(title, taken):
    """The anchor that GitHub gives a heading; `taken` counts those of the document."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").lower()
    text = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
    count = taken.get(text, 0)
    taken[text] = count + 1
    return f"{text}-{count}" if count else text


def plain(title):
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)


def lines_outside_code(text):
    """(line, is code) of a text."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        is_code = bool(fence or mark)
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        yield line, is_code


def python_markdown(text):
    """CommonMark's lists as Python-Markdown reads them: four spaces a level, an empty line before the first item."""
    result, contents, before = [], [], ""  # columns at which the text of the open items begins
    for line, is_code in lines_outside_code(text):
        indent = len(line) - len(line.lstrip(" "))
        item = None if is_code else _ITEM.match(line)
        if item and before and not contents and item[2][0].isdigit() and item[2][:-1] != "1":
            item = None  # a number that begins a line of a paragraph
        if line.strip() and (not before or item or is_code):
            while contents and indent < contents[-1]:
                contents.pop()
        elif line.strip() and contents and indent < contents[-1]:
            indent = contents[-1]  # a lazy continuation
            line = " " * indent + line.lstrip()
        if not line.strip():
            result.append("")
        elif item and indent - (contents[-1] if contents else 0) < 4:
            if not contents and before and not _ITEM.match(before):
                result.append("")
            result.append("    " * len(contents) + f"{item[2]:<3} " + line[item.end():])
            contents.append(item.end())
        else:
            result.append("    " * len(contents) + line[contents[-1] if contents else 0:])
        before = line if line.strip() else ""
    return "\n".join(result)


def markdown_of_cells(text):
    """A notebook, a Python file of cells (`# %%`), as Markdown."""
    result = []
    for cell in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        kind, _, body = cell.partition("\n")
        is_prose = "[markdown]" in kind
        body = body.strip("\n")
        result.append(re.sub(r"^# ?", "", body, flags=re.MULTILINE) if is_prose else f"```python\n{body}\n```")
    return "\n\n".join(result)


def text_of(source):
    text = (ROOT / source).read_text(encoding="utf-8")
    return markdown_of_cells(text) if source.endswith(".py") else text


class Page:
    def __init__(self, source, title, lines, uri):
        self.source, self.title, self.lines, self.uri = source, title, lines, uri

    def folder(self):
        return os.path.dirname(self.uri)


class Documents:
    """`whole`: {document: its page}; `split`: {document: the folder of the pages of its sections}."""

    def __init__(self, whole, split):
        self.pages, self.anchors, self.carried, self.dead = [], {}, {}, []
        for source, uri in whole.items():
            self._read(source, uri, None)
        for source, folder in split.items():
            self._read(source, f"{folder}/index.md", folder)

    def sections(self, source):
        return [page for page in self.pages if page.source == source]

    def _read(self, source, uri, folder):
        taken, page = {}, None
        for line, is_code in lines_outside_code(text_of(source)):
            heading = None if is_code else _HEADING.match(line)
            if heading:
                anchor = slug(heading[2], taken)
                starts = folder and len(heading[1]) == 2
                if page is None or starts:
                    page = Page(source, plain(heading[2]), [], f"{folder}/{anchor}.md" if starts else uri)
                    self.pages.append(page)
                raised = len(heading[1]) - (1 if page.uri != uri else 0)
                line = f"{'#' * raised} {heading[2]} {{: #{anchor} }}"
                self.anchors[source, anchor] = page
            page.lines.append(line)

    def markdown(self, page):
        return self._linked(python_markdown("\n".join(page.lines)), page)

    def _linked(self, text, page):
        result, prose = [], []

        def flush():
            if prose:
                result.append(_LINK.sub(lambda match: self._link(match, page), "\n".join(prose)))
                prose.clear()

        for line, is_code in lines_outside_code(text):
            if is_code:
                flush()
                result.append(line)
            else:
                prose.append(line)
        flush()
        return "\n".join(result)

    def _link(self, match, page):
        if match[1]:  # code
            return match[0]
        is_picture, text, target = match[2], match[3], match[4]
        if re.match(r"[a-z]+:", target):
            return match[0]
        path, _, anchor = target.partition("#")
        source = os.path.normpath(os.path.join(os.path.dirname(page.source), path)) if path else page.source
        if source.startswith("docs/site/") and source != page.source:  # made for the site alone: mkdocs knows them
            return match[0]
        uri = self._uri(source, anchor)
        if uri is None:
            if not (ROOT / source).exists() or anchor or source.endswith(".md"):  # nothing there, or not on the site
                self.dead.append(f"{page.source}: {target}")
            return text
        place = os.path.relpath(uri, page.folder() or ".")
        return f"{is_picture}[{text}]({place}{'#' + anchor if anchor else ''})"

    def _uri(self, source, anchor):
        if anchor:
            page = self.anchors.get((source, anchor))
            return page.uri if page else None
        pages = self.sections(source)
        if pages:
            return pages[0].uri
        if pathlib.PurePath(source).suffix in _CARRIED and (ROOT / source).is_file():
            self.carried[source] = ROOT / source
            return source
        return None
