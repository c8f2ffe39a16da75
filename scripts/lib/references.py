#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Writes the references of Python, C and Rust in docs/ from the sources: references.py [--check].

With --check nothing is written; the exit status is 1 when a page differs from the sources. Only texts are read: nothing is
built or imported, so that it takes no time.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python/mf_smem"
WIDTH = 100
HEADERS = [
    "smem/host/smem.h", "smem/host/smem_def.h", "smem/host/smem_bm.h", "smem/host/smem_bm_def.h", "smem/host/smem_shm.h",
    "smem/host/smem_shm_def.h", "smem/host/smem_trans.h", "smem/host/smem_trans_def.h", "smem/host/smem_config_store_api.h",
    "smem/host/smem_config_store_def.h", "smem/host/smem_acc_api.h", "smem/host/smem_acc_def.h", "smem/host/mfx.h", "smem/host/mfx_cache.h", "acc_offload.h", "smem/host/mfx_offload.h",
    "smem/host/mfx_hmc.h",
]


def markdown(text: str) -> str:
    """A text of a comment, in which nothing is Markdown but backquotes."""
    parts = re.split(r"(``?[^`]+``?)", text)
    escaped = [part if part.startswith("`") else re.sub(r"([*<|\[\]])", r"\\\1", part) for part in parts]
    return "".join(escaped).replace("``", "`")


def written(title: str, source: str, text: list[str]) -> str:
    head = [f"# {title}", "", f"Generated from {source} by `scripts/regen_docs`; do not edit.", ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(head + text)).rstrip() + "\n"


# ---- Python ----


def definitions() -> dict[str, ast.AST]:
    """Definitions of the package's modules and its stub, by name, and by module and name."""
    found: dict[str, ast.AST] = {}
    for file in [*sorted(PACKAGE.glob("*.py")), PACKAGE / "_mf_smem.pyi"]:
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                found.setdefault(node.name, node)
                found[f"{file.stem}.{node.name}"] = node
    return found


def exports(module: str) -> dict[str, str]:
    """The names in `__all__` of a module, with the module that each is imported from."""
    names: list[str] = []
    origin: dict[str, str] = {}
    for node in ast.parse((PACKAGE / f"{module}.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names = ast.literal_eval(node.value)
        elif isinstance(node, ast.ImportFrom) and node.module:
            origin.update({alias.asname or alias.name: node.module.split(".")[-1] for alias in node.names})
    return {name: origin.get(name, module) for name in sorted(names, key=str.lower)}


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef, method: bool) -> str:
    text = ast.unparse(node.args)
    bound = method and not any(getattr(mark, "id", "") == "staticmethod" for mark in node.decorator_list)
    if bound:
        text = re.sub(r"^(self|cls)(: [^,]+)?(, /)?(, )?", "", text)
    result = f" -> {ast.unparse(node.returns)}" if node.returns and ast.unparse(node.returns) != "None" else ""
    return f"({text}){result}"


def documented(node: ast.AST) -> list[str]:
    text = ast.get_docstring(node)
    return [markdown(text), ""] if text else []


def members(node: ast.ClassDef, known: dict[str, ast.AST]) -> list[ast.AST]:
    """Own members, then members of bases in this package."""
    own = {getattr(item, "name", ""): item for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))}
    for base in node.bases:
        inherited = known.get(ast.unparse(base).split(".")[-1])
        if isinstance(inherited, ast.ClassDef) and ast.unparse(base).split(".")[-1].startswith(("Pool", "Share", "_")):
            for item in members(inherited, known):
                own.setdefault(item.name, item)
    return list(own.values())


def python_class(name: str, node: ast.ClassDef, known: dict[str, ast.AST]) -> list[str]:
    text = [f"## {name}", "", *documented(node)]
    values = [
        (item.targets[0].id, ast.unparse(item.value))
        for item in node.body
        if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name) and not item.targets[0].id.startswith("_")
    ]
    if values:
        text += [", ".join(f"`{key}` = {markdown(value)}" for key, value in values), ""]
    for item in sorted(members(node, known), key=lambda member: member.name):
        if item.name.startswith("_"):
            continue
        marks = {ast.unparse(mark) for mark in item.decorator_list}
        if "overload" in marks:
            continue
        shown = "" if marks & {"property", "functools.cached_property"} else signature(item, True)
        begin = "async " if isinstance(item, ast.AsyncFunctionDef) else ""
        text += [f"### {name}.{item.name}", "", f"`{begin}{name}.{item.name}{shown}`", "", *documented(item)]
    return text


