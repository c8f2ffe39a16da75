# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The place of a last tier, and the secret of its digests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ._errors import invalid


def operator(target: Any, options: dict[str, str]) -> Any:
    """The operator of opendal for a target; other objects are taken for operators."""
    if not isinstance(target, (str, os.PathLike)):
        if options:
            raise invalid(f"an operator has its settings already: {', '.join(options)}")
        return target
    try:
        import opendal  # type: ignore[import-not-found,unused-ignore]
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("a last tier needs the package opendal: pip install opendal", name="opendal") from error
    try:
        if isinstance(target, os.PathLike) or target.startswith(("/", ".")):
            folder = Path(target).absolute()
            # Others never see a part of an object.
            return opendal.Operator("fs", root=str(folder), atomic_write_dir=str(folder / ".drafts"), **options)
        if "://" in target:
            return opendal.Operator.from_uri(target, **options)
        return opendal.Operator(target, **options)
    except Exception as error:
        raise invalid(f"the last tier at {target!r} cannot be opened: {first_line(error)}") from error


def job_secret() -> bytes:
    """The secret of the job, by the same rule as the library's, which shows it to nobody; empty without one."""
    if text := os.environ.get("MF_JOB_SECRET", ""):
        return text.encode()
    path = os.environ.get("MF_JOB_SECRET_FILE", "")
    if not path:
        return b""
    try:
        secret = Path(path).read_bytes().strip()
    except OSError as error:
        raise invalid(f"the file with the job secret is not usable: MF_JOB_SECRET_FILE={path}: {error.strerror}") from error
    if not secret:
        raise invalid(f"the file with the job secret is empty: MF_JOB_SECRET_FILE={path}")
    return secret


def first_line(error: BaseException) -> str:
    """The first line of an error's text, or its class."""
    return str(error).split("\n", 1)[0] or type(error).__name__
