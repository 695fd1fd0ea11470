"""Formulas and docstrings as the site shows them."""

import doctest

import pytest

pytest.importorskip("ziamath", reason="the site is built with the extra dev")
pytest.importorskip("griffe", reason="the site is built with the extra dev")

from docs import docstrings, formulas


def test_their_examples() -> None:
    for module in (docstrings, formulas):
        outcome = doctest.testmod(module)
        assert outcome.attempted
        assert not outcome.failed


def test_a_page_has_its_formulas_converted_and_nothing_else() -> None:
    page = (
        r'<p>Let <span class="arithmatex">\(p_r &lt; 1\)</span>, <code>$x$</code>.</p>'
        r'<div class="arithmatex">\[\begin{aligned} a &amp;= b \\ c &amp;= \lVert \log P \rVert \end{aligned}\]</div>'
    )
    html = formulas.on_page_content(page)
    assert "arithmatex" not in html
    assert html.count("<math") == 2
    assert html.count("<mtr>") == 2
    assert "<mi>&" not in html
    assert '<mi>log</mi><mspace width="0.17em"/><mi>P</mi>' in html
    assert '<mo stretchy="false">&#x02016;</mo>' in html
    assert "</math>,</span> <code>$x$</code>" in html


def test_doctests_become_blocks_and_the_prose_between_them_stays() -> None:
    text = "Idea.\n\n>>> for k in range(2):\n...     print(k)\n0\n1\n\nReference: somebody.\n\n>>> 1\n1"
    assert docstrings.fenced(text) == (
        "Idea.\n\n```pycon\n>>> for k in range(2):\n...     print(k)\n0\n1\n```\n\nReference: somebody.\n\n"
        "```pycon\n>>> 1\n1\n```\n"
    )
