# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Compiles the plug-in, once for each minor version of NIXL, into the package."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "mf_nixl"))
from _versions import VERSIONS  # of the package, which cannot be imported before it is built

#: The C headers of the library: beside this file in a source distribution, else in the source tree.
HEADERS = next((folder for folder in (HERE / "include", HERE.parents[1] / "core/capi/include") if folder.is_dir()), None)
OPTIONS = ["-std=c++20", "-O2", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-Wall", "-Wextra"]
# NIXL closes a plug-in while its threads and texts are in use: the file stays loaded.
LINK = ["-shared", "-Wl,-z,nodelete", "-Wl,-z,defs", "-Wl,-z,noexecstack", "-Wl,-s", "-ldl"]


def compile_plugins(output: Path, release: str) -> None:
    """Writes OUTPUT/1.5/libplugin_MEMFABRIC.so, and the same for each version. The sources compile once; the version is
    in one of them."""
    if HEADERS is None:
        raise SystemExit("the headers of libmf_smem.so are not found: build from the source tree or its source distribution")
    compiler = [*shlex.split(os.environ.get("CXX", "g++")), *OPTIONS, f"-I{HEADERS}", f'-DMF_NIXL_PLUGIN_VERSION="{release}"']
    with tempfile.TemporaryDirectory() as folder:
        sources = sorted(path for path in (HERE / "src").glob("*.cpp") if path.name != "version.cpp")
        objects = [Path(folder, f"{path.stem}.o") for path in sources]
        for source, made in zip(sources, objects):
            run([*compiler, "-c", str(source), "-o", str(made)])
        for version in VERSIONS:
            target = output / version / "libplugin_MEMFABRIC.so"
            target.parent.mkdir(parents=True, exist_ok=True)
            own = f'-DMF_NIXL_BUILT_FOR="{version}"'
            run([*compiler, own, str(HERE / "src/version.cpp"), *map(str, objects), *LINK, "-o", str(target)])


def run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        raise SystemExit(f'the plug-ins are compiled by "{command[0]}", which was not found; another compiler: CXX=…') from None


class BuildWithPlugins(build_py):
    def run(self) -> None:
        super().run()
        package = HERE / "mf_nixl" if self.editable_mode else Path(self.build_lib, "mf_nixl")
        compile_plugins(package / "plugins", self.distribution.get_version())


class PlatformWheel(bdist_wheel):
    """A wheel for this processor and any Python: no file in it uses Python's own interface in C."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


class SourcesWithHeaders(sdist):
    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        shutil.copytree(HERE / "src", Path(base_dir, "src"), dirs_exist_ok=True)
        if HEADERS is not None:
            shutil.copytree(HEADERS, Path(base_dir, "include"), dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithPlugins, "bdist_wheel": PlatformWheel, "sdist": SourcesWithHeaders})
