# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Teams and contexts."""

from __future__ import annotations

import ctypes
from types import TracebackType

from mf_smem._unique import Unique

from . import _functions, _life
from ._functions import Handle
from ._memory import ptr
from ._types import Array, TeamConfig

_function = _functions.function
_team_my_pe, _team_n_pes = _function("shmem_team_my_pe"), _function("shmem_team_n_pes")
_NUM_CONTEXTS = 1


class _Numbered(Unique, Handle):
    """An object with a number in the library; 0 means none."""

    def __bool__(self) -> bool:
        return self.handle != 0

    def __copy__(self) -> _Numbered:
        return self

    def __deepcopy__(self, memo: object) -> _Numbered:
        return self

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Handle) and other.handle == self.handle

    def __hash__(self) -> int:
        return hash((type(self), self.handle))

    def __repr__(self) -> str:
        return f"openshmem.{type(self).__name__}({self.handle:#x})"


class Team(_Numbered):
    """A subset of the job's PEs, renumbered from 0. `TEAM_INVALID` is the null team, and false."""

    def my_pe(self) -> int:
        """The number of this PE in it; -1 of `TEAM_INVALID`."""
        _life.begun()
        return int(_team_my_pe(self.handle))

    def n_pes(self) -> int:
        """Number of PEs; -1 for `TEAM_INVALID`."""
        _life.begun()
        return int(_team_n_pes(self.handle))

    def translate_pe(self, pe: int, team: Team | None = None) -> int:
        """The number in `team`, or in the world, of PE `pe` of this one; -1: it is not there."""
        _life.begun()
        other = TEAM_WORLD if team is None else team
        return int(_function("shmem_team_translate_pe")(self.handle, pe, other.handle))

    def split_strided(
        self,
        start: int = 0,
        stride: int = 1,
        size: int | None = None,
        config: TeamConfig | None = None,
        *,
        num_contexts: int | None = None,
    ) -> Team:
        """A team of the PEs ``start + i * stride``, up to the last PE unless `size` limits it. **Collective** over this team.
        `TEAM_INVALID` for PEs outside of it."""
        _life.begun()
        if size is None:
            last = self.n_pes() - 1 if stride > 0 else 0
            size = (last - start) // stride + 1 if stride else 1
        given, mask = _config(config, num_contexts)
        made = ctypes.c_void_p()
        _function("shmem_team_split_strided")(
            self.handle, start, stride, size, ctypes.addressof(given), mask, ctypes.addressof(made)
        )
        return Team(made.value or 0)

    def split_2d(
        self,
        xrange: int,
        xaxis_config: TeamConfig | None = None,
        yaxis_config: TeamConfig | None = None,
    ) -> tuple[Team, Team]:
        """The row and the column of this PE in a grid with rows of `xrange` PEs. **Collective** over this team."""
        _life.begun()
        (x, x_mask), (y, y_mask) = _config(xaxis_config, None), _config(yaxis_config, None)
        row, column = ctypes.c_void_p(), ctypes.c_void_p()
        _function("shmem_team_split_2d")(
            self.handle,
            xrange,
            ctypes.addressof(x),
            x_mask,
            ctypes.addressof(row),
            ctypes.addressof(y),
            y_mask,
            ctypes.addressof(column),
        )
        return Team(row.value or 0), Team(column.value or 0)

    def get_config(self) -> TeamConfig:
        """Its configuration."""
        _life.begun()
        found = ctypes.c_int(0)
        _function("shmem_team_get_config")(self.handle, _NUM_CONTEXTS, ctypes.addressof(found))
        return TeamConfig(found.value)

    def create_ctx(self, options: int = 0) -> Ctx:
        """A context with PEs numbered as in this team."""
        return Ctx.create(options, self)

    def ptr(self, target: Array, pe: int) -> Array | None:
        """As `openshmem.ptr`, of PE `pe` of this team."""
        number = self.translate_pe(pe)
        if number < 0:
            raise ValueError(f"there is no PE {pe} in this team")
        return ptr(target, number)

    def sync(self) -> None:
        """Waits for all PEs of the team. **Collective** over it."""
        _life.begun()
        _function("shmem_team_sync")(self.handle)

    def destroy(self) -> None:
        """Gives the team up, with its contexts. **Collective** over it."""
        _life.begun()
        _function("shmem_team_destroy")(self.handle)

    def __enter__(self) -> Team:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A PE that leaves by an exception does not wait for others.
        if kind is None:
            self.destroy()


def _config(config: TeamConfig | None, num_contexts: int | None) -> tuple[ctypes.c_int, int]:
    """The configuration in C, and which fields of it count."""
    if num_contexts is None:
        num_contexts = None if config is None else config.num_contexts
    return ctypes.c_int(num_contexts or 0), 0 if num_contexts is None else _NUM_CONTEXTS


TEAM_WORLD = Team(1)
TEAM_SHARED = Team(2)
TEAM_INVALID = Team(0)


class Ctx(_Numbered):
    """A lane of operations, with an order and a completion of its own. `CTX_INVALID` is the null context, and
    false."""

    @staticmethod
    def create(options: int = 0, team: Team | None = None) -> Ctx:
        """A new context, of the world or of a team. **Local.** It lives until `destroy`, or until its team is destroyed."""
        _life.begun()
        made, of = ctypes.c_void_p(), TEAM_WORLD if team is None else team
        _function("shmem_team_create_ctx")(of.handle, int(options), ctypes.addressof(made))
        return Ctx(made.value or 0)

    def get_team(self) -> Team:
        """The team that numbers the PEs in its calls."""
        _life.begun()
        found = ctypes.c_void_p()
        _function("shmem_ctx_get_team")(self.handle, ctypes.addressof(found))
        return Team(found.value or 0)

    def fence(self) -> None:
        """Orders earlier puts on it before later ones."""
        _functions.fence(self)

    def quiet(self) -> None:
        """Completes its operations."""
        _functions.quiet(self)

    def destroy(self) -> None:
        """Completes its operations, and destroys it."""
        _life.begun()
        _function("shmem_ctx_destroy")(self.handle)
        _functions.release_pending(self.handle)

    def __enter__(self) -> Ctx:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.destroy()


CTX_DEFAULT = Ctx(1)
CTX_INVALID = Ctx(0)
