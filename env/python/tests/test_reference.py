"""Tests that the book lists the public names of the package with their signatures and docstrings.

``HOUSEWAY_WRITE_REFERENCE=1 pytest tests/test_reference.py`` writes the chapter again after a change.
"""

from __future__ import annotations

import ast
import itertools
import os
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "python" / "houseway"
CHAPTER = PACKAGE.parents[3] / "experiments" / "book" / "src" / "reference" / "python.md"
INTRODUCTION = """# Python API

This chapter lists the public modules, classes and functions of the package. It is generated from their docstrings.
What `houseway.exact` and `houseway` export is listed under the module that defines it.
"""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules() -> Iterator[tuple[str, ast.Module, list[str]]]:
    """Iterates over the public modules by name, each with its syntax tree and its lines."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if not path.name.startswith("_") or path.name == "__init__.py":
            name = ".".join(part for part in parts if part != "__init__")
            text = path.read_text(encoding="utf-8")
            yield name, ast.parse(text), text.splitlines()


def markdown(docstring: str | None) -> str:
    """Converts a docstring to Markdown: roles and literals to code, and doctests to code blocks."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", docstring or "").replace("``", "`")
    blocks = []
    for block in text.split("\n\n"):
        if block.lstrip().startswith(">>>"):
            block = f"```python\n{block}\n```"
        elif (section := re.match(r"(Args|Raises|Returns|Yields):\n", block)) is not None:
            # Each entry begins with one or more names and is indented, and its other lines are indented further.
            items = re.sub(r"^    (\w+(?:, \w+)*):", named, block[section.end() :], flags=re.MULTILINE)
            block = f"{section[1]}:\n\n" + re.sub(r"^ {4,8}", "  ", items, flags=re.MULTILINE)
        blocks.append(block)
    return "\n\n".join(blocks).strip()


def named(entry: re.Match[str]) -> str:
    """Returns the beginning of a list item about arguments or errors, which are separated by commas."""
    return f"- {', '.join(f'`{name}`' for name in entry[1].split(', '))}:"


def signature(function: Function) -> str:
    """Returns the signature of a function on one line."""
    result = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({ast.unparse(function.args)}){result}"


def exports(owner: ast.Module | ast.ClassDef) -> list[str]:
    """Returns a module's ``__all__``, which modules with helpers for other modules have."""
    for node in owner.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


def members(owner: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef | Function]:
    """Iterates over the public classes and functions that a module or a class defines."""
    exported = exports(owner)
    for node in owner.body:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            if exported and node.name not in exported:
                continue
            # The implementation of an overloaded function has its docstring.
            if "overload" not in map(ast.unparse, node.decorator_list):
                yield node


def constants(module: ast.Module, lines: list[str]) -> Iterator[str]:
    """Iterates over list items about the constants and type aliases that have a comment beginning with ``#:``."""
    for node in module.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target).strip("()")
        above = itertools.takewhile(lambda line: line.startswith("#:"), reversed(lines[: node.lineno - 1]))
        comment = " ".join(line[2:].strip() for line in reversed(list(above)))
        if comment and not name.startswith("_"):
            yield f"- `{name}`: {markdown(comment)}"


def item(member: ast.ClassDef | Function) -> str:
    """Returns a list item about a member of a class."""
    is_property = any("property" in ast.unparse(decorator) for decorator in member.decorator_list)
    shown = member.name if is_property or isinstance(member, ast.ClassDef) else signature(member)
    return textwrap.indent(f"- `{shown}`: {markdown(ast.get_docstring(member))}", "  ")[2:]


def describe(node: ast.ClassDef | Function, name: str) -> Iterator[str]:
    """Iterates over the paragraphs about a class or a function."""
    yield f"### `{name}`"
    if isinstance(node, Function):
        yield f"```python\n{signature(node)}\n```"
        yield markdown(ast.get_docstring(node))
        return
    yield markdown(ast.get_docstring(node))
    constructors = (it for it in node.body if isinstance(it, Function) and it.name == "__init__")
    fields = [it for it in node.body if isinstance(it, ast.AnnAssign) and not ast.unparse(it.target).startswith("_")]
    if fields:
        yield "```python\n" + "\n".join(ast.unparse(it) for it in fields) + "\n```"
    for constructor in constructors:
        yield f"```python\n{signature(constructor).replace('__init__(self, ', f'{node.name}(')}\n```"
    yield "\n".join(map(item, members(node)))


def chapter() -> str:
    """Returns the text of the chapter."""
    paragraphs = [INTRODUCTION.strip()]
    for name, module, lines in modules():
        paragraphs += [f"## {name}", markdown(ast.get_docstring(module)), "\n".join(constants(module, lines))]
        for node in members(module):
            paragraphs += describe(node, f"{name}.{node.name}")
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph) + "\n"


@pytest.mark.skipif(not CHAPTER.parent.exists(), reason="the book is only in the repository")
def test_the_book_lists_all_public_names() -> None:
    text = chapter()
    if "HOUSEWAY_WRITE_REFERENCE" in os.environ:
        CHAPTER.write_text(text, encoding="utf-8")
    assert CHAPTER.exists() and CHAPTER.read_text(encoding="utf-8") == text, "write it with HOUSEWAY_WRITE_REFERENCE=1"


def test_every_public_name_has_a_docstring() -> None:
    for name, module, _ in modules():
        assert ast.get_docstring(module), name
        for node in members(module):
            assert ast.get_docstring(node), f"{name}.{node.name}"
            inner = members(node) if isinstance(node, ast.ClassDef) else ()
            for member in inner:
                assert ast.get_docstring(member), f"{name}.{node.name}.{member.name}"
