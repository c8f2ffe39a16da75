# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files of the examples: random numbers, elements of fp16, bf16 (which NumPy has not) and fp32, and how results are compared.

Numbers are float32 in memory; in a file they are rounded to the nearest, ties to even. Needs numpy.
"""

import pathlib
import sys

try:
    import numpy
except ModuleNotFoundError:
    sys.exit(f"{sys.argv[0]}: it needs numpy; install it: python3 -m pip install numpy")

TYPES = ("float16", "bfloat16", "float32")


def arguments(usage: str | None, names: str) -> tuple[str, int, list[int], pathlib.Path]:
    """TYPE PES SIZE... FOLDER of the command line; `names` are the names of the sizes."""
    words = sys.argv[1:]
    if len(words) != 3 + len(names.split()):
        sys.exit(usage)
    try:
        pes, *sizes = (int(word) for word in words[1:-1])
    except ValueError as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    if pes < 1 or min(sizes) < 0:
        sys.exit(f"{sys.argv[0]}: numbers of PEs begin at 1, sizes at 0")
    folder = pathlib.Path(words[-1])
    folder.mkdir(parents=True, exist_ok=True)
    return words[0], pes, sizes, folder


def rounded(numbers: numpy.ndarray, kind: str) -> numpy.ndarray:
    """The numbers that a file of this type holds instead of these."""
    numbers = numpy.ascontiguousarray(numbers, numpy.float32)
    if kind == "float16":
        return numbers.astype(numpy.float16).astype(numpy.float32)
    return (bits_of(numbers).astype(numpy.uint32) << 16).view(numpy.float32) if kind == "bfloat16" else numbers


def bits_of(numbers: numpy.ndarray) -> numpy.ndarray:
    """bf16 bits of finite numbers."""
    bits = numpy.ascontiguousarray(numbers, numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(numpy.uint16)


def save(file: pathlib.Path, numbers: numpy.ndarray, kind: str) -> None:
    """Writes numbers as elements of a type."""
    if kind not in TYPES:
        sys.exit(f"{sys.argv[0]}: type {kind}: it is one of {', '.join(TYPES)} here")
    if kind == "bfloat16":
        bits_of(numbers).tofile(file)
    else:
        numbers.astype(kind).tofile(file)


def load(file: pathlib.Path, kind: str) -> numpy.ndarray:
    """All elements of a file."""
    if kind == "bfloat16":
        return (numpy.fromfile(file, numpy.uint16).astype(numpy.uint32) << 16).view(numpy.float32)
    return numpy.fromfile(file, kind).astype(numpy.float32)


def numbers(random: numpy.random.Generator, shape: tuple[int, ...] | int, kind: str) -> numpy.ndarray:
    """Numbers of a type between -1 and 1 of different sizes, so that rounding and order show in their sums."""
    sizes = 2.0 ** random.integers(-6, 1, shape)
    return rounded(random.uniform(-1, 1, shape) * sizes, kind)


def product(a: numpy.ndarray, b: numpy.ndarray) -> numpy.ndarray:
    """A B in float32, in the order of the inner dimension, which other products do not keep."""
    total = numpy.zeros((a.shape[0], b.shape[1]), numpy.float32)
    for i in range(a.shape[1]):
        total += a[:, i : i + 1] * b[i]
    return total


def compare(folder: pathlib.Path, pes: int, names: dict[str, str]) -> None:
    """Compares NAME_<pe>.bin with golden_NAME_<pe>.bin, to the bit; ends the program where they differ. `names`: the types."""
    elements = 0
    for name, kind in names.items():
        for pe in range(pes):
            result, golden = folder / f"{name}_{pe}.bin", folder / f"golden_{name}_{pe}.bin"
            found, expected = result.read_bytes(), golden.read_bytes()
            if len(found) != len(expected):
                sys.exit(f"{sys.argv[0]}: {result} has {len(found)} bytes, expected {len(expected)}")
            if found != expected:
                first = next(i for i in range(len(found)) if found[i] != expected[i])
                where = f"{result} is wrong, first at byte {first}"
                if kind in TYPES:
                    at = first // (4 if kind == "float32" else 2)
                    where += f" (element {at}: {load(result, kind)[at]}, expected {load(golden, kind)[at]})"
                sys.exit(f"{sys.argv[0]}: {where}")
            elements += len(found)
    print(f"verify_result.py: all {elements} bytes of {pes} PEs are right")
