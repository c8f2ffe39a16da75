# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Guests: virtual machines with two rails between them, and a network for orders."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Without arch-capabilities, which a machine below that is virtual itself may refuse.
KVM = ["-accel", "kvm", "-cpu", "host,-arch-capabilities"]
EMULATED = ["-accel", "tcg,thread=multi", "-cpu", "max,+invtsc"]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Guest:
    """One guest. It ends with `kill`, at the latest when the object that holds it is closed."""

    def __init__(self, number: int, kernel: Path, disk: Path, folder: Path, accelerator: list[str], memory: int) -> None:
        self.number, self.folder, self.port = number, folder, free_port()
        self.console = folder / f"guest{number}.log"
        self.console.unlink(missing_ok=True)
        # One network for both rails: UCX takes each device for able to reach each. Datagrams find a guest
        # again that was killed and started.
        own, other = (f"{folder}/link-{guest}" for guest in (number, 1 - number))
        Path(own).unlink(missing_ok=True)
        ends = f"local.type=unix,local.path={own},remote.type=unix,remote.path={other}"
        rails = ["-netdev", f"dgram,id=link,{ends}", "-netdev", "hubport,id=hub,hubid=0,netdev=link"]
        for rail in (0, 1):
            device = f"virtio-net-pci,id=rail{rail},netdev=r{rail},mac=52:54:00:00:0{rail}:0{number},romfile="
            rails += ["-netdev", f"hubport,id=r{rail},hubid=0", "-device", device]
        orders = f"user,id=o,hostfwd=tcp:127.0.0.1:{self.port}-10.0.2.15:7000"
        line = f"console=ttyS0 quiet panic=-1 tsc=reliable clocksource=tsc lab_host={number} lab_folder={HERE}"
        command = ["qemu-system-x86_64", *accelerator, "-M", "q35", "-smp", "2", "-m", str(memory), "-nodefaults"]
        command += ["-display", "none", "-no-reboot", "-serial", f"file:{self.console}"]
        command += ["-qmp", f"unix:{folder}/qmp{number},server=on,wait=off"]
        command += ["-kernel", str(kernel), "-initrd", str(disk), "-append", line, *rails]
        command += ["-netdev", orders, "-device", "virtio-net-pci,netdev=o,romfile="]
        command += ["-fsdev", "local,id=m,path=/,security_model=none,readonly=on,multidevs=remap"]
        command += ["-device", "virtio-9p-pci,fsdev=m,mount_tag=machine"]
        with open(folder / f"qemu{number}.log", "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def await_agent(self, limit: float) -> None:
        """Returns when the agent listens; raises TimeoutError with the end of the console."""
        end = time.monotonic() + limit
        while time.monotonic() < end and self.process.poll() is None:
            if self.console.exists() and "lab: the agent listens" in self.console.read_text(errors="replace"):
                return
            time.sleep(0.2)
        said = (self.folder / f"qemu{self.number}.log").read_text() + self.console.read_text(errors="replace")[-2000:]
        raise TimeoutError(f"guest {self.number} has no agent after {limit:.0f} s: {said}")

    def kill(self) -> None:
        """Ends it as a power cut does."""
        if self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
