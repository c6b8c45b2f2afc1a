"""Checks that every number in the prose of the documentation is that of its source in experiments/book/numbers.toml."""

import ast
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import pytest

tomllib = pytest.importorskip("tomllib")

ROOT = Path(__file__).resolve().parents[3]
BOOK = ROOT / "experiments/book/src"
if not BOOK.exists():
    pytest.skip("the book is only in the repository", allow_module_level=True)
SOURCES = tomllib.loads((ROOT / "experiments/book/numbers.toml").read_text("utf-8"))
# Generated chapters have tests of their own.
CHAPTERS = [
    "index.md", "start.md", "questions.md", "tutorials/*.md", "how-to/*.md", "games/*.md", "how-it-works/*.md",
    "results/index.md", "results/claims.md", "glossary.md", "reference/strategies.md",
    "reference/paytables.md", "reference/files.md",
]  # fmt: skip
# Written by commands, put together from other pages, or somebody else's.
WRITTEN = ("env/docs/", "env/python/examples/", "experiments/book/", "experiments/lab/tests/", "results/")


@cache
def tracked() -> set[str]:
    """Returns the paths of all files in the repository."""
    return set(subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines())


PAGES = {
    name: ROOT / name
    for name in sorted(tracked())
    if name.endswith(".md") and (name == "results/README.md" or not name.startswith(WRITTEN))
} | {
    path.relative_to(BOOK).as_posix(): path for pattern in CHAPTERS for path in sorted(BOOK.glob(pattern))
}
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
# A row of a table of limits, which names the constant.
LIMIT = r"(?m)^\|[^|]+\| ([\d,]+) \| `(\w+)` in `([\w./]+)` \|$"
# Everything in a page that isn't prose by hand, and dates. What is between "Written by" and "End" is generated.
OTHER = [
    LIMIT,
    r"(?ms)^([ >]*)(```|~~~).*?^\1\2[^\n]*$",
    r"(?s)<!-- Written by .*?<!-- End .*?-->",
    r"(?s)<!--.*?-->",
    r"(?s)(`+)(?!`).*?(?<!`)\1(?!`)",
    r"(?s)\]\([^)]*\)",
    r"(?m)^\[[^\]\n]+\]:.*$",
    r"(?s)<[a-zA-Z/][^>]*>",
    r"\b\d{4}-\d\d-\d\d\b",
    rf"\b\d{{1,2}} ({MONTHS})\b",
]
# A number that isn't part of a word, of a version or of an identifier.
NUMBER = re.compile(
    r"(?<![A-Za-z#_.\d])(?<!\w-)((?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e-\d+)?%?)(?![A-Za-z_#\d-])(?!\.\d)"
)


def numbers(text: str) -> set[str]:
    """Returns the numbers in the prose of a page that need a source."""
    for pattern in OTHER:
        text = re.sub(pattern, " ", text)
    found = set(NUMBER.findall(text))
    is_year = re.compile(r"(19|20)\d\d").fullmatch
    long = {it for it in found if "." in it or "%" in it or len(re.sub(r"\D", "", it.split("e")[0])) >= 3}
    return {it for it in long if not is_year(it)}


def value(found: Any) -> Fraction | None:
    """Returns the number that a result consists of, or None for other text."""
    if isinstance(found, (int, float)):
        return Fraction(found)
    text = found.replace(",", "")
    if re.fullmatch(r"[+-]?\d+/\d+", text):
        return Fraction(text)
    if re.fullmatch(r"[+-]?\d+(\.\d+)?%?", text):
        return Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1)
    return None


def evaluate(expression: str) -> Fraction:
    """Evaluates integers, binomial coefficients C(n,k) and the four operations."""

    def of(node: ast.expr) -> Fraction:
        match node:
            case ast.Constant(value=int(number)):
                return Fraction(number)
            case ast.Call(func=ast.Name(id="C"), args=[n, k]):
                return Fraction(comb(int(of(n)), int(of(k))))
            case ast.BinOp(left=left, op=op, right=right):
                operations: dict[type, Callable[[Fraction, Fraction], Fraction]] = {
                    ast.Add: lambda a, b: a + b,
                    ast.Sub: lambda a, b: a - b,
                    ast.Mult: lambda a, b: a * b,
                    ast.Div: lambda a, b: a / b,
                }
                return operations[type(op)](of(left), of(right))
        raise ValueError(expression)

    return of(ast.parse(expression, mode="eval").body)


def agrees(text: str, exact: Fraction, entry: dict[str, Any]) -> bool:
    """Returns whether a printed number is an exact one, rounded. Signs are left out."""
    match = re.fullmatch(r"([\d,]+(?:\.\d+)?)(?:e-(\d+))?(%?)", text)
    assert match
    digits, exponent, percent = match[1].replace(",", ""), Fraction(1, 10 ** int(match[2] or 0)), match[3]
    decimals = len(digits.split(".")[1]) if "." in digits else 0
    shown, unit = Fraction(digits) * exponent, Fraction(1, 10**decimals) * exponent
    exact = abs(exact) * Fraction(str(entry.get("scale", 100 if percent else 1)))
    if entry.get("compare") == "below":
        return exact < shown
    if entry.get("round") == "up":
        return shown - unit < exact <= shown
    if entry.get("round") == "down":
        return shown <= exact < shown + unit
    return abs(exact - shown) <= unit / 2


