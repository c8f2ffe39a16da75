# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a block of a page: run_python.py FILE. As in a notebook, `await` may stand outside of functions."""

import ast
import asyncio
import inspect
import sys

with open(sys.argv[1]) as file:
    code = compile(file.read(), sys.argv[1], "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
names = {"__name__": "__main__", "__file__": sys.argv[1]}
done = eval(code, names)
if inspect.iscoroutine(done):
    asyncio.run(done)
