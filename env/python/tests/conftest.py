"""Fixtures that several modules use."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def foxwoods_settings() -> np.ndarray:
    """The settings of Foxwoods' way for all classes."""
    # The tests of numbers run without the package.
    import houseway
    from houseway import exact

    return exact.settings_of(houseway.HouseWay("foxwoods"))