def interquartile_mean(values: list[Fraction]) -> Fraction:
    """Returns the mean of the middle half."""
    cut = len(values) // 4
    middle = sorted(values)[cut : len(values) - cut]
    return sum(middle, Fraction(0)) / len(middle)


OPERATIONS: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "difference": lambda values: values[0] - values[1],
    "product": lambda values: values[0] * values[1],
    "min": min,
    "max": max,
    "iqm": interquartile_mean,
}


@cache
def document(path: str) -> Any:
    """Reads a committed JSON or TOML file."""
    assert path in tracked(), f"{path} is not committed"
    text = (ROOT / path).read_text("utf-8")
    return json.loads(text) if path.endswith(".json") else tomllib.loads(text)


def results(entry: dict[str, Any]) -> Iterator[Any]:
    """Returns what the JSON pointers of an entry lead to."""
    pointers = entry["at"] if isinstance(entry["at"], list) else [entry["at"]]
    for pointer in pointers:
        found = document(entry["result"])
        for key in pointer.split("/")[1:]:
            key = key.replace("~1", "/").replace("~0", "~")
            found = found[int(key)] if isinstance(found, list) else found[key]
        yield found


@cache
def functions() -> dict[str, list[str]]:
    """Returns the text of every function in the Rust and Python sources by its name."""
    found: dict[str, list[str]] = {}
    for path in tracked():
        if not path.endswith((".rs", ".py")) or not (ROOT / path).exists():
            continue
        text = (ROOT / path).read_text("utf-8")
        for start in re.finditer(r"(?m)^( *)(?:async )?(?:fn|def) (\w+)\(", text):
            indent = len(start[1])
            end = r"\n {%d}\}" % indent if path.endswith(".rs") else r"\n {0,%d}\S|\Z" % indent
            last = re.compile(end).search(text, start.end())
            found.setdefault(start[2], []).append(text[start.start() : last.start() if last else None])
    return found


def asserts(entry: dict[str, Any], text: str) -> bool:
    """Returns whether the test that an entry names has a number's digits, or all long integers of its count."""
    wanted = [text.rstrip("%").replace(",", "")]
    if "count" in entry:
        wanted = [it for it in re.findall(r"\d+", entry["count"]) if len(it) >= 5]
    bodies = functions().get(entry["test"], [])
    assert len(bodies) == 1, f"{len(bodies)} functions are named {entry['test']}"
    body = re.sub(r"(?<=\d)_(?=\d)", "", bodies[0])
    return all(re.search(rf"(?<![\d.]){re.escape(it)}(?!\d|\.\d)", body) for it in wanted)


def constant(place: str) -> Fraction:
    """Returns an integer constant of the Rust sources, which is given as "NAME in FILE"."""
    name, path = place.split(" in ")
    source = (ROOT / path).read_text("utf-8")
    value = re.search(rf"(?m)^ *(?:pub(?:\([^)]*\))? )?const {name}: \w+ = ([\d_ *<]+);$", source)
    assert value, f"{path} has no constant {name}"
    return evaluate(re.sub(r"(\d+) << (\d+)", lambda it: str(int(it[1]) << int(it[2])), value[1].replace("_", "")))


def is_right(text: str, entry: dict[str, Any], page: str) -> bool:
    """Returns whether a number is that of its source."""
    if "result" in entry:
        found = list(results(entry))
        exact = [it for it in map(value, found) if it is not None]
        if len(exact) < len(found):
            number = re.escape(text.replace(",", ""))
            return all(re.search(rf"(?<![\d.,]){number}(?!\d|[.,]\d)", it) for it in found)
        if "op" in entry:
            exact = [OPERATIONS[entry["op"]](exact)]
        return all(agrees(text, it, entry) for it in exact)
    if "test" in entry:
        return asserts(entry, text) and ("count" not in entry or agrees(text, evaluate(entry["count"]), entry))
    if "count" in entry:
        return agrees(text, evaluate(entry["count"]), entry)
    if "constant" in entry:
        return agrees(text, constant(entry["constant"]), entry)
    if "cited" in entry:
        return entry["cited"] in page and entry["cited"] in (BOOK / "bibliography.md").read_text("utf-8")
    # A convention, or a measurement with its command.
    reason = entry.get("chosen") or entry["measured"]
    return len(reason.split()) >= 2


def test_pages_are_known() -> None:
    """Numbers are only listed for pages that exist."""
    assert set(SOURCES) <= set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_numbers_are_those_of_their_sources(name: str) -> None:
    """Every number of a page has a source with the same value, and every source is used."""
    page = PAGES[name].read_text("utf-8")
    sources = SOURCES.get(name, {})
    assert numbers(page) == set(sources)
    assert [text for text, entry in sources.items() if not is_right(text, entry, page)] == []


def test_limits_are_those_of_the_program() -> None:
    """Every row of the table of limits has the value of the constant that it names."""
    rows = re.findall(LIMIT, PAGES["reference/files.md"].read_text("utf-8"))
    assert len(rows) > 10
    for limit, name, path in rows:
        assert agrees(limit, constant(f"{name} in {path}"), {}), f"{name} in {path} isn't {limit}"
