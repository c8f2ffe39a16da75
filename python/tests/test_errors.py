# SPDX-License-Identifier: Apache-2.0 OR MIT
from __future__ import annotations

import pickle

import mf_smem
import pytest
from mf_smem._errors import error_from_code

KINDS = [
    (-1, "Error", RuntimeError),
    (-2000, "InvalidParamError", ValueError),
    (-2001, "OutOfMemoryError", MemoryError),
    (-2002, "NoResourcesError", RuntimeError),
    (-2003, "NotStartedError", RuntimeError),
    (-2004, "TimedOutError", TimeoutError),
    (-2005, "RepeatError", RuntimeError),
    (-2006, "DuplicatedError", RuntimeError),
    (-2007, "NotExistError", LookupError),
    (-2008, "NotInitError", RuntimeError),
    (-2009, "InUseError", RuntimeError),
    (-2012, "PartialError", RuntimeError),
    (-2014, "NotConnectedError", ConnectionError),
    (-2015, "BufferTooSmallError", ValueError),
    (-2098, "CancelledError", RuntimeError),
]


@pytest.mark.parametrize(("code", "name", "builtin"), KINDS)
def test_each_code_has_an_exception(code: int, name: str, builtin: type[Exception]) -> None:
    error = error_from_code(code, "what happened")
    assert type(error) is getattr(mf_smem, name)
    assert isinstance(error, mf_smem.Error) and isinstance(error, RuntimeError) and isinstance(error, builtin)
    assert error.code == code and error.kind == code and str(error) == "what happened"
    copied = pickle.loads(pickle.dumps(error))
    assert (type(copied), copied.code, str(copied)) == (type(error), code, "what happened")


def test_every_kind_is_listed() -> None:
    assert {code for code, _, _ in KINDS} == {kind.value for kind in mf_smem.ErrorKind}


def test_an_unknown_code_is_kept() -> None:
    error = error_from_code(-7, "")
    assert type(error) is mf_smem.Error and error.code == -7 and error.kind is mf_smem.ErrorKind.FAILED
    assert "-7" in str(error)


def test_error_retry_advice_is_exposed() -> None:
    error = error_from_code(-2004, "what happened", 1)
    assert error.retry is pickle.loads(pickle.dumps(error)).retry is mf_smem.Retry.LATER
    assert error_from_code(-2000, "what happened").retry is mf_smem.Retry.NEVER
