"""Test for the Ray example with two local workers, if ``ray`` is installed (it isn't included in the extra
``test``)."""

import importlib.util
import warnings
from pathlib import Path

import houseway
import pytest

ray = pytest.importorskip("ray")


@pytest.mark.filterwarnings("ignore")  # from Ray
def test_shards_on_two_workers_add_up() -> None:
    script = Path(__file__).parents[1] / "examples" / "ray_sweep.py"
    spec = importlib.util.spec_from_file_location("ray_sweep", script)
    assert spec and spec.loader
    ray_sweep = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(ray_sweep)
        ray_sweep.start(2, None)
        try:
            found = ray_sweep.sweep(["trump-plaza", "foxwoods"], shards=200, parts=[4, 1])
        finally:
            ray.shutdown()
    for name, audit in found.items():
        here = [houseway.audit(name, shard=(part, 200)) for part in (1, 4)]
        assert audit == here[0] + here[1]
        assert audit.hands > 0 and not audit.is_whole