def python_module(prefix: str, names: dict[str, str], known: dict[str, ast.AST]) -> list[str]:
    functions, classes = [], []
    for name, origin in names.items():
        node = known.get(f"{origin}.{name}", known.get(name))
        if isinstance(node, ast.FunctionDef):
            functions += [f"### {prefix}.{name}", "", f"`{prefix}.{name}{signature(node, False)}`", "", *documented(node)]
        elif isinstance(node, ast.ClassDef):
            # Its classes have names of others.
            classes += python_class(f"sim.{name}" if prefix.endswith(".sim") else name, node, known)
    return [f"## Functions of {prefix}", "", *functions, *classes]


def python_reference() -> str:
    known = definitions()
    text = ["The names of `import mf_smem`; [python.md](python.md) is the guide.", ""]
    shown: set[str] = set()
    for module in ("__init__", "bm", "shm", "kernels"):
        names = {name: origin for name, origin in exports(module).items() if name not in shown}
        shown |= set(names)
        text += python_module("mf_smem" if module == "__init__" else f"mf_smem.{module}", names, known)
    text += python_module("mf_smem.sim", exports("sim"), known)
    return written("Reference of Python", "`python/mf_smem`", text)


# ---- C ----


def plain_comment(comment: str) -> list[str]:
    lines = [re.sub(r"^\s*\*? ?", "", line) for line in re.sub(r"^/\*+|\*/$", "", comment.strip()).split("\n")]
    return [line.rstrip() for line in lines]


def prose(lines: list[str]) -> list[str]:
    """Lines of a comment; "name: text" at their beginning is an argument."""
    text, in_list = [], False
    for line in lines:
        argument = re.match(r"(\w+(?:, \w+)*):  *(\S.*)", line)
        if argument and argument.group(1) not in ("Errors", "Blocks", "Local", "Collective"):
            if not in_list:
                text.append("")
            text.append(f"- `{argument.group(1)}`: {markdown(argument.group(2))}")
            in_list = True
        elif in_list and line.startswith("  "):
            text.append(f"  {markdown(line.strip())}")
        else:
            if in_list:
                text.append("")
            text.append(markdown(line.strip()))
            in_list = False
    return text


