# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs the commands of clients in a guest, each until it ends or its client is gone."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import threading

import wire

# Python 3.12 has os.setns.
LIBC = ctypes.CDLL(None, use_errno=True)


def enter(namespace: str) -> None:
    """Moves this thread into a network namespace."""
    with open(namespace, "rb") as file:
        if LIBC.setns(file.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), f"setns {namespace}")


def forward(source, connection: socket.socket, kind: bytes, lock: threading.Lock) -> None:
    while part := os.read(source.fileno(), 65536):
        with lock:
            try:
                wire.send(connection, kind, part)
            except OSError:
                return


def obey(connection: socket.socket, process: subprocess.Popen) -> None:
    """Input and signals of the client, until it is gone: then the command goes, too."""
    try:
        while True:
            kind, content = wire.receive(connection)
            if kind == wire.SIGNAL:
                os.killpg(process.pid, int(content))
            elif content:
                process.stdin.write(content)
                process.stdin.flush()
            else:
                process.stdin.close()
    except (OSError, ValueError):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def serve_one(connection: socket.socket) -> None:
    _, content = wire.receive(connection)
    order = json.loads(content)
    pipe = subprocess.PIPE
    # Programs that end with their parent compare.
    order["env"]["MF_TEST_PARENT"] = str(os.getpid())
    try:
        process = subprocess.Popen(
            order["argv"], env=order["env"], cwd=order["cwd"], stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
    except OSError as error:
        wire.send(connection, wire.ERRORS, f"{order['argv'][0]}: {error}\n".encode())
        wire.send(connection, wire.STATUS, b"127")
        return
    lock = threading.Lock()
    outputs = [(process.stdout, wire.OUTPUT), (process.stderr, wire.ERRORS)]
    threads = [threading.Thread(target=forward, args=(source, connection, kind, lock)) for source, kind in outputs]
    for thread in threads:
        thread.start()
    threading.Thread(target=obey, args=(connection, process), daemon=True).start()
    status = process.wait()
    for thread in threads:
        thread.join()
    with lock:
        wire.send(connection, wire.STATUS, str(status).encode())


def run_one(connection: socket.socket) -> None:
    with connection:
        try:
            serve_one(connection)
        except (ConnectionError, ValueError) as error:
            print(f"lab: a client: {error}", flush=True)


def main() -> None:
    with open("/proc/self/ns/net", "rb") as first:
        enter(wire.NAMESPACE)
        listener = socket.create_server(("0.0.0.0", wire.PORT), backlog=64)
        # The listener stays in its namespace; commands run in the first one.
        enter(f"/proc/self/fd/{first.fileno()}")
    print("lab: the agent listens", flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=run_one, args=(connection,), daemon=True).start()


if __name__ == "__main__":
    main()
