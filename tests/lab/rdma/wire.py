# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Frames between a guest's agent and its clients: a kind of one byte, a length of four, the content.

A client sends one frame RUN with the command as JSON, then INPUT (empty: the end) and SIGNAL. The agent sends
OUTPUT, ERRORS and at the end STATUS. A connection that ends kills the command."""

import socket
import struct

RUN, INPUT, SIGNAL, OUTPUT, ERRORS, STATUS = b"r", b"i", b"s", b"o", b"e", b"x"
PORT = 7000
NAMESPACE = "/run/netns/orders"


def send(to: socket.socket, kind: bytes, content: bytes = b"") -> None:
    to.sendall(kind + struct.pack("!I", len(content)) + content)


def exactly(source: socket.socket, count: int) -> bytes:
    content = b""
    while len(content) < count:
        part = source.recv(count - len(content))
        if not part:
            raise ConnectionError("the other side has closed")
        content += part
    return content


def receive(source: socket.socket) -> tuple[bytes, bytes]:
    """One frame. Blocks; raises ConnectionError at the end of the connection."""
    head = exactly(source, 5)
    return head[:1], exactly(source, struct.unpack("!I", head[1:])[0])
