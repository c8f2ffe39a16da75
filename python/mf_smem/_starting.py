# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Operations and notifications of `TransferEngine`. These methods raise `mf_smem.Error`."""

from __future__ import annotations

from collections.abc import Sequence

from . import _mf_smem
from ._codes import NOT_INIT
from ._endpoints import Endpoints
from ._errors import NotInitError
from ._started import Events, PreparedTransfer, Transfer

#: As many notifications as there are, and as good as for ever.
_ALL, _FOREVER_MS = 1 << 62, 1 << 31


class Starting:
    """Transfers that go on by themselves, prepared lists and notifications of an engine."""

    _endpoints: Endpoints

    def __init__(self) -> None:
        #: Wakes event loops; made when one waits first.
        self._events: Events | None = None

    def _found(self, dest_session: str) -> tuple[str, _mf_smem.TransferEndpoint]:
        """The name of a destination, and the endpoint for it; raises without a route."""
        raise NotImplementedError

    def start_write(
        self,
        dest_session: str,
        buffers: Sequence[int],
        peer_buffers: Sequence[int],
        lengths: Sequence[int],
        notify: bytes | None = None,
    ) -> Transfer:
        """Starts what `batch_transfer_sync_write` does, and returns a `Transfer`, which is polled, waited for, awaited or
        cancelled. With `notify`, of at most 4096 bytes, the other engine gets that message when all is visible there; then the
        lists may be empty. Transfers to one engine are done in the order of their starts. **One-sided**; blocks only to find an
        engine that is not known, at most 3 seconds at each store.

        Raises `NotConnectedError` no such engine, `InvalidParamError` a bad piece or a long message, `NoResourcesError`
        16,384 transfers; all else is raised by the transfer.
        """
        return self._start(dest_session, buffers, peer_buffers, lengths, True, notify)

    def start_read(
        self,
        dest_session: str,
        buffers: Sequence[int],
        peer_buffers: Sequence[int],
        lengths: Sequence[int],
        notify: bytes | None = None,
    ) -> Transfer:
        """As `start_write`, from the other engine, which gets `notify` when all has been read."""
        return self._start(dest_session, buffers, peer_buffers, lengths, False, notify)

    def prepare_write(
        self, dest_session: str, buffers: Sequence[int], peer_buffers: Sequence[int], lengths: Sequence[int]
    ) -> PreparedTransfer:
        """Checks pieces once, to start many writes of all or some of them. Local memory is registered, and refused once that is
        taken back; the other engine's is judged at each access. Blocks as `start_write`, and raises as that does."""
        return self._prepare(dest_session, buffers, peer_buffers, lengths, True)

    def prepare_read(
        self, dest_session: str, buffers: Sequence[int], peer_buffers: Sequence[int], lengths: Sequence[int]
    ) -> PreparedTransfer:
        """As `prepare_write`, for reads."""
        return self._prepare(dest_session, buffers, peer_buffers, lengths, False)

    def notify(self, dest_session: str, message: bytes) -> None:
        """Sends a message of at most 4096 bytes to another engine, which has it on return. It comes behind all transfers to that
        engine that have returned or were started before, and waits for those. **One-sided.**

        Raises `NotConnectedError` no such engine, or it does not answer; `NoResourcesError` it holds 8192 and takes none;
        `InvalidParamError` a long message.
        """
        name, endpoint = self._found(dest_session)
        _mf_smem.transfer_notify(endpoint, name, message)

    def get_notifications(self) -> list[tuple[str, bytes]]:
        """Takes all received messages: the sender's session, and the message; messages of one sender stay in order. Does not
        block. Before `initialize`: none."""
        endpoint = self._endpoints.any()
        return [] if endpoint is None else _mf_smem.transfer_notifications(endpoint, 0, _ALL)

    def wait_notification(self, timeout: float | None = None) -> tuple[str, bytes]:
        """Takes the oldest message, as `get_notifications`; waits for one, at most `timeout` seconds, or as long as it takes.
        Ctrl-C leaves the wait. Raises `TimedOutError`, and `NotInitError` before `initialize`."""
        milliseconds = _FOREVER_MS if timeout is None else min(_FOREVER_MS, max(1, int(timeout * 1000)))
        return _mf_smem.transfer_notifications(self._some_endpoint(), milliseconds, 1)[0]

    async def notification(self) -> tuple[str, bytes]:
        """As `wait_notification` in an event loop, as long as it takes."""
        endpoint = self._some_endpoint()

        def first() -> tuple[str, bytes] | None:
            return next(iter(_mf_smem.transfer_notifications(endpoint, 0, 1)), None)

        return await self._loop_events().until(first, lambda: True)

    def _start(
        self,
        dest_session: str,
        buffers: Sequence[int],
        peer_buffers: Sequence[int],
        lengths: Sequence[int],
        is_write: bool,
        message: bytes | None,
    ) -> Transfer:
        name, endpoint = self._found(dest_session)
        started = _mf_smem.StartedTransfer(endpoint, name, buffers, peer_buffers, lengths, is_write, message)
        return Transfer(started, name, self._loop_events)

    def _prepare(
        self,
        dest_session: str,
        buffers: Sequence[int],
        peer_buffers: Sequence[int],
        lengths: Sequence[int],
        is_write: bool,
    ) -> PreparedTransfer:
        name, endpoint = self._found(dest_session)
        prepared = _mf_smem.PreparedTransfer(endpoint, name, buffers, peer_buffers, lengths, is_write)
        return PreparedTransfer(prepared, name, len(lengths), self._loop_events)

    def _some_endpoint(self) -> _mf_smem.TransferEndpoint:
        endpoint = self._endpoints.any()
        if endpoint is None:
            raise NotInitError(NOT_INIT, "transfer: it is not initialised, or has met no other engine")
        return endpoint

    def _loop_events(self) -> Events:
        events = self._events
        if events is None:
            # All endpoints of an engine have one name, and so one descriptor. A second one does no harm.
            events = self._events = Events(_mf_smem.transfer_event_fd(self._some_endpoint()))
        return events
