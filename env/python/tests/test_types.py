"""Strict type checks for the package and a user's script, with the type checkers that are installed."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import houseway
import pytest

HERE = Path(__file__).parent
CONFIG = HERE.parent / "pyproject.toml"
SCRIPT = HERE / "data" / "user_script.py"


def told(*command: str, cwd: Path | None = None) -> str:
    """Runs a type checker outside the sources, so that it finds the installed package."""
    found = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env={**os.environ, "NO_COLOR": "1"})
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy_finds_nothing(tmp_path: Path) -> None:
    # The cache is kept for later runs, next to the installed package.
    mypy = [sys.executable, "-m", "mypy", "--cache-dir", str(Path(sys.prefix, "mypy-cache"))]
    assert "no issues found" in told(*mypy, "--config-file", str(CONFIG), "-p", "houseway", cwd=tmp_path)
    assert "no issues found" in told(*mypy, "--strict", "--config-file=", str(SCRIPT), cwd=tmp_path)
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import houseway\nhouseway.exact.hand_ev("As Ad Kh Kc Qs Qd 3c").exact("0", 0)\n')
    with pytest.raises(AssertionError, match="arg-type"):
        told(*mypy, "--strict", "--config-file=", str(wrong), cwd=tmp_path)


@pytest.mark.skipif(shutil.which("pyright") is None, reason="pyright is not installed")
def test_pyright_finds_nothing(tmp_path: Path) -> None:
    package = str(Path(houseway.__file__).parent)
    assert "0 errors" in told("pyright", "--pythonpath", sys.executable, package, str(SCRIPT), cwd=tmp_path)
