# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The steps of the build backend by themselves: dependencies of libraries, tags, wheels, and source distributions."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

BACKEND = Path(__file__).resolve().parents[1] / "build_backend"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, BACKEND / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


mf_elf, mf_zip, mf_sdist, mf_wheel = load("mf_elf"), load("mf_zip"), load("mf_sdist"), load("mf_wheel")
mf_link = load("mf_link")


def compiled(output: Path, text: str, *options: str) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: apt-get install gcc libc6-dev")
    source = output.with_suffix(".c")
    source.write_text(text)
    subprocess.run([compiler, "-g", "-shared", "-fPIC", source, "-o", output, *options], check=True)
    return output


def test_a_library_gets_a_shorter_soname(tmp_path: Path) -> None:
    path = compiled(tmp_path / "libone.so", "int one(void) { return 1; }\n", "-Wl,-soname,libone.so.0")
    assert mf_elf.read(path.read_bytes()).soname == "libone.so.0"
    mf_elf.rename(path, "libone.so")
    assert mf_elf.read(path.read_bytes()).soname == "libone.so"
    assert ctypes.CDLL(str(path)).one() == 1
    mf_elf.rename(path, "libone.so")
    with pytest.raises(ValueError, match="does not begin with libtwo.so"):
        mf_elf.rename(path, "libtwo.so")


def test_wheel_tag_follows_library_dependencies(tmp_path: Path) -> None:
    one = compiled(tmp_path / "libone.so", "int one(void) { return 1; }\n", "-Wl,-soname,libone.so")
    alone = mf_elf.tag({"lib/libone.so": one.read_bytes()})
    assert alone is not None and alone.startswith("manylinux_2_"), "it needs what every Linux has"
    two = compiled(
        tmp_path / "libtwo.so", "int one(void);\nint two(void) { return one() + 1; }\n", f"-L{tmp_path}", "-lone"
    )
    assert mf_elf.tag({"libtwo.so": two.read_bytes()}) is None, "what it needs is not in the wheel"
    assert mf_elf.tag({"libtwo.so": two.read_bytes(), "libone.so": one.read_bytes()}) == alone


@pytest.mark.parametrize(
    ("versions", "oldest"), [([], (2, 17)), (["GLIBC_2.2.5", "GLIBC_2.34"], (2, 34)), (["GLIBC_2.9", "GCC_3.0"], (2, 17))]
)
def test_newest_symbol_version_sets_minimum_glibc(versions: list[str], oldest: tuple[int, int]) -> None:
    assert mf_elf.Elf("x86_64", versions={"libc.so.6": versions}).glibc() == oldest


@pytest.mark.parametrize("data", [b"", b"no library", b"\x7fELF\x01\x01" + bytes(60)])
def test_rejects_non_64_bit_libraries(data: bytes) -> None:
    with pytest.raises(mf_elf.NotElf):
        mf_elf.read(data)


def test_a_wheel_is_finished(tmp_path: Path) -> None:
    built = compiled(tmp_path / "_one.abi3.so", "int one(void) { return 1; }\n")
    wheel = tmp_path / "one-1-cp310-abi3-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(built, "one/_one.abi3.so")
        archive.writestr("one-1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: cp310-abi3-linux_x86_64\n")
        archive.writestr("one-1.dist-info/RECORD", "")
    symbols = tmp_path / "symbols"
    symbols.mkdir()
    finished = mf_wheel.finish(wheel, symbols)
    assert finished.exists() and not wheel.exists() and "-manylinux_2_" in finished.name
    tag = finished.stem.split("-", 2)[2]
    with zipfile.ZipFile(finished) as archive:
        assert f"Tag: {tag}\n" in archive.read("one-1.dist-info/WHEEL").decode()
        lines = archive.read("one-1.dist-info/RECORD").decode().splitlines()
        assert [line.split(",")[0] for line in lines] == archive.namelist()
        stripped = archive.read("one/_one.abi3.so")
        assert archive.getinfo("one/_one.abi3.so").external_attr >> 16 & 0o111, "it stays executable"
    assert len(stripped) < built.stat().st_size and b".debug_info" not in stripped
    assert b".debug_info" in (symbols / "_one.abi3.so.debug").read_bytes()
    assert b"_one.abi3.so.debug" in stripped, "debuggers find the symbols by this name"


def test_link_options_order_functions_for_compression(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = mf_link.options()
    if found:
        built = compiled(tmp_path / "libone.so", "int one(void) { return 1; }\n", *found)
        assert ctypes.CDLL(str(built)).one() == 1
        option, path = mf_link.config(found, tmp_path)
        assert option == "--config" and all(json.dumps(f"-Clink-arg={one}") in Path(path).read_text() for one in found)
    else:
        assert "the wheel is some 5 % larger" in capsys.readouterr().out
    # A compiler that cannot link so is asked for nothing.
    monkeypatch.setenv("CC", "false")
    assert mf_link.options() == [] and mf_link.config([], tmp_path) == []
    assert "the wheel is some 5 % larger" in capsys.readouterr().out


@pytest.mark.parametrize("compiler", ["cc", "aarch64-linux-gnu-gcc"])
def test_linker_names_assemble_on_every_architecture(tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}: apt-get install gcc-aarch64-linux-gnu, or gcc")
    output, names = tmp_path / "libnames.so", BACKEND.parents[1] / "core" / "hybm" / "entries.S"
    subprocess.run([compiler, "-shared", "-nostdlib", names, "-o", output], check=True)
    assert all(name in output.read_bytes() for name in (b"ptracer_init\0", b"ptracer_uninit\0", b"g_tracer\0"))


def test_source_distribution_has_sources_and_no_build_output(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for name in ("Cargo.toml", "PKG-INFO", "target/release/a", "python/mf_smem/__init__.py", "python/mf_smem/lib/mf",
                 "python/mf_smem/include/a.h", "python/x.so", "core/__pycache__/a.pyc", "core/capi/include/a.h"):
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tree / "core" / "link.h").symlink_to("capi/include/a.h")
    output = tmp_path / "one-1.tar.gz"
    mf_sdist.write(tree, "one-1", output, b"Name: one\n", ["maturin>=1.9.4,<2"])
    with tarfile.open(output) as archive:
        assert sorted(archive.getnames()) == [
            "one-1/Cargo.toml", "one-1/PKG-INFO", "one-1/core/capi/include/a.h", "one-1/core/link.h",
            "one-1/pyproject.toml", "one-1/python/mf_smem/__init__.py",
        ]
        assert all(entry.isreg() and entry.uid == 0 for entry in archive.getmembers())
        information, project = archive.extractfile("one-1/PKG-INFO"), archive.extractfile("one-1/pyproject.toml")
        assert information is not None and information.read() == b"Name: one\n"
        assert project is not None and b'requires = ["maturin>=1.9.4,<2"]' in project.read()
