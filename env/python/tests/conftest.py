"""Fixtures that several modules use."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """Runs the program with some arguments and returns its output. Skips the test if ``HOUSEWAY`` isn't its path."""
    program = os.environ.get("HOUSEWAY")
    if not program:
        pytest.skip("HOUSEWAY is not set to the houseway program")

    def run(*arguments: object, cwd: Path | None = None) -> str:
        return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True, cwd=cwd).stdout

    return run


@pytest.fixture(scope="session")
def foxwoods_settings() -> np.ndarray:
    """The settings of Foxwoods' way for all classes."""
    # The tests of numbers run without the package.
    import houseway
    from houseway import exact

    return exact.settings_of(houseway.HouseWay("foxwoods"))
