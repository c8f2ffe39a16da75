# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A relay on the path of all TCP connections of a network namespace: passes their bytes on, or holds the bytes of one
connection.

``unshare --net python relay.py SOCKET`` prints "ready", or why it cannot. Orders are lines on the Unix socket SOCKET, answers are lines:

hold
    The first connection whose opener sends a long piece from now on is held, in both directions, from that piece on: "ok".
release
    Passes on all that was held, without a pause: "ok" once both ends have closed that connection.
wide
    Number of connections whose opener has sent a long piece.
"""

from __future__ import annotations

import socket
import struct
import subprocess
import sys
import threading

#: Where connections are redirected to, the mark of the relay's own, and the length of a long piece.
PORT, MARK, LONG = 9, 7, 4096
SO_ORIGINAL_DST = 80
RULES = f"""
table ip relay {{
    chain output {{
        type nat hook output priority -100;
        meta mark != {MARK} meta l4proto tcp redirect to :{PORT}
    }}
}}
"""


class Relay:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.is_armed = False
        self.held: Passed | None = None
        self.wide: set[Passed] = set()

    def obey(self, order: str) -> str:
        if order == "wide":
            return str(len(self.wide))
        if order == "hold":
            self.is_armed = True
        elif order == "release" and self.held is not None:
            self.held.release()
        else:
            return f"not possible: {order}"
        return "ok"


class Passed:
    """A connection through the relay."""

    def __init__(self, relay: Relay, near: socket.socket) -> None:
        self.relay = relay
        host, port = struct.unpack("!2xH4s8x", near.getsockopt(socket.SOL_IP, SO_ORIGINAL_DST, 16))[::-1]
        far = socket.socket()
        far.setsockopt(socket.SOL_SOCKET, socket.SO_MARK, MARK)
        #: Pieces that are held, and where they go; an empty one is the end.
        self.late: list[tuple[socket.socket, bytes]] = []
        try:
            far.connect((socket.inet_ntoa(host), port))
        except OSError:
            near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            near.close()
            return
        directions = [(near, far, True), (far, near, False)]
        for one in (near, far):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.threads = [threading.Thread(target=self.carry, args=each, daemon=True) for each in directions]
        for thread in self.threads:
            thread.start()

    def carry(self, source: socket.socket, target: socket.socket, asks: bool) -> None:
        piece = b"?"
        while piece:
            try:
                piece = source.recv(1 << 18)
            except OSError:
                piece = b""
            with self.relay.lock:
                if asks and len(piece) >= LONG:
                    self.relay.wide.add(self)
                    if self.relay.is_armed:
                        self.relay.is_armed, self.relay.held = False, self
                if self.relay.held is self:
                    self.late.append((target, piece))
                    continue
            self.send(target, piece)

    @staticmethod
    def send(target: socket.socket, piece: bytes) -> None:
        try:
            if piece:
                target.sendall(piece)
            else:
                target.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # that end has closed it

    def release(self) -> None:
        with self.relay.lock:
            for target, piece in self.late:
                self.send(target, piece)
            self.relay.held = None
        for thread in self.threads:
            thread.join()


def prepare() -> str:
    """Readies the namespace; returns why that is not possible, else an empty text."""
    for command, given in (("ip link set lo up", ""), ("nft -f -", RULES)):
        try:
            done = subprocess.run(command.split(), input=given, capture_output=True, text=True, check=False)
        except OSError as error:
            return f"{error}; install iproute2 and nftables"
        if done.returncode != 0:
            return f"{command}: {done.stderr.strip() or done.returncode}".replace("\n", "; ")
    return ""


def serve(relay: Relay, orders: socket.socket) -> None:
    while True:
        asking, _ = orders.accept()
        with asking, asking.makefile("rw") as lines:
            for line in lines:
                lines.write(relay.obey(line.strip()) + "\n")
                lines.flush()


def main(path: str) -> None:
    reason = prepare()
    if reason:
        return print(reason)
    relay, orders, listener = Relay(), socket.socket(socket.AF_UNIX), socket.create_server(("", PORT), backlog=128)
    orders.bind(path)
    orders.listen()
    print("ready", flush=True)
    threading.Thread(target=serve, args=(relay, orders), daemon=True).start()
    while True:
        Passed(relay, listener.accept()[0])


if __name__ == "__main__":
    main(sys.argv[1])
