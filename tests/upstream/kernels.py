#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compiles and runs the examples of catlass, as vllm-ascend ships it, on the simulator, and prints a table.

kernels.py [--each SECONDS] [--operators] ARCHIVE FOLDER_OF_MF WORK_FOLDER [EXAMPLE…]

ARCHIVE is the source distribution of vllm-ascend. It is unpacked below WORK_FOLDER, and not changed. Each example
is compiled by the `bisheng` of `mf sim`, with the flags of its own CMakeLists, and run with the arguments of its
README. It is right if it says that its comparison with its golden result succeeded. --operators: also compiles
the kernels of vllm-ascend itself, each file alone, for one choice of types, and prints the first error of each. The exit status is 0,
whatever the table says.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tarfile
import time
from pathlib import Path

LIBRARIES = "ascendc_runtime runtime profapi mmpa ascend_dump c_sec error_manager ascendcl tiling_api nnopbase platform dl ascend_hal"
FLAGS = (
    "-mllvm -cce-aicore-record-overflow=true -mllvm -cce-aicore-dcci-insert-for-scalar=false -Wno-macro-redefined "
    "-Wno-ignored-attributes -Wno-unused-value -std=c++17 -D_GLIBCXX_USE_CXX11_ABI=1 -Xhost-start -fstack-protector-strong -Xhost-end"
)
# Of the build of operators.
DATA_TYPES = {"DT_FLOAT": 0, "DT_FLOAT16": 1, "DT_INT8": 2, "DT_INT32": 3, "DT_UINT8": 4, "DT_INT64": 9, "DT_UINT64": 10}
DATA_TYPES |= {"DT_BOOL": 12, "DT_BF16": 27, "DT_INT4": 29, "DT_FLOAT8_E5M2": 35, "DT_FLOAT8_E4M3FN": 36, "DT_FLOAT8_E8M0": 37}
TYPES = {"DT_FLOAT": "float", "DT_FLOAT16": "half", "DT_BF16": "bfloat16_t", "DT_INT8": "int8_t", "DT_INT32": "int32_t"}
TYPES |= {"DT_UINT8": "uint8_t", "DT_INT64": "int64_t", "DT_INT4": "int4b_t", "DT_BOOL": "bool", "DT_UINT64": "uint64_t"}
TYPES |= {"DT_FLOAT8_E4M3FN": "fp8_e4m3fn_t", "DT_FLOAT8_E5M2": "fp8_e5m2_t", "DT_FLOAT8_E8M0": "fp8_e8m0_t"}
FORMATS = {"FORMAT_NCHW": "0", "FORMAT_NHWC": "1", "FORMAT_ND": "2", "FORMAT_NC1HWC0": "3", "FORMAT_FRACTAL_NZ": "29"}


