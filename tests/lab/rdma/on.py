#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""on.py HOST COMMAND…: runs a command in a guest, with this process's environment, input, output and status.

LAB_AGENTS has the addresses of the agents, HOST:PORT, separated by commas; LAB_GUEST_AGENTS those as seen from a guest,
where it connects through the network of the orders. Killing this process kills the command."""

import json
import os
import signal
import socket
import sys
import threading

import wire

# Of this process, not of the command.
OWN = {"MF_TEST_PARENT"}


def connect(host: int) -> socket.socket:
    in_guest = os.path.exists(wire.NAMESPACE)
    agents = os.environ["LAB_GUEST_AGENTS" if in_guest else "LAB_AGENTS"]
    address, port = agents.split(",")[host].split(":")
    if in_guest:
        from agent import enter

        enter(wire.NAMESPACE)
    return socket.create_connection((address, int(port)), timeout=60)


def pass_input(connection: socket.socket, lock: threading.Lock) -> None:
    while True:
        part = os.read(0, 65536)
        with lock:
            wire.send(connection, wire.INPUT, part)
        if not part:
            return


def run(host: int, argv: list[str]) -> int:
    connection, lock = connect(host), threading.Lock()
    connection.settimeout(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    environment = {name: value for name, value in os.environ.items() if name not in OWN}
    wire.send(connection, wire.RUN, json.dumps({"argv": argv, "env": environment, "cwd": os.getcwd()}).encode())

    def pass_signal(number: int, _frame: object) -> None:
        wire.send(connection, wire.SIGNAL, str(number).encode())

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, pass_signal)
    threading.Thread(target=pass_input, args=(connection, lock), daemon=True).start()
    while True:
        kind, content = wire.receive(connection)
        if kind == wire.STATUS:
            return int(content)
        output = sys.stdout if kind == wire.OUTPUT else sys.stderr
        output.buffer.write(content)
        output.flush()


def main() -> None:
    try:
        status = run(int(sys.argv[1]), sys.argv[2:])
    except OSError as error:
        print(f"guest {sys.argv[1]}: {error}", file=sys.stderr)
        status = 125
    sys.stdout.flush()
    # The thread that reads the input may still wait for it.
    os._exit(status if status >= 0 else 128 - status)


main()
