"""The YAML that hodge ships, prints and writes has the same numbers for readers of YAML 1.1 (PyYAML, editors).

YAML 1.1 takes 1e-6 for a text: a number with an exponent needs a point, and the exponent a sign. Needs PyYAML.
"""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("HODGE_PROGRAM", str(ROOT / "build/bin/hodge"))
# Documents whose examples are YAML of configurations.
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("sim/*.md"), *ROOT.glob("configs/**/*.md")]
KEY = re.compile(r"^(- )?[\"A-Za-z_][\w\"]*:( |$)")


def hodge(*words, folder):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})


def is_number(text):
    return re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text) is not None


def numbers_as_text(text):
    """The scalars without quotes which hodge reads as numbers and YAML 1.1 as texts."""
    found, nodes = [], [yaml.compose(text)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, yaml.MappingNode):
            nodes += [part for pair in node.value for part in pair]
        elif isinstance(node, yaml.SequenceNode):
            nodes += node.value
        elif node is not None and node.style is None and is_number(node.value) and node.tag.endswith(":str"):
            found.append(node.value)
    return found


def examples(document):
    """The indented and the fenced blocks of a document that are YAML."""
    text = document.read_text()
    blocks = re.findall(r"^```yaml[^\n]*\n(.*?)^```", text, re.M | re.S)
    blocks += re.findall(r"(?:\n|\A)\n((?:    .*\n|\n(?=    ))+)", text)
    for block in blocks:
        lines = block.split("\n")
        indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
        lines = [line[indent:] for line in lines]
        if KEY.match(next((line for line in lines if line.strip()), "")):
            yield "\n".join(lines)


def settings_behind_marks(lines):
    """The settings that a starter file has as comments, below the comments at its top."""
    top = next(k for k, line in enumerate(lines) if not line.startswith("#"))
    found = [re.match(r"^ *# ([a-z_]+: [^#]*)", line) for line in lines[top:]]
    return [setting[1] for setting in found if setting]


@unittest.skipUnless(yaml, "python3-yaml is not installed")
class NumbersInYaml(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, text, where):
        self.assertEqual(numbers_as_text(text), [], where)
        return yaml.safe_load(text)

    def test_the_check_sees_them(self):
        self.assertEqual(numbers_as_text("{a: 1e-6, b: [2E3, 1.0e6], c: '1e-6', d: 1.0e-6, e: 1, f: 1/2}"),
                         ["1.0e6", "2E3", "1e-6"])

    def test_configurations(self):
        for file in sorted(ROOT.glob("configs/**/*.yaml")):
            self.check(file.read_text(), file)

    def test_examples_in_documents(self):
        seen = 0
        for document in DOCUMENTS:
            for block in examples(document):
                try:
                    yaml.compose(block)
                except yaml.YAMLError:
                    continue  # not YAML, or a part that ends in dots
                self.check(block, document)
                seen += 1
        self.assertGreater(seen, 15)

    def test_starters_with_every_setting_set(self):
        for case in json.loads(hodge("schema", folder=self.folder).stdout)["properties"]["case"]["enum"]:
            file = self.folder / f"{case}.yaml"
            made = hodge("init", case, "--all", folder=self.folder)
            self.assertEqual(made.returncode, 0, made.stderr)
            lines = file.read_text().split("\n")
            self.check("\n".join(lines), case)
            for setting in settings_behind_marks(lines):
                self.check(setting, f"{case}: {setting}")

    def test_what_a_run_resolves_its_file_to(self):
        for name in ("lid_driven_cavity", "robertson", "custom_heated_box", "custom_stirred_reaction"):
            with self.subTest(name):
                run = hodge("run", ROOT / f"configs/{name}.yaml", "--output", name, "--quiet", "--device", "cpu", "--set",
                            "time.steps=1", folder=self.folder)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.check((self.folder / name / "config.yaml").read_text(), name)

    def test_small_and_large_numbers_stay_the_same(self):
        (self.folder / "a.yaml").write_text(
            "case: robertson\ngrid: {cells: [4, 4]}\nparameters: {k1: 1e-7, k2: 2.5e-9, k3: 3e+11, diffusivity: 1.5e-300}\n"
            "time: {end: 1e-3, step: {size: 1e-3}}\nsolvers: {scalars: {tolerance: 1e-9}}\n")
        run = hodge("run", "a.yaml", "--quiet", "--device", "cpu", folder=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        text = (self.folder / "output/a/config.yaml").read_text()
        read = self.check(text, "config.yaml")
        self.assertEqual(read["parameters"], {"k1": 1e-7, "k2": 2.5e-9, "k3": 3e11, "diffusivity": 1.5e-300})
        self.assertEqual(read["solvers"]["scalars"]["tolerance"], 1e-9)
        again = hodge("run", "output/a/config.yaml", "--quiet", "--output", "b", "--device", "cpu", folder=self.folder)
        self.assertEqual(again.returncode, 0, again.stderr)
        other = yaml.safe_load((self.folder / "b/config.yaml").read_text())
        self.assertEqual({**other, "output": None}, {**read, "output": None})

    def test_the_schema_s_numbers_are_those_of_editors(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads(hodge("schema", folder=self.folder).stdout)
        validator = jsonschema.Draft7Validator(schema)
        for file in sorted(ROOT.glob("configs/**/*.yaml")):
            self.assertEqual([error.message for error in validator.iter_errors(yaml.safe_load(file.read_text()))], [], file)


if __name__ == "__main__":
    unittest.main()