def run(command: list[str], seconds: float, folder: Path, variables: dict[str, str]) -> tuple[bool, str]:
    """Whether a command ended with status 0 in time, and its output."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=variables, capture_output=True, text=True, errors="replace", timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return False, f"it runs for more than {seconds} s"
    return done.returncode == 0, done.stdout + done.stderr


def reason(output: str) -> str:
    """The line of an output that says why."""
    lines = [line for line in output.splitlines() if not line.startswith("mf: mf kernel: ")]
    marked = [line for line in lines if re.search(r"\berror: |undefined reference|\bK[0-9]+:|[Ff]ail", line)]
    line = (marked or lines or ["it says nothing"])[0]
    return re.sub(r"\S*/(?=[^/\s]+\.(?:hpp|h|cpp|cce|asc):)", "", line).strip()[:160]


class Machine:
    """A simulated installation for a product."""

    def __init__(self, mf: Path, work: Path, product: str) -> None:
        self.product = product
        self.folder = work / f"cann-{product}"
        soc = "Ascend950PR_957c" if product == "3510" else "Ascend910B3"
        subprocess.run([mf, "sim", "--soc", soc, "--devices", "1", self.folder], check=True, stdout=subprocess.DEVNULL)
        sourced = f". {self.folder}/set_env.sh && env -0"
        printed = subprocess.run(["sh", "-c", sourced], capture_output=True, text=True, check=True).stdout
        self.variables = dict(one.split("=", 1) for one in printed.split("\0") if "=" in one)
        self.variables["MF_LOG"] = "off"


def example(machine: Machine, catlass: Path, folder: Path, work: Path, seconds: float) -> tuple[str, str, str]:
    """Compiles and runs an example. Returns the cells of its row: compiled, right, why not."""
    listed = re.search(r"catlass_example_add_executable\(\s*(\S+)\s+(\S+)\s+([^)]*)\)", (folder / "CMakeLists.txt").read_text())
    if listed is None:
        return "-", "-", "its CMakeLists has another form"
    program = work / folder.name
    sources = [str(folder / name) for name in listed[3].split()]
    includes = [catlass / "examples/common", catlass / "include", machine.folder / "include/aclnn"]
    command = [str(machine.folder / "bin/bisheng"), f"--npu-arch=dav-{machine.product}", *FLAGS.split()]
    command += [f"-DCATLASS_ARCH={machine.product}", f"-DCATLASS_EXAMPLE_NAME={listed[1]}", *(f"-I{one}" for one in includes)]
    command += ["--asc-aicore-lang", *sources, "-o", str(program), *(f"-l{name}" for name in LIBRARIES.split())]
    is_compiled, output = run(command, seconds, work, machine.variables)
    if not is_compiled:
        return "no", "-", reason(output)
    readme = folder / "README.md"
    called = re.search(rf"^\s*\./{re.escape(listed[1])} ([0-9][^\n`#]*)", readme.read_text() if readme.exists() else "", re.M)
    if called is None:
        return "yes", "-", "its README has no arguments alone: it needs data that its scripts make"
    _, output = run([str(program), *called[1].split()], seconds, work, machine.variables)
    return ("yes", "yes", "") if "Compare success" in output else ("yes", "no", reason(output))


def options_of(operator: Path) -> list[str]:
    """The macros that the build of an operator defines for its kernels."""
    listed = "".join(path.read_text(errors="replace") for path in operator.glob("**/CMakeLists.txt"))
    options = " ".join(re.findall(r"add_ops_compile_options\(([^)]*)\)", listed))
    return sorted(set(re.findall(r"\s(-D\w+(?:=\w+)?)\b", options)))


def types_of(definition: str) -> dict[str, str]:
    """The first type that an operator's definition lists for each argument, by the argument's name in macros."""
    arguments = re.findall(r'(?:Input|Output)\("(\w+)"\)(.*?);', definition, re.S)
    listed = {name.upper(): re.search(r"\.DataType(?:ForBinQuery)?\(\{\s*ge::(\w+)", rest) for name, rest in arguments}
    return {name: found[1] for name, found in listed.items() if found and found[1] in TYPES}


def macros_of(text: str, types: dict[str, str]) -> list[str]:
    """The macros that the build of operators gives: one tiling key, and types and formats of all arguments."""
    key = re.search(r"TILING_KEY_IS\((\w+)\)", text)
    given = {"TILING_KEY_VAR": key[1]} if key else {}
    for name in set(re.findall(r"\b(?:(?:ORIG_)?DTYPE|FORMAT)_[A-Z_0-9]+", text)):
        if not re.search(rf"#\s*define\s+{name}\b", text):
            kind = types.get(re.sub(r"^(ORIG_)?DTYPE_", "", name), "DT_FLOAT16")
            value = kind if name.startswith("ORIG_") else TYPES[kind] if name.startswith("DTYPE") else "FORMAT_ND"
            given[name] = FORMATS.get(name, value)
    # Where the preprocessor compares them; elsewhere constants, since headers of tilings have the names, too.
    compared = " ".join(re.findall(r"^\s*#\s*(?:el)?if.*", text, re.M))
    given |= {name: str(number) for name, number in DATA_TYPES.items() if re.search(rf"\b{name}\b", compared)}
    return [f"-D{name}={value}" for name, value in sorted(given.items()) if name != value]


def tilings_of(operator: Path, known: str) -> str:
    """The structures of the host's half of an operator that its kernel reads, as the build of operators writes them."""
    structures = []
    for path in sorted(operator.glob("op_host/**/*.h")):
        text = re.sub(r"//.*", "", path.read_text(errors="replace"))
        for name, body in re.findall(r"BEGIN_TILING_DATA_DEF\(\s*(\w+)\s*\)(.*?)END_TILING_DATA_DEF", text, re.S):
            fields = re.findall(r"TILING_DATA_FIELD_DEF(_ARR|_STRUCT)?\(([^)]*)\)", body)
            parts = [(kind, [part.strip() for part in listed.split(",")]) for kind, listed in fields]
            lines = [f"    {one[0]} {one[-1]}{f'[{one[1]}]' if kind == '_ARR' else ''};" for kind, one in parts]
            if not re.search(rf"\bstruct\s+{name}\b", known):
                structures.append("\n".join([f"struct {name} {{", *lines, "};\n"]))
        # The structure of GET_TILING_DATA.
        for name in re.findall(r"REGISTER_TILING_DATA_CLASS\(\s*\w+\s*,\s*(\w+)\s*\)", text):
            if f"struct {name} " in "".join(structures) and "mf_tiling_type" not in "".join(structures):
                structures.append(f"using mf_tiling_type = {name};\n")
    return "".join(structures)


