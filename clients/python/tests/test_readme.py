"""The README's first example runs as it stands."""

from __future__ import annotations

import re

import pytest
from conftest import ROOT, World


def test_first_example(world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("GATEWAY", world.url)
    monkeypatch.setenv("GATEWAY_KEY", world.key)
    text = (ROOT / "clients/python/README.md").read_text("utf-8")
    first = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]
    exec(compile(first, "README.md", "exec"), {})
    assert re.match("`send_email` was blocked: .*sensitive data", capsys.readouterr().out)
