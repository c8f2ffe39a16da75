# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The extension module; everything else is in pyproject.toml."""

from pybind11.setup_helpers import Pybind11Extension
from setuptools import setup

native = Pybind11Extension(
    "mf_pybind_enums._native",
    ["mf_pybind_enums/native.cpp"],
    cxx_std=17,
    # The programs were built with the older ABI of libstdc++, which is a part of the name of the internals.
    define_macros=[("_GLIBCXX_USE_CXX11_ABI", "0")],
    extra_compile_args=["-Wall", "-Wextra", "-Werror"],
)
setup(ext_modules=[native])