def arguments(text: str) -> list[str]:
    """Splits at commas that are in no parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def one_below_the_other(prototype: str) -> list[str]:
    """A prototype with a line for each argument."""
    head, rest = prototype.split("(", 1)
    if rest.startswith("*"):  # a pointer to a function
        middle, rest = rest.split("(", 1)
        head = f"{head}({middle}"
    inner, end = rest.rsplit(")", 1)
    indent = len(head) + 1 if len(head) < WIDTH // 2 else 4
    lines = [" " * indent + part + "," for part in arguments(inner)]
    lines[-1] = f"{lines[-1][:-1]}){end}"
    return [f"{head}({lines[0].strip()}", *lines[1:]] if indent > 4 else [f"{head}(", *lines]


def narrowed(declaration: str) -> str:
    """A declaration in lines of at most WIDTH columns: remarks move in front of their line, arguments below each other."""
    if all(len(line) <= WIDTH for line in declaration.split("\n")):
        return declaration
    if "{" not in declaration and "/*" not in declaration:
        return "\n".join(one_below_the_other(" ".join(declaration.split())))
    lines = []
    # A remark of several lines becomes one of one line, which is broken below.
    declaration = re.sub(r"/\*[^*]*\n.*?\*/", lambda remark: " ".join(remark.group().split()), declaration, flags=re.DOTALL)
    for line in declaration.split("\n"):
        remark = re.fullmatch(r"(\s*)(\S.*?)\s*/\*(.*)\*/", line)
        if len(line) > WIDTH and remark:
            indent, line = remark.group(1), remark.group(1) + remark.group(2)
            lines += [f"{indent}/* {part} */" for part in textwrap.wrap(remark.group(3).strip(), WIDTH - len(indent) - 6)]
        indent = " " * (len(line) - len(line.lstrip()))
        lines += [indent + part for part in one_below_the_other(line.strip())] if len(line) > WIDTH and "(" in line else [line]
    return "\n".join(lines)


def c_header(name: str) -> list[str]:
    path = f"core/capi/include/{name}"
    source = (ROOT / path).read_text()
    text = [f"## {name}", ""]
    comments = list(re.finditer(r"/\*.*?\*/", source, re.DOTALL))
    head = next((c for c in comments if "SPDX" not in c.group()), None)
    for comment in comments:
        before = source[: comment.start()].rsplit("\n", 1)[-1]
        lines = plain_comment(comment.group())
        if comment is head:
            text += [*prose(lines), ""]
            continue
        section = re.fullmatch(r"-+ (.*?) -+", " ".join(lines).strip())
        if section:
            text += [f"### {name}: {section.group(1)}", ""]
            continue
        rest = source[comment.end() :]
        if before.strip() or not rest.startswith("\n") or "SPDX" in comment.group():
            continue
        found = re.match(r"\n((?:typedef (?:enum|struct|union)[^;{]*\{.*?\}[^;]*;)|[^#/\n][^;{]*;|#define [^\n]*)", rest, re.DOTALL)
        if not found or re.match(r"\n\s", found.group()):
            continue
        declaration = found.group(1)
        title = declared(declaration)
        if title:
            text += [f"#### {title}", "", f"<!-- part of: {path} -->", "```c", narrowed(declaration), "```", "", *prose(lines), ""]
    return text


def declared(declaration: str) -> str | None:
    for pattern in (r"^#define (\w+)", r"^typedef .*?\(\*(\w+)\)", r"^typedef .*\b(\w+)\s*;$", r"\b(\w+)\s*\("):
        found = re.search(pattern, declaration, re.DOTALL)
        if found:
            return found.group(1)
    return None


def c_reference() -> str:
    text = [
        "The headers of `libmf_smem.so`. Those of OpenSHMEM and CANN SHMEM are listed in [openshmem-functions.md](openshmem-functions.md)",
        "and [cann-shmem-functions.md](cann-shmem-functions.md).", "",
    ]
    for name in HEADERS:
        text += c_header(name)
    return written("Reference of C", "`core/capi/include`", text)


# ---- Rust ----

RUST_MODULES = ("bm", "store", "cache", "shm", "trans", "shmem", "hmc", "acc", "sim")
ITEM = re.compile(r"^( *)pub (?:const |unsafe |async )*(fn|struct|enum|trait|type|const|static) (\w+)(.*)")


def rust_items(file: Path) -> list[tuple[str | None, str, str, str, list[str]]]:
    """The public items of a file: the implementing type, kind, name, declaration, documentation."""
    found, comment, owner = [], [], None
    lines = file.read_text().split("\n")
    for number, line in enumerate(lines):
        if line.startswith("mod tests"):
            break
        block = re.match(r"impl(?:<[^{]*?>)? (?:(?:\w+(?:<[^{]*>)?) for )?(\w+)", line)
        if block:
            owner = None if " for " in line else block.group(1)
        elif line.startswith("}"):
            owner = None
        doc = re.match(r" *///(?: (.*)|)$", line)
        item = ITEM.match(line)
        if doc:
            comment.append(doc.group(1) or "")
        elif item and len(item.group(1)) in (0, 4):
            declaration = line.strip()
            if item.group(2) == "fn":
                following = number
                while not re.search(r"[{;]$|^ *where$", lines[following].rstrip()):
                    following += 1
                    declaration += " " + lines[following].strip()
                declaration = re.sub(r"\( ", "(", re.sub(r",? \)", ")", declaration))
            declaration = re.sub(r"( where)?\s*[{;(]*$", "", declaration) if item.group(2) == "fn" else item.group(0).strip().rstrip(" {;")
            inside = owner if item.group(1) else None
            found.append((inside, item.group(2), item.group(3), declaration, comment))
            comment = []
        elif not line.strip().startswith("#["):
            comment = []
    return found


def rust_text(comment: list[str]) -> list[str]:
    """Documentation without its examples; links to items are names in backquotes."""
    text = re.sub(r"```.*?```", "", "\n".join(comment), flags=re.DOTALL)
    text = re.sub(r"\[(`[^`]+`|\w+)\](\((?!http)[^)]*\))?", r"\1", text)
    return [re.sub(r"^#+ (.*)", r"**\1.**", line) for line in text.split("\n")]


def rust_files(module: str) -> list[Path]:
    """The files of a module of the crate memfabric; the empty name means its root."""
    folder = ROOT / "core/memfabric/src"
    if not module:
        return [folder / "lib.rs", folder / "error.rs", folder / "certificates.rs", folder / "job.rs", *sorted((folder / "job").glob("*.rs"))]
    # Exported as a whole from a crate of its own, which Python shares.
    inside = ROOT / "core/sim/src" if module == "sim" else folder / module
    return [folder / f"{module}.rs", *sorted(inside.rglob("*.rs"))]


def rust_exported(file: Path) -> set[str]:
    """The names that a module exports."""
    text = file.read_text()
    exported = set(re.findall(r"\w+", " ".join(re.findall(r"^pub use ([^;]*);", text, re.MULTILINE))))
    return exported | {name for owner, _, name, _, _ in rust_items(file) if owner is None}


def rust_public(module: str) -> list[tuple[str | None, str, str, str, list[str]]]:
    """The public items of a module, types before their functions."""
    files = rust_files(module)
    exported = rust_exported(files[0])
    items = [item for file in files for item in rust_items(file) if (item[0] or item[2]) in exported]
    return sorted(items, key=lambda item: (item[0] or item[2], item[0] is not None))


def rust_module(module: str) -> list[str]:
    head = [line[4:] for line in rust_files(module)[0].read_text().split("\n") if line.startswith("//! ")]
    text = [f"## memfabric::{module}", "", *(head[:1]), ""] if module else ["## memfabric", "", "Items that several modules use.", ""]
    for owner, _, name, declaration, comment in rust_public(module):
        if not comment:
            continue
        # The insides of a struct are private.
        declaration = re.sub(r"^(pub struct [^(]*)\((?!pub).*", r"\1", declaration)
        title = "::".join(part for part in (module, owner, name) if part)
        text += [f"###{'#' if owner else ''} {title}", "", f"`{declaration}`", "", *rust_text(comment), ""]
    return text


def rust_front(readme: str) -> list[str]:
    """The page's head from the front page of the crate: purpose, smallest example, choice, errors, threads."""
    text, fence = [], None
    for line in readme.split("\n"):
        if line.startswith("```"):
            fence = None if fence is not None else line[3:]
            if fence in ("", "no_run"):
                text += ["<!-- part of: core/memfabric/README.md -->", "```rust"]
                continue
        elif fence is None:
            line = re.sub(r"^# ", "## ", re.sub(r"\[(`[^`]+`)\](\([^)]*\))?", r"\1", line))
        elif line.startswith("# "):
            continue
        text.append(line)
    return text


