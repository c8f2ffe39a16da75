# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HTTP servers of this package: a thread for each connection, bounded bodies, no log."""

from __future__ import annotations

import http.server
import threading
from typing import Any

TEXT = "text/plain; charset=utf-8"


class Handler(http.server.BaseHTTPRequestHandler):
    """Base class of the handlers. A connection ends after 30 s without a request."""

    protocol_version = "HTTP/1.1"
    timeout = 30

    def body(self, most: int, without: str = "") -> bytes | None:
        """Reads the body of a request. Answers with an error and returns None if it has more than `most` bytes, or no length.

        `without` is the length of requests that give none.
        """
        length = self.headers.get("Content-Length", without)
        if length.isascii() and length.isdigit() and int(length) <= most:
            return self.rfile.read(int(length))
        self.close_connection = True
        self.answer(413 if length else 411, TEXT, f"a length of at most {most} bytes is expected\n".encode())
        return None

    def answer(self, status: int, kind: str, body: bytes) -> None:
        """Sends a response with a body of the content type `kind`."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing, because tools and engines send requests often."""


class Server:
    """Listens on construction. Raises `OSError` if the port is in use."""

    def __init__(self, host: str, port: int, handler: type[Handler], **attributes: Any) -> None:
        """`attributes` are set on the handlers."""
        self._http = http.server.ThreadingHTTPServer((host, port), type("Bound", (handler,), attributes))
        self._http.daemon_threads = True
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """Port of the server, also if port 0 was asked for."""
        return int(self._http.server_address[1])

    def start(self) -> None:
        """Answers in a thread."""
        self._thread = threading.Thread(target=self.run, name="mooncake-http", daemon=True)
        self._thread.start()

    def run(self) -> None:
        """Answers until `close`."""
        self._http.serve_forever(poll_interval=0.1)

    def close(self) -> None:
        """Stops listening, and waits for the thread of `start`."""
        self._http.shutdown()
        self._http.server_close()
        if self._thread is not None:
            self._thread.join()
