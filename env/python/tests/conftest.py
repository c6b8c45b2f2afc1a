"""Fixtures that several modules use."""

import houseway
import numpy as np
import pytest
from houseway import exact


@pytest.fixture(scope="session")
def foxwoods_settings() -> np.ndarray:
    """The settings of Foxwoods' way for all classes."""
    return exact.settings_of(houseway.HouseWay("foxwoods"))
