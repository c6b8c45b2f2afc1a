"""Runs the notebooks and writes what they show.

The sources are the `.py` files (jupytext's percent format); the `.ipynb` beside each one is the same notebook, executed.

    python notebooks/run.py             runs all and writes every `.ipynb`
    python notebooks/run.py 1 2         only those whose names begin so
    python notebooks/run.py --check     runs all, writes nothing, and fails if an `.ipynb` is not the twin of its source

Two run at a time, each with one thread for NumPy's products, which would wait for each other on two cores. Within a run a
count of the whole game that two notebooks need is made once. Needs the package with its extra `notebooks`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = Path(__file__).parent
SECONDS_A_CELL = 1800
AT_A_TIME = 2


def sources(names: list[str]) -> list[Path]:
    """The notebooks whose names begin with one of these; all of them if there are none."""
    found = sorted(FOLDER.glob("[0-9]*.py"))
    for name in names:
        if not any(path.name.startswith(name) for path in found):
            raise SystemExit(f"no notebook begins with '{name}'; there are {', '.join(path.stem for path in found)}")
    return [path for path in found if not names or path.name.startswith(tuple(names))]


def executed(source: Path) -> nbformat.NotebookNode:
    """The notebook of a source with what its cells show."""
    notebook = jupytext.read(source)
    for i, cell in enumerate(notebook.cells):
        cell.id = f"cell-{i}"  # the same in every run
    place = {"metadata": {"path": str(FOLDER)}}
    client = NotebookClient(
        notebook, timeout=SECONDS_A_CELL, kernel_name="python3", resources=place, record_timing=False,
        extra_arguments=["--log-level=ERROR"],
    )
    client.execute()
    notebook.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        }
    )
    return notebook


def is_twin(notebook: nbformat.NotebookNode, path: Path) -> bool:
    """Return whether the notebook in a file has the same cells and was executed."""
    if not path.exists():
        return False
    other = nbformat.read(path, as_version=4)
    cells = [[(cell.cell_type, cell.source) for cell in it.cells] for it in (notebook, other)]
    return cells[0] == cells[1] and all(cell.execution_count for cell in other.cells if cell.cell_type == "code")


def run(source: Path, write: bool) -> bool:
    """Runs one notebook; whether all went well."""
    begun, target = time.perf_counter(), source.with_suffix(".ipynb")
    try:
        notebook = executed(source)
    except CellExecutionError as error:
        print(f"{source.name} failed:\n{error}", file=sys.stderr)
        return False
    if write:
        nbformat.write(notebook, target)
    elif not is_twin(notebook, target):
        print(f"{target.name} is not {source.name} executed: python notebooks/run.py writes it", file=sys.stderr)
        return False
    print(f"{source.stem}: {time.perf_counter() - begun:.0f} s", flush=True)
    return True


def main() -> int:
    """Runs what the command line asks for; 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only notebooks whose names begin so")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if an .ipynb is not up to date")
    arguments = parser.parse_args()
    begun, chosen = time.perf_counter(), sources(arguments.names)
    with tempfile.TemporaryDirectory() as counts, ThreadPoolExecutor(AT_A_TIME) as pool:
        os.environ["HOUSEWAY_COUNTS"] = counts  # the kernels inherit it
        for library in ("OPENBLAS", "OMP", "MKL"):
            os.environ.setdefault(f"{library}_NUM_THREADS", "1")
        passed = list(pool.map(lambda source: run(source, not arguments.check), chosen))
    print(f"{len(chosen)} notebooks: {time.perf_counter() - begun:.0f} s")
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main())
