#!/usr/bin/env python3
"""Every message about wrong input is met by a test.

What a configuration may have wrong is thrown as KeyError, ConfigError or value.error(...) in sim, in the cases and in
what loads a job. Each such place has words that no other one has; they must stand in a test, which gives the input that
leads there. tests/tools/bad_configs_test.cpp then holds `hodge check`, `hodge run --dry-run` and `hodge run` to the same
words. A new message without a test is listed by file and line.
"""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ('sim', 'cases', 'tools/hodge/program', 'tools/hodge/run')
LEAST = 10  # letters that words need to be looked for
LOOKED_FOR = 12  # letters at their beginning or end that a test has to have

# Words of messages that no file leads to, and why.
READER = 'the reader of files has a narrower range or another message; this one is for users of the library'
UNMET = {
    "unknown output field '": READER,
    "unknown output field 'mean_": READER,
    'cannot be used:': READER,
    'solids are given; at most': READER,
    'parts; at least': READER,
    '; at least 1 is needed': READER,
    'dimensions; 2 or 3 are possible': READER,
    '; a positive number is needed, 1 to 3 are usual': READER,
    'axis needs at least': READER,
    'a flow rate is held and the velocity is prescribed; only one can be': READER,
    'the convective coefficient of': READER,
    ', which is the name of another field': READER,
    "', expected residual": READER,
    '; time.step.cfl, max and size must be positive': READER,
    ', which lists the files that --overwrite may remove; choose another with --output, or empty it yourself':
        'met by its first words, which another message has too',
    "'; known are": 'of tables that readers look up first',
    'processes: expected 1 to': 'of processes that are launched, which tests of decompositions launch',
    'nothing is known of the stability of': 'every scheme has a row, which a test of the table says',
    ', with which the BLAS does not work here: expected a processor that has no more instructions than this one, '
    'or no such variable': 'of an environment that breaks the BLAS of some processors',
}


def statements():
    """Path, line, text of every throw of wrong input, up to its semicolon; adjacent literals are joined."""
    thrown = re.compile(r'throw (?:sim::)?(?:KeyError|ConfigError|wrong_input|[\w.\->()"]*\.error)\b')
    for top in SOURCES:
        for path in sorted((ROOT / top).rglob('*.[ch]pp')):
            text = path.read_text()
            for match in thrown.finditer(text):
                end, quoted = match.end(), False
                while text[end] != ';' or quoted:
                    quoted ^= text[end] == '"' and text[end - 1] != '\\'
                    end += 1
                yield path, text.count('\n', 0, match.start()) + 1, joined(text[match.end():end])


def joined(text):
    return re.sub(r'"\s*\n\s*"', '', text)


def words_of(statement):
    """The constant parts of its literals."""
    literals = re.findall(r'"((?:[^"\\]|\\.)*)"', statement)
    parts = [part.strip() for literal in literals for part in re.split(r'\{[^}]*\}', literal)]
    return [part for part in parts if len(part) >= LEAST]


def own_words(sites):
    """Those that no other site has, where a site has any; else all of its words."""
    for index, (path, line, words) in enumerate(sites):
        others = ' '.join(word for k, site in enumerate(sites) if k != index for word in site[2])
        yield path, line, [word for word in words if word not in others] or words


class Messages(unittest.TestCase):
    def test_of_wrong_input_are_all_met_by_a_test(self):
        sites = [(path, line, words_of(text)) for path, line, text in statements()]
        sites = [site for site in sites if site[2]]  # others pass a message on
        self.assertGreater(len(sites), 100)
        tests = ''.join(joined(path.read_text(errors='ignore')) for path in sorted((ROOT / 'tests').rglob('*'))
                        if path.suffix in ('.cpp', '.hpp', '.yaml', '.py') and path != pathlib.Path(__file__).resolve())
        unmet = [f'{path.relative_to(ROOT)}:{line}: {max(words, key=len)}' for path, line, words in own_words(sites)
                 if not any(word[:LOOKED_FOR] in tests or word[-LOOKED_FOR:] in tests for word in words)
                 and not any(known in words for known in UNMET)]
        self.assertEqual([], unmet, 'messages that no test meets:\n' + '\n'.join(unmet))

    def test_that_are_excused_are_still_there(self):
        said = {word for _, _, text in statements() for word in words_of(text)}
        self.assertEqual([], [word for word in UNMET if word not in said])


if __name__ == '__main__':
    unittest.main()
