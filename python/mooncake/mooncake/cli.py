# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mooncake_master``: runs the config store of a job, and serves a master's HTTP endpoints for tools.

The master keeps no list of values: members locate values without it. They continue after its end if the store has moved to a
member.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
from collections.abc import Sequence

import mf_smem

from . import _admin
from ._flags import Flags
from ._names import joined
from ._space import LEASE_KEY, PUT_LIMIT_KEY
from .http_metadata_server import KVBootstrapServer
from .store import MooncakeDistributedStore

__all__ = ["main"]

_ASK_S = 10

_FLAGS = Flags(
    "mooncake_master",
    __doc__,
    {
        "rpc_port": (50_051, "port of the store"),
        "port": (0, "the same, by its older name"),
        "rpc_address": ("0.0.0.0", "address where the store listens"),  # noqa: S104
        "metrics_port": (9003, "port for HTTP: /health, /metrics, /get_all_segments, /batch_query_keys; 0: none"),
        "metrics_host": ("0.0.0.0", "address for HTTP"),  # noqa: S104
        "enable_http_metadata_server": (False, "also run mooncake_http_metadata_server"),
        "http_metadata_server_host": ("0.0.0.0", "its address"),  # noqa: S104
        "http_metadata_server_port": (8080, "its port"),
        "put_start_discard_timeout_sec": (30, "seconds after which a put session without an end is dropped"),
        "default_kv_lease_ttl": ("10000", "how long a value that was read is not removed: milliseconds, or a number with ms, s, m, h"),
    },
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until SIGINT or SIGTERM. Returns 0, or 1 if a port is in use or a flag is invalid."""
    given = _FLAGS.parse(sys.argv[1:] if arguments is None else arguments, mf_smem.version())
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    host, port = given["rpc_address"], given["port"] or given["rpc_port"]
    url = f"tcp://{joined(host, port)}"
    own = f"tcp://{joined('127.0.0.1' if host == '0.0.0.0' else host, port)}"  # noqa: S104
    try:
        lease = _milliseconds(given["default_kv_lease_ttl"])
        store = mf_smem.Store.serve(url)
        with mf_smem.Store(own, timeout=_ASK_S) as guest:
            guest.set(LEASE_KEY, str(lease))
            guest.set(PUT_LIMIT_KEY, str(given["put_start_discard_timeout_sec"] * 1000))
        if given["metrics_port"]:
            admin = _admin.Admin(own.partition("://")[2], _Joined(own).store)
            _admin.serve(admin, given["metrics_host"], given["metrics_port"])
        if given["enable_http_metadata_server"]:
            KVBootstrapServer(given["http_metadata_server_port"], given["http_metadata_server_host"]).start()
    except (OSError, ValueError, mf_smem.Error) as error:
        print(f"mooncake_master: {error}", file=sys.stderr)
        return 1
    print(f"mooncake_master: the store is {url}", flush=True)
    ended.wait()
    store.close()
    return 0


class _Joined:
    """Member without memory. Joins on first use."""

    def __init__(self, url: str) -> None:
        self._url, self._lock = url, threading.Lock()
        self._store: MooncakeDistributedStore | None = None

    def store(self) -> MooncakeDistributedStore | None:
        """Returns the member, or None if it cannot join."""
        with self._lock:
            if self._store is None:
                made = MooncakeDistributedStore()
                code = made.setup({"local_hostname": "master", "metadata_server": self._url, "global_segment_size": 0})
                self._store = made if code == 0 else None
            return self._store


def _milliseconds(text: str) -> int:
    """Parses a number with an optional unit: ms (default), s, m or h. Returns milliseconds. Raises `ValueError`."""
    found = re.fullmatch(r"(\d+)(ms|s|m|h)?", text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no time: milliseconds, or a number with ms, s, m or h, is expected")
    return int(found[1]) * {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}[found[2] or "ms"]


if __name__ == "__main__":
    raise SystemExit(main())
