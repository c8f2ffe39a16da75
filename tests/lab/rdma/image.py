# SPDX-License-Identifier: Apache-2.0 OR MIT
"""image.py ROOT VERSION OUT: an initial RAM disk with busybox, init and the modules of a kernel unpacked at ROOT."""

import os
import subprocess
import sys

MODULES = "virtio_pci virtio_net 9p 9pnet_virtio overlay crc32_generic rdma_rxe ib_uverbs rdma_ucm sch_netem".split()


def paths(root: str, version: str) -> list[str]:
    """Files of the modules and of those they need, each after those."""
    subprocess.run(["depmod", "-b", root, version], check=True)
    found: dict[str, None] = {}
    for module in MODULES:
        command = ["modprobe", "-d", root, "-S", version, "--show-depends", module]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        found.update(dict.fromkeys(line.split()[1] for line in lines if line.startswith("insmod")))
    return list(found)


class Archive:
    """Writer of the format newc of cpio."""

    def __init__(self, path: str) -> None:
        self.file = open(path, "wb")
        self.entries = 0

    def add(self, name: str, mode: int, content: bytes = b"", device: tuple[int, int] = (0, 0)) -> None:
        self.entries += 1
        encoded = name.encode() + b"\0"
        fields = (self.entries, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(encoded), 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
        for part in (head, content):
            self.file.write(part + b"\0" * (-len(part) % 4))

    def add_file(self, name: str, path: str) -> None:
        with open(path, "rb") as file:
            self.add(name, 0o100755, file.read())

    def close(self) -> None:
        self.add("TRAILER!!!", 0)
        self.file.close()


def main() -> None:
    root, version, out = sys.argv[1:]
    archive = Archive(out)
    for folder in ("bin", "dev", "modules"):
        archive.add(folder, 0o40755)
    archive.add("dev/console", 0o20600, device=(5, 1))
    archive.add_file("bin/busybox", "/bin/busybox")
    archive.add_file("init", os.path.join(os.path.dirname(__file__), "init"))
    modules = paths(root, version)
    for path in modules:
        archive.add_file(f"modules/{os.path.basename(path)}", path)
    archive.add("modules/order", 0o100644, "\n".join(map(os.path.basename, modules)).encode() + b"\n")
    archive.close()


main()