def operators(machines: dict[str, Machine], source: Path, work: Path, seconds: float) -> list[tuple[str, str, str, str]]:
    """Compiles the kernels of vllm-ascend, each file alone, with its first tiling key and the first types of its definition."""
    csrc = source / "csrc"
    files = [path for path in sorted(csrc.rglob("*.cpp")) if "third_party" not in path.parts]
    kernels = [path for path in files if "op_kernel" in path.parts or path.parent == csrc / "kernels"]
    found = []
    generated = work / "generated.h"
    enumerators = [f"#ifndef {name}\nconstexpr int {name} = {number};\n#endif\n" for name, number in DATA_TYPES.items()]
    for path in kernels:
        if "__global__" not in path.read_text(errors="replace"):
            continue
        includes = [path.parent, path.parent / "utils", path.parent.parent, csrc, csrc / "common/include/kernel"]
        includes += [csrc / "third_party/catlass/include"]
        text = "".join(part.read_text(errors="replace") for part in [path, *path.parent.glob("*.h")])
        text_of_all = text + "".join(part.read_text(errors="replace") for part in path.parent.glob("*/**/*.h"))
        listed = "".join(part.read_text(errors="replace") for part in path.parent.parent.glob("op_host/*_def.cpp"))
        is_950 = '"ascend950"' in listed and '"ascend910' not in listed
        machine = machines["3510" if is_950 or "MicroAPI" in text else "2201"]
        command = [str(machine.folder / "bin/bisheng"), f"--npu-arch=dav-{machine.product}", "-std=c++17", "-c", "--asc-aicore-lang"]
        # As in the build of operators, which has no pass of the host.
        command += [f"-D__CCE_AICORE__={310 if machine.product == '3510' else 220}", *options_of(path.parent.parent)]
        command += macros_of(text_of_all, types_of(listed))
        tilings = tilings_of(path.parent.parent, text_of_all)
        headers = '#include "kernel_operator.h"\n#include "kernel_tiling/kernel_tiling.h"\n'
        generated.write_text("".join(["#pragma once\n", headers, *enumerators, tilings]))
        command += ["-include", str(generated)] if tilings or "DT_" in text_of_all else []
        command += [*(f"-I{one}" for one in includes), str(path), "-o", str(work / "operator.o")]
        is_compiled, output = run(command, seconds, work, machine.variables)
        found.append((str(path.relative_to(csrc)), "yes" if is_compiled else "no", "-", "" if is_compiled else reason(output)))
        print("| " + " | ".join(found[-1]) + " |", flush=True)
    return found


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=float, default=300, help="longest time of one compilation or run, in seconds")
    parser.add_argument("--operators", action="store_true")
    parser.add_argument("archive", type=Path, metavar="ARCHIVE", help="source distribution of vllm-ascend, NAME-VERSION.tar.gz")
    parser.add_argument("programs", type=Path, metavar="FOLDER_OF_MF")
    parser.add_argument("work", type=Path, metavar="WORK_FOLDER")
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE")
    wanted = parser.parse_args()
    work = wanted.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    source = work / wanted.archive.name.removesuffix(".tar.gz")
    if not source.is_dir():
        with tarfile.open(wanted.archive) as packed:
            packed.extractall(work, filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(work)
    catlass = source / "csrc/third_party/catlass"
    mf = wanted.programs.resolve() / "mf"
    machines = {product: Machine(mf, work, product) for product in ("2201", "3510")}
    print("| program | compiled | right | why not |\n|---|---|---|---|", flush=True)
    rows, begin = [], time.monotonic()
    for folder in sorted(path for path in (catlass / "examples").iterdir() if re.match(r"[0-9]+_", path.name)):
        if wanted.examples and folder.name not in wanted.examples:
            continue
        machine = machines["3510" if "ascend950" in folder.name else "2201"]
        rows.append((folder.name, *example(machine, catlass, folder, work, wanted.each)))
        print("| " + " | ".join(rows[-1]) + " |", flush=True)
    if wanted.operators:
        rows += operators(machines, source, work, wanted.each)
    compiled, right = (sum(row[column] == "yes" for row in rows) for column in (1, 2))
    print(f"{len(rows)} programs, {compiled} compiled, {right} right, {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
