"""Blocks of our documents that are meant to be typed or saved: tutorials and the gallery are run from their own text."""

import re


def blocks(text):
    """[(language, content)] of the fenced blocks, in their order."""
    return [(match[1], match[2]) for match in re.finditer(r"^```(\w*)[^\n]*\n(.*?)^```", text, re.M | re.S)]


def file_name(content):
    """The name in the first line of a block that is a file, `# channel.yaml`; empty for an example."""
    match = re.match(r"# (\S+\.yaml)\n", content)
    return match[1] if match else ""
