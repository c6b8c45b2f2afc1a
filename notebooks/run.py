"""Executes the notebooks and stores their output.

The sources are the `.py` files (jupytext's percent format). The `.ipynb` file next to each of them is the same notebook
after it was executed.

    python notebooks/run.py             executes all notebooks and writes every `.ipynb`
    python notebooks/run.py 1 2         only executes the notebooks whose names start with 1 or 2
    python notebooks/run.py --check     executes all notebooks without writing anything, and fails if the cells or the
                                        output of an `.ipynb` are different

The check compares the printed text of every cell. Words must be identical, and numbers may differ by one unit in the
last digit, since results can vary between machines. Images aren't compared, but the notebooks print the numbers shown
in them.

Two notebooks run at a time. NumPy uses a single thread in each of them, because more threads would wait for each other
on two cores. Its matrix products use the same kernels on all x86-64 processors with AVX2, so that training gives the
same numbers. If two notebooks need the same count for the whole game, it's only computed once. Requires the package
with its `notebooks` extra.
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

# NumPy and its linear algebra round sums differently with AVX-512, and training amplifies the difference. The notebooks'
# kernels inherit these variables.
os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", "X86_V4 AVX512_ICL AVX512_SPR")
os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

FOLDER = Path(__file__).parent
SECONDS_A_CELL = 1800
AT_A_TIME = 2


def sources(names: list[str]) -> list[Path]:
    """Return the notebooks whose names start with one of these, or all notebooks if the list is empty."""
    found = sorted(FOLDER.glob("[0-9]*.py"))
    for name in names:
        if not any(path.name.startswith(name) for path in found):
            raise SystemExit(f"no notebook starts with '{name}'; expected one of: {', '.join(path.stem for path in found)}")
    return [path for path in found if not names or path.name.startswith(tuple(names))]


def executed(source: Path) -> nbformat.NotebookNode:
    """Execute a notebook and return it with its output."""
    notebook = jupytext.read(source)
    for i, cell in enumerate(notebook.cells):
        cell.id = f"cell-{i}"  # stays the same in every run
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
    """Return the printed text in a cell's output."""
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
    """Return the first line in which two printed texts differ by more than the tolerance."""
    lines = one.splitlines(), other.splitlines()
    for left, right in zip(*lines):
        numbers = NUMBER.findall(left), NUMBER.findall(right)
        # If a number gets shorter, the words next to it move.
        words = [" ".join(NUMBER.sub("0", line).split()) for line in (left, right)]
        if words[0] != words[1] or not all(map(is_near, *numbers)):
            return f"'{left}', but the file has '{right}'"
    return None if len(lines[0]) == len(lines[1]) else f"{len(lines[0])} lines, but the file has {len(lines[1])}"


def problem(notebook: nbformat.NotebookNode, path: Path) -> str | None:
    """Return a description of how the notebook in a file differs from the executed one, or `None` if they match."""
    if not path.exists():
        return "the file is missing"
    other = nbformat.read(path, as_version=4)
    cells = [[(cell.cell_type, cell.source) for cell in it.cells] for it in (notebook, other)]
    if cells[0] != cells[1]:
        return "the cells differ from its source"
    for i, (cell, theirs) in enumerate(zip(notebook.cells, other.cells)):
        if cell.cell_type != "code":
            continue
        if not theirs.execution_count:
            return f"cell {i} was never executed"
        if differs := difference(printed(cell), printed(theirs)):
            return f"cell {i} prints {differs}"
    return None


def run(source: Path, write: bool) -> bool:
    """Run one notebook and return whether it succeeded."""
    begun, target = time.perf_counter(), source.with_suffix(".ipynb")
    try:
        notebook = executed(source)
    except CellExecutionError as error:
        print(f"{source.name} failed:\n{error}", file=sys.stderr)
        return False
    if write:
        nbformat.write(notebook, target)
    elif found := problem(notebook, target):
        print(f"{target.name}: {found}; run `python notebooks/run.py {source.stem}` to update it", file=sys.stderr)
        return False
    print(f"{source.stem}: {time.perf_counter() - begun:.0f} s", flush=True)
    return True


def main() -> int:
    """Run the notebooks given on the command line. Returns 1 if any of them failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only notebooks whose names start with this")
    parser.add_argument("--check", action="store_true", help="write nothing, and fail if an .ipynb is out of date")
    arguments = parser.parse_args()
    begun, chosen = time.perf_counter(), sources(arguments.names)
    with tempfile.TemporaryDirectory() as counts, ThreadPoolExecutor(AT_A_TIME) as pool:
        os.environ["HOUSEWAY_COUNTS"] = counts  # inherited by the kernels
        os.environ.pop("PYTHONSAFEPATH", None)  # otherwise, the notebooks couldn't import course.py
        for library in ("OPENBLAS", "OMP", "MKL"):
            os.environ.setdefault(f"{library}_NUM_THREADS", "1")
        passed = list(pool.map(lambda source: run(source, not arguments.check), chosen))
    print(f"{len(chosen)} notebooks: {time.perf_counter() - begun:.0f} s")
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main())
