# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cache product memcache_hybrid, unmodified, over this library: a meta service and two local services, every method, and deaths.

run.py PROTOCOL FOLDER [--tls CA CERTIFICATE KEY] [--hosts ADDRESS OTHER NAMESPACE]

With --hosts it runs on one of two hosts, at the first address; local services of odd numbers are on the other, a network namespace.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

MEMBER = Path(__file__).with_name("member.py")
#: Longest wait for anything; the product's own waits are up to 60 s.
DEADLINE_S = 90
LAYERS = [128 << 10] * 61 + [16 << 10] * 61
#: Where the meta service is; the other host, and what starts a process there.
HOST, OTHER, ELSEWHERE = "127.0.0.1", "127.0.0.1", list[str]()
if sys.argv[-4:-3] == ["--hosts"]:
    HOST, OTHER, ELSEWHERE = sys.argv[-3], sys.argv[-2], ["ip", "netns", "exec", sys.argv[-1]]


def free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind((HOST, 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def until(what: str, condition) -> None:
    """Waits for a condition."""
    end = time.monotonic() + DEADLINE_S
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not within {DEADLINE_S} s")
        time.sleep(0.05)


def answers(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


class Meta:
    """The meta service."""

    def __init__(self, folder: Path, tls: dict[str, object]) -> None:
        self.folder, (self.port, self.store, self.http) = folder, free_ports(3)
        self.tls = tls
        self.start()

    def start(self) -> None:
        settings = {
            "meta_service_url": f"tcp://{HOST}:{self.port}", "config_store_url": f"tcp://{HOST}:{self.store}",
            "metrics_url": f"http://{HOST}:{self.http}", "log_level": "info", "log_path": str(self.folder), **self.tls,
        }
        with (self.folder / "meta.log").open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(MEMBER), "meta", json.dumps(settings)], stdout=log, stderr=subprocess.STDOUT
            )
        until("the meta service listens", lambda: answers(self.port) and answers(self.store) and answers(self.http))

    def page(self, path: str) -> str:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.http}{path}", timeout=DEADLINE_S) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            return f"status {error.code}"


class Local:
    """A local service."""

    def __init__(self, number: int, protocol: str, meta: Meta) -> None:
        self.number = number
        mine, theirs = os.pipe()
        settings = {
            "results": theirs, "meta_service_url": f"tcp://{HOST}:{meta.port}",
            "config_store_url": f"tcp://{HOST}:{meta.store}", "protocol": protocol, "world_size": 16,
            "hcom_url": f"tcp://{OTHER if number % 2 else HOST}:7000",
            "dram_size": "64MB", "max_dram_size": "128MB", "hbm_size": "0", "log_level": "info", **meta.tls,
        }
        if protocol.startswith("device_"):
            settings |= {"hbm_size": "1GB", "max_hbm_size": "1GB"}
        with (meta.folder / f"local{number}.log").open("a") as log:
            self.process = subprocess.Popen(
                [*(ELSEWHERE if number % 2 else []), sys.executable, str(MEMBER), "local", json.dumps(settings)],
                stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, text=True, pass_fds=[theirs],
            )
        os.close(theirs)
        self.results = os.fdopen(mine)
        self.expect("setup and init", 0, self.answer())

    def answer(self) -> object:
        line = self.results.readline()
        if not line:
            raise SystemExit(f"local service {self.number} has ended: {self.process.wait()}; its log is in the work folder")
        kind, value = json.loads(line)
        if kind == "error":
            raise SystemExit(f"local service {self.number}: {value}")
        return value

    def ask(self, expression: str) -> object:
        assert self.process.stdin is not None
        print(expression, file=self.process.stdin, flush=True)
        return self.answer()

    def expect(self, expression: str, expected: object, value: object = ...) -> None:
        value = self.ask(expression) if value is ... else value
        if value != expected:
            raise SystemExit(f"local service {self.number}: {expression}: {value!r}, and {expected!r} was expected")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.results.close()

    def end(self) -> None:
        self.expect("store.close()", 0)
        assert self.process.stdin is not None
        self.process.stdin.close()
        until("a local service ends", lambda: self.process.poll() is not None)
        self.results.close()
        if self.process.returncode != 0:
            raise SystemExit(f"local service {self.number} ended with {self.process.returncode}")