def rust_reference() -> str:
    text = rust_front((ROOT / "core/memfabric/README.md").read_text())
    text += ["", "`cargo doc --open -p memfabric --all-features` shows the same with examples and links.", ""]
    for module in ["", *RUST_MODULES]:
        text += rust_module(module)
    text += [
        "## Limits", "",
        "The crate is for Linux on 64-bit machines. The C and Python interfaces have more: streams of the accelerator, strided copies,",
        "teams and contexts of the symmetric heap, quantised transfers, the control channel of HMC. Items below version 1.0 may change",
        "between minor versions; `core/memfabric/public-items.txt` lists them, so that every change is seen.",
    ]
    return written("Reference of Rust", "`core/memfabric`", text)


def main() -> int:
    if len(sys.argv) > 1 and sys.argv[1] != "--check":
        print("Usage: scripts/lib/references.py [--check]")
        return 0 if sys.argv[1] in ("-h", "--help") else 2
    status = 0
    for page, text in (("python", python_reference()), ("c", c_reference()), ("rust", rust_reference())):
        file = ROOT / f"docs/reference-{page}.md"
        if len(sys.argv) == 1:
            file.write_text(text)
        elif not file.is_file() or file.read_text() != text:
            print(f"docs/reference-{page}.md is not what the sources say; scripts/regen_docs writes it", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
