"""The site builds without a warning, every page is in its navigation, and it fetches nothing from elsewhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pages import ROOT

for package in ("material", "mkdocstrings", "ziamath"):
    pytest.importorskip(package, reason="the site is built with the extra dev")


def test_the_site_is_whole_and_needs_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")  # a page outside the navigation would be a warning
    for page in tmp_path.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        fetched = re.findall(r'<(?:script|img|iframe|source)[^>]* src="?(?:https?:)?//', text)
        fetched += re.findall(r'<link [^>]*(?:stylesheet|preload|preconnect|icon)[^>]* href="?(?:https?:)?//', text)
        assert fetched == [], page
        assert "arithmatex" not in text, f"{page}: a formula was not converted"
    for style in tmp_path.rglob("*.css"):
        assert not re.search(r"url\([\"']?(?:https?:)?//", style.read_text(encoding="utf-8")), style
    assert (tmp_path / "css" / "stix-two-math.woff").stat().st_size < 300_000
    index = json.loads((tmp_path / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert {"start-here/", "changelog/", "reference/command-line/", "reference/learners/#onebit.OneBit"} <= {
        entry["location"] for entry in index["docs"]
    }
