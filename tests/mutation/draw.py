"""Mistakes of one line that nobody picked: places in the sources, and whether a mistake there counts.

A place counts where the file with the mistake compiles, in one of the sources that read it, to other object code
than without. mutate.py plants the drawn ones as it plants those of mistakes.txt, in which form they are written.
"""

import collections
import concurrent.futures
import hashlib
import json
import pathlib
import random
import re
import shlex
import subprocess
import tempfile

Place = collections.namedtuple("Place", "kind file begin end mistaken")  # source[begin:end] becomes mistaken

FOLDERS = ["linalg", "sim", "tools"]
# Compiled elsewhere; programs that measure, and published figures; what runs before the switch is read.
OTHERS = r"cuda|^tools/hodge/(?:bench|reproduce)/|^tools/hodge/program/(?:environment|limits)\.cpp$"
SWAPS = {  # words of a kind; the other one has to be near
    "array": [("old", "new"), ("before", "now"), ("previous", "current"), ("from", "to"), ("in", "out"),
              ("first", "second"), ("x", "b"), ("row", "column"), ("rows", "cols"), ("a", "b"), ("r", "z"), ("p", "q")],
    "axis": [("d", "e"), ("i", "j"), ("j", "k"), ("axis", "d"), ("nx", "ny")],
    "side": [("lower", "upper"), ("below", "above"), ("least", "most"), ("begin", "end"), ("first", "last"),
             ("min", "max"), ("min_element", "max_element"), ("strictly_lower", "strictly_upper")],
}
OTHER = {"+": "-", "-": "+", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "*": "/", "/": "*",
         "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
MESSAGES = (r"\bstatic_assert\s*\(|\bthrow\b|\b(?:fmt::\w+|snprintf|refuse\w*|damaged|message\w*|warn\w*|tell|print\w*|"
            r"advice|describe\w*|quote|add_option|add_flag|add)\s*\(")
NEAR = 600  # characters
MOST_SOURCES = 5  # that are compiled with a mistake until one has other object code
NOT_SIMPLE = r"(?:const|auto|static|using|typedef|constexpr|struct|class|case|default|goto|break|continue|delete|" \
             r"namespace|template|public|private|friend|throw|explicit|virtual|inline|enum|if|for|while|else|do|" \
             r"switch|try|catch|return)\b"
SIMPLE = r"(?:\*|\+\+|--)?[A-Za-z_][\w:]*(?:\.|->|::|\w|\[[^\]]*\]|\([^()]*\))*\s*(?:[-+*/|&]?=(?!=)|\(|\+\+|--|;)"


def blanked(text):
    return re.sub(r"[^\n]", " ", text)


def masked(source):
    """The source with blanks in place of comments, texts, directives, messages and what is evaluated when compiling."""
    source = re.sub(r"(?s)//[^\n]*|/\*.*?\*/|R\"(\w*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'",
                    lambda found: blanked(found[0]), source)
    source = re.sub(r"(?m)^[ \t]*#(?:.*\\\n)*.*|^.*\\$|^.*\bconstexpr\b[^{]*?;",
                    lambda found: blanked(found[0]), source)
    for found in re.finditer(MESSAGES, source):
        end = found.end()
        depth = source[end - 1] == "("
        while end < len(source) and (depth > 0 if source[found.end() - 1] == "(" else source[end] != ";"):
            depth += {"(": 1, ")": -1}.get(source[end], 0)
            end += 1
        source = source[: found.start()] + blanked(source[found.start() : end]) + source[end:]
    return source


def edge(text, at, step, stops):
    """Where an expression or a statement around `at` ends: before what encloses it, or a stop outside of brackets."""
    opening, closing = (")]}", "([{") if step < 0 else ("([{", ")]}")
    depth = 0
    while 0 <= (next_one := at - 1 if step < 0 else at) < len(text):
        c = text[next_one]
        if c in closing:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and stops(text, next_one):
            break
        elif c in opening:
            depth += 1
        at += step
    return at


def ends_expression(text, i):
    two, colons = text[i : i + 2], text[max(i - 1, 0) : i + 2]
    is_assignment = text[i] == "=" and text[i - 1] not in "=<>!" and text[i + 1 : i + 2] != "="
    return text[i] in ";,?}" or is_assignment or (text[i] == ":" and "::" not in colons) or "&&" in (
        two, text[i - 1 : i + 1]) or "||" in (two, text[i - 1 : i + 1])


def ends_statement(text, i):
    return text[i] in ";{}"


def statement_around(text, begin, end):
    """The simple statement that begins and ends around the token, with its semicolon; or None."""
    first, last = edge(text, begin, -1, ends_statement), edge(text, end, 1, ends_statement)
    if last >= len(text) or text[last] != ";":
        return None
    while True:
        first += len(text[first:last]) - len(text[first:last].lstrip())
        control = re.match(r"(?:if|for|while)\s*(?:constexpr\s*)?\(|else\b", text[first:last])
        if not control:
            break
        first += control.end()
        if control[0] != "else":
            first = edge(text, first, 1, lambda *_: False) + 1
    words = text[first : last + 1]
    simple = re.match(SIMPLE, words) and not re.match(NOT_SIMPLE, words)
    return (first, last + 1) if first <= begin and (simple or words.startswith("return ")) else None


def expression_around(text, begin, end):
    first, last = edge(text, begin, -1, ends_expression), edge(text, end, 1, ends_expression)
    part = text[first:last]
    first += len(part) - len(part.lstrip())
    first += len((re.match(r"(?:return|else|case)\s+", text[first:last]) or [""])[0])
    return first, first + len(text[first:last].rstrip())


def tokens_of(text):
    """(kind, begin, end, other): a token and what it is mistaken for."""
    for found in re.finditer(r" ([-+*/]=|[-+*/]|[<>]=?|[=!]=) (?=[^\s>])", text):
        kind = {"+": "sign", "-": "sign", "*": "factor", "/": "factor"}.get(found[1][0], "comparison")
        yield kind, *found.span(1), OTHER[found[1]]
    for found in re.finditer(r"(?<![\w.])(\d+\.\d+(?:e-?\d+)?|\d+e-?\d+)(?![\w.])", text):
        if float(found[1]) != 0:
            yield "factor", *found.span(1), f"(1.5 * {found[1]})"
    for found in re.finditer(r"(?<=[\w\])])\[([^\[\],=&;]+)\]", text):
        for step in (" + 1", " - 1"):
            yield "index", *found.span(1), found[1] + step
    for kind, pairs in SWAPS.items():
        for pair in pairs + [(b, a) for a, b in pairs]:
            for found in re.finditer(rf"(?<!::)\b{pair[0]}(_?)\b(?!::)", text):
                near = text[max(0, found.start() - NEAR) : found.end() + NEAR]
                if kind == "side" or re.search(rf"\b{pair[1]}{found[1]}\b", near):
                    yield kind, *found.span(), pair[1] + found[1]


def places_of(file, source):
    text = masked(source)
    for kind, begin, end, other in tokens_of(text):
        around = statement_around(text, begin, end) or expression_around(text, begin, end)
        first, last = around
        part = source[first:last]
        if first <= begin and end <= last and "//" not in part and part.count("\n") < 4 and part.strip():
            yield Place(kind, file, first, last, source[first:begin] + other + source[end:last])
    for found in re.finditer(r"(?m)^[ \t]+(\S[^\n;]*(?:\n[^\n;]*){0,2};)[ \t]*$", text):
        around = statement_around(text, found.start(1), found.start(1) + 1)
        if around and not text[around[0] :].startswith("return") and around[1] - around[0] > 4:
            yield Place("statement", file, *around, ";")


def all_places(root, only):
    places = collections.defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            file = str(path.relative_to(root))
            if not re.search(OTHERS, file) and (not only or re.search(only, file)):
                for place in places_of(file, path.read_text()):
                    places[place.kind].append(place)
    return places


def block_of(source, place, pattern_of, hints):
    """The place as a block of mistakes.txt, and its lines: so many that its text is there once."""
    first, last = source.rfind("\n", 0, place.begin) + 1, source.find("\n", place.end)
    line = source.count("\n", 0, place.begin) + 1
    while len(re.findall(pattern_of(source[first:last]), source)) > 1:
        if first == 0 or source[first:last].count("\n") > 12:
            return None, None
        first = source.rfind("\n", 0, first - 1) + 1
    text = source[first : place.begin] + "«" + source[place.begin : place.end] + "»" + source[place.end : last]
    signed = [f"{sign} {one.strip()}" for sign, part in (("-", text), ("+", place.mistaken))
              for one in part.split("\n") if one.strip()]
    block = "\n".join([f"[{place.file}] {place.kind}, line {line} @ {hints}", *signed])
    return block, (source.count("\n", 0, first), source.count("\n", 0, last))


class Compilations:
    """Compiles sources of a configured checkout with one file changed."""

    def __init__(self, root, made):
        self.root = root
        self.commands, self.reads, self.plain = {}, {}, {}
        for command in json.loads((made / "compile_commands.json").read_text()):
            path = pathlib.Path(command["file"]).resolve()
            name = str(path.relative_to(root) if path.is_relative_to(root) else path)  # some are generated
            if path.exists():
                self.commands[name] = command
                self.included_by(name)

    def included_by(self, file):
        """The headers of the checkout that the file reads: how many includes away."""
        if file not in self.reads:
            found = self.reads[file] = {file: 0}
            for name in re.findall(r'(?m)^\s*#include "([^"]+)"', (self.root / file).read_text()):
                for header, away in self.included_by(name).items() if (self.root / name).is_file() else ():
                    found[header] = min(found.get(header, away + 1), away + 1)
        return self.reads[file]

    def sources_of(self, file):
        """Those that are near first."""
        if file.endswith(".cpp"):
            return [file] if file in self.commands else []
        readers = [source for source in self.commands if file in self.included_by(source)]
        return sorted(readers, key=lambda s: (self.included_by(s)[file], len(self.included_by(s)), s))

    def output(self, source, file, text, *options):
        """Of the compiler, with this text of the file unless that is None; None where it fails."""
        command = self.commands[source]
        words = shlex.split(command["command"])
        words = words[next(i for i, word in enumerate(words) if "++" in pathlib.Path(word).name) :]
        words = words[: words.index("-o")]
        with tempfile.TemporaryDirectory() as folder:
            compiled = self.root / source
            if file is not None:
                changed = pathlib.Path(folder, file)
                changed.parent.mkdir(parents=True)
                changed.write_text(text)
                compiled = changed if source == file else compiled
            done = subprocess.run([words[0], f"-I{folder}", *words[1:], "-g0", "-O1", *options, str(compiled)],
                                  cwd=command["directory"], capture_output=True, text=True, errors="replace")
        return re.sub(r'(?m)^\s*\.(?:file|ident|string\s+"/tmp).*', "", done.stdout) if done.returncode == 0 else None

    def assembly(self, source, file, text):
        found = self.output(source, file, text, "-S", "-o", "-")
        return found and hashlib.sha256(found.encode()).hexdigest()

    def verdict(self, file, mistaken, planted):
        """What planting the branch, and the mistake alone, make of the sources that read the file."""
        for source in self.sources_of(file)[:MOST_SOURCES]:
            if self.output(source, file, planted, "-fsyntax-only") is None:
                return "do not compile"
            if source not in self.plain:
                self.plain[source] = self.assembly(source, None, None)
            if self.assembly(source, file, mistaken) not in (None, self.plain[source]):
                return "count"
        return "change no object code"


def hints_of(root, file):
    """Tests that concern the file: those that mirror it, read its header, or mirror its folder; else its program."""
    mirrored = [root / "tests" / pathlib.Path(file).with_name(pathlib.Path(file).stem + "_test.cpp")]
    if not mirrored[0].is_file():
        header = f'"{pathlib.Path(file).with_suffix(".hpp")}"'
        mirrored = [path for path in sorted((root / "tests").rglob("*_test.cpp")) if header in path.read_text()][:4]
    mirrored = mirrored or sorted((root / "tests" / file).parent.glob("*_test.cpp"))
    suites = collections.defaultdict(list)
    for path in mirrored:
        program = path.relative_to(root / "tests").parts[0]
        names = re.findall(r"(?m)^(?:TYPED_)?TEST(?:_[FP])?\((\w+),", path.read_text())
        suites[program] += [f"*{name}*" for name in dict.fromkeys(names)]
    hints = [f"{program}:{':'.join(names)}" for program, names in suites.items() if names]
    return " ".join(hints or [f"{file.split('/')[0]}:*"])


def draw(root, made, arguments, log, plant, pattern_of):
    """Blocks of so many mistakes that count; verdicts are kept in the log."""
    known = dict(json.loads(line) for line in log.read_text().splitlines()) if log.exists() else {}
    chance = random.Random(arguments.seed)
    places = all_places(root, arguments.only)
    for kind in places:
        chance.shuffle(places[kind])
    compilations = Compilations(root, made)
    blocks, taken, seen = [], collections.defaultdict(list), collections.Counter()

    def judge(place):
        source = (root / place.file).read_text()
        block, lines = block_of(source, place, pattern_of, hints_of(root, place.file))
        if block is None or block in known:
            return block, lines, known.get(block, "are there more than once")
        mistaken = source[: place.begin] + place.mistaken + source[place.end :]
        planted = plant(block, source)
        return block, lines, compilations.verdict(place.file, mistaken, planted) if planted else "cannot be planted"

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, open(log, "a") as kept:
        while len(blocks) < arguments.count and any(places.values()):
            batch = []
            while len(batch) < 2 * arguments.jobs and any(places.values()):
                batch.append(places[chance.choice(sorted(kind for kind in places if places[kind]))].pop())
            for place, (block, lines, verdict) in zip(batch, pool.map(judge, batch)):
                seen[verdict] += 1
                if block and block not in known:
                    known[block] = verdict
                    print(json.dumps([block, verdict]), file=kept, flush=True)
                apart = lines and all(lines[1] + 1 < a or b + 1 < lines[0] for a, b in taken[place.file])
                if verdict == "count" and apart and len(blocks) < arguments.count:
                    taken[place.file].append(lines)
                    blocks.append(block)
            print(f"{len(blocks)} of {arguments.count}: " + ", ".join(f"{v} {k}" for k, v in seen.items()), flush=True)
    return blocks
