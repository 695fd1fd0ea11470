"""Formulas of the pages as MathML, which browsers draw by themselves: no script, nothing fetched. A hook of mkdocs.

Pages write `$...$` in a line and ```math for a formula of its own, which GitHub shows as well. Browsers need a font
that knows how to set mathematics: the glyphs that the pages use go with the site, from STIX Two Math.
"""

import re
from html import unescape
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter, load_font, save_font  # type: ignore[import-untyped]  # has no types
from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig

INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>([,.;:)]*)', re.S)
BLOCK = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.S)
FUNCTION = re.compile(r"(<mi>(?:exp|ln|log|max|min)</mi>)(?=<m(?!o))")
FENCE = re.compile(r"<mo>(&#x02016;|&#x0007C;)</mo>")
FONT = "css/stix-two-math.woff"
_used = {"√"}  # which a root does not spell out


def on_page_content(html: str, **more: Any) -> str:
    """The page with its formulas converted."""
    html = INLINE.sub(
        lambda found: f'<span class="formula-in-line">{mathml(found[1], "inline")}{found[2]}</span>', html
    )
    return BLOCK.sub(lambda found: f'<div class="formula">{mathml(found[1], "block")}</div>', html)


def on_post_build(config: MkDocsConfig, **more: Any) -> None:
    """Write the font, with the characters of the formulas and their variants in other sizes."""
    options = Options(flavor="woff", layout_features=["*"], notdef_outline=True)
    with as_file(files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf") as path:
        font = load_font(path, options)
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(sorted(_used | set(map(chr, range(0x20, 0x7F))))))
    subsetter.subset(font)
    save_font(font, Path(config.site_dir) / FONT, options)


def mathml(latex: str, display: str) -> str:
    """One formula.

    >>> mathml("x", "inline")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><mi>x</mi></mrow></math>'
    """
    text = unescape(latex).strip().replace("{aligned}", "{align*}")  # the same here, and GitHub wants the former
    formula = FUNCTION.sub(r'\1<mspace width="0.17em"/>', convert(text, display=display))
    formula = FENCE.sub(r'<mo stretchy="false">\1</mo>', formula)
    _used.update(italic(character) for character in unescape(formula))
    _used.update(unescape(formula))
    return formula


def italic(letter: str) -> str:
    """The letter as a variable: browsers set a single one in mathematical italics.

    >>> italic("x"), italic("α"), italic("2")
    ('𝑥', '𝛼', '2')
    """
    for first, last, start in (("A", "Z", 0x1D434), ("a", "z", 0x1D44E), ("Α", "Ω", 0x1D6E2), ("α", "ω", 0x1D6FC)):
        if first <= letter <= last:
            return "ℎ" if letter == "h" else chr(start + ord(letter) - ord(first))
    return letter
