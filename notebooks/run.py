"""Runs the notebooks and writes what they show.

The sources are the `.py` files (jupytext's percent format); the `.ipynb` beside each one is the same notebook, executed.

    python notebooks/run.py             runs all and writes every `.ipynb`
    python notebooks/run.py 1 2         only those whose names begin so
    python notebooks/run.py --check     runs all, writes nothing, and fails if an `.ipynb` has other cells or other outputs

The check compares the printed text of every cell: words exactly, numbers to one unit in their last digit, which is as far as
machines may differ. Pictures are not compared; the numbers that they show are printed.

Two run at a time, each with one thread for NumPy's products, which would wait for each other on two cores. Within a run a
count of the whole game that two notebooks need is made once. Needs the package with its extra `notebooks`.
"""

from __future__ import annotations

import argparse
import os
import re
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


NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?")


def printed(cell: nbformat.NotebookNode) -> str:
    """Return the text that a cell shows."""
    shown = ""
    for output in cell.get("outputs", []):
        shown += output.get("text", "") or output.get("data", {}).get("text/plain", "")
    return shown


def is_near(one: str, other: str) -> bool:
    """Return whether two numbers differ by at most one unit in their last digit."""
    one, other = one.replace(",", ""), other.replace(",", "")
    if "e" in one or "e" in other:
        return abs(float(one) - float(other)) <= 1e-3 * abs(float(one))
    digits = min(len(text.partition(".")[2]) for text in (one, other))
    return abs(float(one) - float(other)) <= 1.5 * 10.0**-digits if "." in one + other else one == other


def difference(one: str, other: str) -> str | None:
    """Return the first line in which two printed texts differ by more than machines may."""
    lines = one.splitlines(), other.splitlines()
    for left, right in zip(*lines):
        numbers = NUMBER.findall(left), NUMBER.findall(right)
        # A number that gets shorter moves the words beside it.
        words = [" ".join(NUMBER.sub("0", line).split()) for line in (left, right)]
        if words[0] != words[1] or not all(map(is_near, *numbers)):
            return f"'{left}', in the file '{right}'"
    return None if len(lines[0]) == len(lines[1]) else f"{len(lines[0])} lines, in the file {len(lines[1])}"


def problem(notebook: nbformat.NotebookNode, path: Path) -> str | None:
    """Return how the notebook in a file differs from the executed one, if it does."""
    if not path.exists():
        return "it is missing"
    other = nbformat.read(path, as_version=4)
    cells = [[(cell.cell_type, cell.source) for cell in it.cells] for it in (notebook, other)]
    if cells[0] != cells[1]:
        return "its cells are not those of its source"
    for i, (cell, theirs) in enumerate(zip(notebook.cells, other.cells)):
        if cell.cell_type != "code":
            continue
        if not theirs.execution_count:
            return f"cell {i} was not executed"
        if differs := difference(printed(cell), printed(theirs)):
            return f"cell {i} prints {differs}"
    return None


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
    elif found := problem(notebook, target):
        print(f"{target.name}: {found}; python notebooks/run.py {source.stem} writes it", file=sys.stderr)
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
        os.environ.pop("PYTHONSAFEPATH", None)  # it would hide course.py, which lies beside the notebooks
        for library in ("OPENBLAS", "OMP", "MKL"):
            os.environ.setdefault(f"{library}_NUM_THREADS", "1")
        passed = list(pool.map(lambda source: run(source, not arguments.check), chosen))
    print(f"{len(chosen)} notebooks: {time.perf_counter() - begun:.0f} s")
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main())
