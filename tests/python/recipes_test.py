"""docs/RECIPES.md does what it says: its commands are typed, what they should print is compared, and its excerpts are those
of the files in configs/recipes."""

import pathlib
import re
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import documents  # noqa: E402
from documents import ROOT, markdown  # noqa: E402

PAGE = ROOT / "docs/RECIPES.md"
FILES = sorted(file.name for file in (ROOT / "configs/recipes").iterdir())


def sections():
    """{title: text} of the recipes, in their order."""
    parts = re.split(r"^## (.*)\n", PAGE.read_text(), flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


class Recipes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        documents.prepare(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_every_file_has_a_recipe(self):
        text = PAGE.read_text()
        self.assertEqual([name for name in FILES if f"configs/recipes/{name})" not in text], [])

    def test_every_excerpt_stands_in_a_file_that_the_recipe_links(self):
        for title, text in sections().items():
            linked = "".join((ROOT / "configs/recipes" / name).read_text() for name in FILES if f"/{name})" in text)
            for language, content in markdown.blocks(text):
                if language == "yaml":
                    self.assertIn(content, linked, title)


def add_test(number, title, text):
    def test(self):
        absent = documents.follow(self, text, self.folder)
        if absent:
            print(f"{title}: a block was skipped, this Python has no {', '.join(absent)}")
            self.skipTest(f"no {', '.join(absent)}")

    name = re.sub(r"\W+", "_", title.lower())
    setattr(Recipes, f"test_recipe_{number:02}_{name}", test)


for count, recipe in enumerate(sections().items(), 1):
    add_test(count, *recipe)

if __name__ == "__main__":
    unittest.main()
