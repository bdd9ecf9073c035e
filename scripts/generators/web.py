"""Pages of Markdown as HTML, to be read without a network."""

import re
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt

PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ max-width: 52em; margin: 2em auto; padding: 0 1em; font: 1em/1.5 sans-serif }}
img {{ max-width: 100% }}
pre {{ overflow-x: auto; padding: .5em; background: #eee }}
table {{ border-collapse: collapse }}
td, th {{ border: 1px solid #bbb; padding: .2em .5em; text-align: left; vertical-align: top }}
</style>
{body}</html>
"""


def page(source: Path, name: str, text: bytes) -> tuple[str, bytes]:
    """A page of Markdown as HTML: its new name and its content."""
    markdown = MarkdownIt().enable("table")
    tokens = markdown.parse(text.decode())
    title = ""
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            title = title or inside.content
            token.attrSet("id", re.sub(r"[^\w\- ]", "", inside.content.lower()).replace(" ", "-"))
        for link in inside.children or ():
            if (to := str(link.attrGet("href") or "")) and ":" not in to:
                link.attrSet("href", offline(source / Path(name).parent, to))
    body = markdown.renderer.render(tokens, markdown.options, {})
    return f"{name.removesuffix('.md')}.html", PAGE.format(title=title.replace("`", ""), body=body).encode()


def offline(folder: Path, to: str) -> str:
    """Where a link from a page in this folder leads among the pages of HTML."""
    path, sign, anchor = to.partition("#")
    if (folder / path / "README.md").is_file():
        path += "/README.md"
    return (f"{path.removesuffix('.md')}.html" if path.endswith(".md") else path) + sign + anchor