def objects(one: Local, other: Local) -> None:
    """Values, buffers, layers, and lists of them, written by one and read by the other."""
    one.expect("store.put('value', bytes(range(256)) * 40)", 0)
    other.expect("store.get('value') == bytes(range(256)) * 40", True)
    one.expect("store.put_batch(['v1', 'v2'], [b'1' * 4096, b'2' * 100_000])", 0)
    other.expect("store.get_batch(['v1', 'v2']) == [b'1' * 4096, b'2' * 100_000]", True)
    for local in (one, other):
        for name, size, seed in (("out", sum(LAYERS), local.number + 1), ("in_", sum(LAYERS), 0)):
            local.expect(f"kept.update({name}=Buffer({size}, {seed}))", None)
        local.expect("globals().update(kept)", None)
        local.expect("store.register_buffer(out.address, out.size)", 0)
        local.expect("store.register_buffer(in_.address, in_.size)", 0)
    one.expect("store.put_from('buffer', out.address, 1 << 20)", 0)
    other.expect("store.get_into('buffer', in_.address, 1 << 20)", 0)
    same = "in_.bytes[:{0}] == Buffer({0}, {1}).bytes[:]"
    other.expect(same.format(4096, one.number + 1), True)
    sizes = f"{[4096, 1 << 20]}"
    one.expect(f"store.batch_put_from(['b1', 'b2'], out.pieces({sizes}), {sizes})", [0, 0])
    other.expect("in_.fill(0)", None)
    other.expect(f"store.batch_get_into(['b1', 'b2'], in_.pieces({sizes}), {sizes})", [0, 0])
    other.expect(same.format(4096, one.number + 1), True)
    one.expect(f"store.put_from_layers('layers', out.pieces({LAYERS}), {LAYERS})", 0)
    other.expect("in_.fill(0)", None)
    other.expect(f"store.get_into_layers('layers', in_.pieces({LAYERS}), {LAYERS})", 0)
    other.expect(f"in_ == Buffer(in_.size, {one.number + 1})", True)
    one.expect(f"store.batch_put_from_layers(['l1', 'l2'], [out.pieces({LAYERS[60:62]})] * 2, [{LAYERS[60:62]}] * 2)", [0, 0])
    other.expect(f"store.batch_get_into_layers(['l1', 'l2'], [in_.pieces({LAYERS[60:62]})] * 2, [{LAYERS[60:62]}] * 2)", [0, 0])
    other.expect("store.get('never put')", "")


def keys(one: Local, other: Local) -> None:
    """Queries of keys, leases, replicas, and their removal."""
    other.expect("store.is_exist('value')", 1)
    other.expect("store.batch_is_exist(['value', 'never put', 'v1'])", [1, 0, 1])
    other.expect("store.get_key_info('buffer').size()", 1 << 20)
    other.expect("[info.size() for info in store.batch_get_key_info(['b1', 'b2'])]", [4096, 1 << 20])
    other.expect("len(store.get_key_info('buffer').gva_list()) == len(store.get_key_info('buffer').loc_list()) == 1", True)
    one.expect("store.batch_add_lease(['buffer'], 1000)", [0])
    one.expect("store.batch_remove_lease(['buffer'])", 0)
    identities = [local.ask("store.get_local_service_id()") for local in (one, other)]
    if len(set(identities)) != 2:
        raise SystemExit(f"two local services are both {identities}")
    one.expect("kept.update(replicas=product.ReplicateConfig())", None)
    one.expect("setattr(kept['replicas'], 'replicaNum', 2)", None)
    one.expect("store.put('twice', b't' * 4096, kept['replicas'])", 0)
    one.expect("store.get_key_info('twice').size()", 4096)
    other.expect("len(store.get_key_info('twice').gva_list())", 2)


