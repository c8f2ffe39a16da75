# SPDX-License-Identifier: Apache-2.0 OR MIT
"""``mooncake_client``: contributes memory for values, and sends the store's address to thin clients on its host."""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import threading
from collections.abc import Sequence

import mf_smem

from . import _admin, _dummy
from ._flags import Flags
from .store import MooncakeDistributedStore

__all__ = ["main"]

_FLAGS = Flags(
    "mooncake_client",
    __doc__,
    {
        "host": ("127.0.0.1", "name or address of this host"),
        "metadata_server": ("P2PHANDSHAKE", "changes nothing, unless it is the URL of a store"),
        "master_server_address": ("127.0.0.1:50051", "the job's store, host:port"),
        "device_names": ("", "a network interface"),
        "protocol": ("tcp", "changes nothing"),
        "global_segment_size": ("4 GB", "memory for values"),
        "port": (50_052, "number by which thin clients name this process"),
        "http_port": (9300, "port for HTTP: /health, /metrics; 0: none"),
        "enable_http_server": (False, "serve HTTP"),
        "tenant_id": ("default", "whose keys"),
    },
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves until SIGINT or SIGTERM. Returns 0, or 1 if set-up fails or a port is in use."""
    given = _FLAGS.parse(sys.argv[1:] if arguments is None else arguments, mf_smem.version())
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    store = MooncakeDistributedStore()
    code = store.setup(
        {
            "local_hostname": given["host"],
            "metadata_server": given["metadata_server"],
            "global_segment_size": given["global_segment_size"],
            "local_buffer_size": 0,
            "protocol": given["protocol"],
            "rdma_devices": given["device_names"],
            "master_server_addr": given["master_server_address"],
            "tenant_id": given["tenant_id"],
        }
    )
    if code != 0:
        print(f"mooncake_client: {mf_smem.get_last_err_msg()} [{code}]", file=sys.stderr)
        return 1
    try:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(_dummy.socket_name(given["port"]))
        listening.listen()
        if given["enable_http_server"] and given["http_port"]:
            _admin.serve(_admin.Admin(store.get_hostname(), lambda: store), given["host"], given["http_port"])
    except OSError as error:
        print(f"mooncake_client: port {given['port']} or {given['http_port']}: {error}", file=sys.stderr)
        store.close()
        return 1
    threading.Thread(target=_answer_all, args=(listening, store), daemon=True).start()
    print(f"mooncake_client: {store.get_hostname()} serves thin clients as {given['port']}", flush=True)
    ended.wait()
    listening.close()
    store.close()
    return 0


def _answer_all(listening: socket.socket, store: MooncakeDistributedStore) -> None:
    while listening.fileno() >= 0:
        with contextlib.suppress(OSError):
            _dummy.answer(listening, store._opened().place)


if __name__ == "__main__":
    raise SystemExit(main())
