#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests over verbs of Soft-RoCE between two virtual machines; `scripts/test rdma` calls it.

run.py FOLDER TESTS [CASE…]   FOLDER: for the kernel, consoles and logs. TESTS: lines NAME=PATH of test programs.
                              CASE: of CASES below, all without one.

The guests run by KVM; where that does not start them, they are emulated, some ten times slower. Ends with status 1 when a
case failed, 2 when the guests do not start."""

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import guests

HERE = Path(__file__).resolve().parent
# UCX 1.13 receives no datagrams for IPv4 identifiers of rdma_rxe 6.1; the first of a device is IPv6.
UCX = {"UCX_TLS": "rc,self", "UCX_IB_GID_INDEX": "0", "UCX_KEEPALIVE_INTERVAL": "1s"}
MEMORY_MIB = 2048


@dataclass
class Case:
    """A test program with its filters, in the first guest; limit in seconds by KVM."""

    name: str
    program: str
    arguments: list[str]
    limit: int
    environment: dict[str, str] = field(default_factory=dict)
    ends_guest: bool = False
    # It would time out in emulated guests.
    only_by_kvm: bool = False


# Tests that fail so far, with the reason; docs/hardware-bring-up.md has more.
DEAD_PAIR = "UCX may give the first connection in return a queue pair that is dead"
OPEN = {
    "withdrawn_key_reaches_nothing": DEAD_PAIR,
    "old_key_does_not_reach_reregistered_memory": DEAD_PAIR,
    "cut_rail_is_survived_by_copies": "puts stay on one rail, and fail with it",
}
CASES = [
    Case("conformance", "transports", ["over_ucx_by_rdma::", "--ignored"], 300),
    Case("pools", "net", ["pools::members_on_two", "pools::local_members", "pools::slow", "kills::both"], 120),
    Case("cables", "net", ["cables::short"], 60, only_by_kvm=True),
    Case("heaps", "net", ["heap::pes_on_two"], 120),
    Case("heap", "heap", ["access::", "words::"], 240, {"MF_TEST_HOSTS": "true"}),
    Case("rails", "net", ["rails::"], 180),
    Case("death", "net", ["rails::dead", "--ignored"], 120, ends_guest=True),
]


class Lab:
    """The two guests, of one kind of accelerator."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # It says itself what is missing.
        found = subprocess.run([HERE / "kernel.sh", folder / "kernel"], check=True, stdout=subprocess.PIPE, text=True)
        root, version = found.stdout.split()
        self.kernel, self.disk = Path(root) / "boot" / f"vmlinuz-{version}", folder / "initrd"
        subprocess.run([sys.executable, HERE / "image.py", root, version, self.disk], check=True)
        self.emulated = False
        self.guests: list[guests.Guest] = []

    def start_one(self, number: int) -> guests.Guest:
        accelerator = guests.EMULATED if self.emulated else guests.KVM
        return guests.Guest(number, self.kernel, self.disk, self.folder, accelerator, MEMORY_MIB)

    def start(self) -> None:
        """Starts both guests; raises TimeoutError when they do not come up."""
        self.emulated = not os.access("/dev/kvm", os.R_OK | os.W_OK)
        reason = "there is no /dev/kvm that this user may open"
        if not self.emulated:
            self.guests = [self.start_one(0)]
            try:
                self.guests[0].await_agent(60)
            except TimeoutError:
                self.stop()
                self.emulated, reason = True, "/dev/kvm is there, and the guest's kernel does not start by it"
        if self.emulated:
            print(f"rdma: {reason}: the guests are emulated", flush=True)
            self.guests = [self.start_one(0)]
        self.guests.append(self.start_one(1))
        for guest in self.guests:
            guest.await_agent(300)

    def restart(self, number: int) -> None:
        self.guests[number].kill()
        self.guests[number] = self.start_one(number)
        self.guests[number].await_agent(300)

    def stop(self) -> None:
        for guest in self.guests:
            guest.kill()

    def run(self, case: Case, programs: dict[str, str]) -> bool:
        """Runs a case in the first guest; its output goes to the terminal and to a log."""
        if case.only_by_kvm and self.emulated:
            print(f"skip {case.name}: emulated guests are too slow (would help: a machine with KVM)")
            return True
        limit = case.limit * (6 if self.emulated else 1)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MF_", "UCX_"))}
        environment |= UCX | case.environment
        environment["LAB_AGENTS"] = ",".join(f"127.0.0.1:{guest.port}" for guest in self.guests)
        # From a guest, the machine below has this address.
        environment["LAB_GUEST_AGENTS"] = ",".join(f"10.0.2.2:{guest.port}" for guest in self.guests)
        environment["MF_TEST_GUESTS"] = str(HERE / "on.py")
        environment["RUST_TEST_THREADS"] = "1"
        if self.emulated:
            environment["MF_TEST_DEADLINE"] = "180"
        left_out = [word for name in OPEN for word in ("--skip", name)]
        command = [HERE / "on.py", "0", programs[case.program], *case.arguments, *left_out]
        began = time.monotonic()
        with open(self.folder / f"{case.name}.log", "wb") as log:
            try:
                status = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, timeout=limit).returncode
            except subprocess.TimeoutExpired:
                status = 124
        text = (self.folder / f"{case.name}.log").read_text(errors="replace")
        for line in text.splitlines():
            if line.startswith(("test ", "skip ", "rails:")):
                print(f"  {line}")
        passed = status == 0 and "\ntest result: ok. 0 passed" not in text
        print(f"rdma: {case.name}: {'passed' if passed else f'FAILED with status {status}'} ({time.monotonic() - began:.0f} s)", flush=True)
        return passed


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    programs = dict(line.split("=", 1) for line in Path(sys.argv[2]).read_text().splitlines())
    wanted = sys.argv[3:]
    cases = [case for case in CASES if not wanted or case.name in wanted]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        lab = Lab(folder)
    except subprocess.CalledProcessError as error:
        print(f"rdma: {error}", file=sys.stderr)
        return 2
    try:
        lab.start()
        print("rdma: two guests with two devices of Soft-RoCE each", flush=True)
        for name, reason in OPEN.items():
            print(f"skip {name} over verbs: {reason} (would help: work on core/net)")
        failed = 0
        for case in cases:
            failed += not lab.run(case, programs)
            if case.ends_guest and case is not cases[-1]:
                lab.restart(1)
    except (TimeoutError, subprocess.CalledProcessError) as error:
        print(f"rdma: {error}", file=sys.stderr)
        return 2
    finally:
        lab.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