def by_address(one: Local, other: Local) -> None:
    """Memory of the pool that one has allocated, written and read by its addresses."""
    one.expect("kept.update(places=store.batch_alloc(['a1', 'a2'], [8192, 4096]))", None)
    one.expect("len(kept['places']) == 2 and all(place > 0 for place in kept['places'])", True)
    one.expect("store.batch_copy(kept['places'], out.pieces([8192, 4096]), [8192, 4096], product.H2G)", 0)
    one.expect("store.batch_write_finish(['a1', 'a2'], [0, 0])", [0, 0])
    other.expect("in_.fill(0)", None)
    other.expect("store.get_into('a1', in_.address, 8192)", 0)
    other.expect(f"in_.bytes[:4096] == Buffer(4096, {one.number + 1}).bytes[:]", True)
    one.expect("store.batch_copy_layers(kept['places'], [out.pieces([4096, 4096]), out.pieces([4096])], [[4096, 4096], [4096]], product.H2G)", 0)
    # This memory has no disk behind it; the product's own answer is accepted.
    one.expect("isinstance(store.evict(['a1']), int) and isinstance(store.prefetch(['a1']), int)", True)


def removals(one: Local, other: Local) -> None:
    other.expect("store.remove('value')", 0)
    one.expect("store.is_exist('value')", 0)
    one.expect("store.remove_batch(['v1', 'v2'])", [0, 0])
    for local in (one, other):
        local.expect("store.unregister_buffer(out.address, out.size)", 0)
        local.expect("store.unregister_buffer(in_.address, in_.size)", 0)


def deaths(one: Local, other: Local, protocol: str, meta: Meta) -> Local:
    """A local service is killed: its keys go, the rest works, and another takes its place. Gives that one."""
    one.expect("store.put('of the one', b'1' * 4096)", 0)
    other.expect("store.put('of the other', b'2' * 4096)", 0)
    one.kill()
    until("the keys of the dead are gone", lambda: other.ask("store.is_exist('of the one')") == 0)
    other.expect("store.get('of the other') == b'2' * 4096", True)
    third = Local(2, protocol, meta)
    third.expect("store.get('of the other') == b'2' * 4096", True)
    third.expect("store.put('of the third', b'3' * 4096)", 0)
    other.expect("store.get('of the third') == b'3' * 4096", True)
    return third


def restart(one: Local, other: Local, meta: Meta) -> None:
    """The meta service is killed and started again: earlier puts come back."""
    # It copies its state to the local services a moment after a put; without the copy a key is lost with it.
    time.sleep(3)
    meta.process.kill()
    meta.process.wait()
    meta.start()
    until("old keys come back", lambda: one.ask("store.is_exist('of the other')") == 1)
    one.expect("store.get('of the other') == b'2' * 4096", True)
    until("those of the other", lambda: other.ask("store.is_exist('of the third')") == 1)
    other.expect("store.put('new', b'n' * 100)", 0)
    one.expect("store.get('new') == b'n' * 100", True)


def main() -> None:
    protocol, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    tls: dict[str, object] = {"tls_enable": False, "config_store_tls_enable": False}
    if sys.argv[3:4] == ["--tls"]:
        authority, certificate, key = sys.argv[4:7]
        for prefix in ("tls", "config_store_tls"):
            tls |= {
                f"{prefix}_enable": True, f"{prefix}_ca_path": authority, f"{prefix}_cert_path": certificate,
                f"{prefix}_key_path": key, f"{prefix}_package_path": str(folder),
            }
    meta = Meta(folder, tls)
    locals_ = []
    try:
        locals_ = [Local(number, protocol, meta) for number in (0, 1)]
        objects(*locals_)
        keys(*locals_)
        by_address(*locals_)
        if not tls["tls_enable"]:
            assert "buffer" in meta.page("/get_all_keys"), meta.page("/get_all_keys")
            assert meta.page("/health") and meta.page("/metrics")
        removals(*locals_)
        locals_[0] = deaths(*locals_, protocol, meta)
        restart(locals_[1], locals_[0], meta)
        locals_[1].expect("store.remove_all()", 0)
        locals_[0].expect("store.is_exist('new')", 0)
        for local in locals_:
            local.end()
        meta.process.send_signal(signal.SIGTERM)
        until("the meta service ends", lambda: meta.process.poll() is not None)
    finally:
        for process in [meta.process, *(local.process for local in locals_)]:
            if process.poll() is None:
                process.kill()
                process.wait()
    print(f"memcache_hybrid over {protocol}{', encrypted' if tls['tls_enable'] else ''}{', two hosts' if ELSEWHERE else ''}: right")


if __name__ == "__main__":
    main()
