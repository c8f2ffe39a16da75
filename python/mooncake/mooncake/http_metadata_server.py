# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Metadata server: small values by key over HTTP, in memory.

Serves ``GET``, ``PUT`` and ``DELETE /metadata?key=K``, and ``GET /health``. Engines of this package need it only for names
without a port.
"""

from __future__ import annotations

import argparse
import signal
import threading
import urllib.parse
from collections.abc import Sequence

from ._http import TEXT, Handler, Server

__all__ = ["KVBootstrapServer", "main"]

#: Maximum value, in bytes.
_LONGEST = 16 << 20


class KVBootstrapServer:
    """HTTP server of metadata. Listens after `run` or `start`."""

    def __init__(self, port: int, host: str = "0.0.0.0") -> None:  # noqa: S104 - the default of the original
        self.port, self.host = port, host
        self._values: dict[str, bytes] = {}
        self._lock = threading.Lock()
        self._server: Server | None = None

    def start(self) -> None:
        """Listens, and answers in a thread. With port 0, sets `port` to a free one. Raises `OSError` if the port is in use."""
        self._listen().start()

    def run(self) -> None:
        """Listens and answers until `close`. Raises `OSError` if the port is in use."""
        self._listen().run()

    def close(self) -> None:
        """Stops listening. Idempotent."""
        server, self._server = self._server, None
        if server is not None:
            server.close()

    stop = close

    def is_running(self) -> bool:
        """Returns True between `start` and `close`."""
        return self._server is not None

    def get(self, key: str) -> bytes | None:
        """Returns the value of a key, or None for an unknown key."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: str, value: bytes) -> bool:
        """Stores a value. Returns False for an engine's address that is stored already."""
        with self._lock:
            if "rpc_meta" in key and key in self._values:
                return False
            self._values[key] = value
            return True

    def remove(self, key: str) -> bool:
        """Removes a key. Returns False for an unknown key."""
        with self._lock:
            return self._values.pop(key, None) is not None

    def _listen(self) -> Server:
        server = self._server = Server(self.host, self.port, _Handler, values=self)
        self.port = server.port
        return server


class _Handler(Handler):
    values: KVBootstrapServer

    def do_GET(self) -> None:
        if urllib.parse.urlsplit(self.path).path == "/health":
            return self._answer(200, b"OK")
        key = self._key()
        if key is not None:
            value = self.values.get(key)
            self._answer(*((404, b"there is no such key") if value is None else (200, value)))

    def do_PUT(self) -> None:
        value = self.body(_LONGEST)
        if value is None:
            return
        key = self._key()
        if key is not None:
            done = self.values.put(key, value)
            self._answer(*((200, b"stored") if done else (400, b"this address is stored already")))

    def do_DELETE(self) -> None:
        key = self._key()
        if key is not None:
            self._answer(*((200, b"removed") if self.values.remove(key) else (404, b"there is no such key")))

    def _key(self) -> str | None:
        """Returns the key of the request. Without one, answers with an error and returns None."""
        parts = urllib.parse.urlsplit(self.path)
        key = urllib.parse.parse_qs(parts.query).get("key", [""])[0]
        if parts.path != "/metadata":
            self._answer(404, b"there is /metadata and /health")
        elif not key:
            self._answer(400, b"the request names no key: /metadata?key=NAME")
        else:
            return key
        return None

    def _answer(self, status: int, body: bytes) -> None:
        self.answer(status, "application/octet-stream" if status == 200 else TEXT, body)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs ``mooncake_http_metadata_server`` until SIGINT or SIGTERM. Returns 0."""
    parser = argparse.ArgumentParser("mooncake_http_metadata_server", description=__doc__)
    parser.add_argument("--host", default="0.0.0.0", help="address to listen at (default: %(default)s)")  # noqa: S104
    parser.add_argument("--port", type=int, default=8080, help="port, 0: a free one (default: %(default)s)")
    given = parser.parse_args(arguments)
    server = KVBootstrapServer(given.port, given.host)
    try:
        server.start()
    except OSError as error:
        parser.exit(1, f"mooncake_http_metadata_server: cannot listen at {given.host}:{given.port}: {error}\n")
    print(f"listening at {given.host}:{server.port}", flush=True)
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    ended.wait()
    server.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
