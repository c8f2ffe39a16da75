# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A process of the cache product memcache_hybrid, as it was released: its meta service, or a local service that executes its
input.

member.py meta SETTINGS          serves until it is ended
member.py local SETTINGS         for each line of its input, an expression over `store`, `product` and the names below, answers a
                                 line of JSON: ["value", …] or ["error", text]

SETTINGS is JSON: attributes of the configuration by name, and "results", the descriptor that answers go to: the product itself writes
on the standard output.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time

import memcache_hybrid as product


def configured(config, settings: dict[str, object]):
    for name, value in settings.items():
        if name != "results":
            setattr(config, name, value)
    return config


class Buffer:
    """Memory of this process."""

    def __init__(self, size: int, seed: int = 0) -> None:
        self.bytes = (ctypes.c_ubyte * size)()
        self.size, self.address = size, ctypes.addressof(self.bytes)
        self.fill(seed)

    def fill(self, seed: int) -> None:
        pattern = bytes((seed * 37 + place * 11 + place // 251) % 256 for place in range(min(self.size, 4096)))
        ctypes.memmove(self.address, (pattern * (self.size // max(len(pattern), 1) + 1))[: self.size], self.size)

    def pieces(self, sizes: list[int]) -> list[int]:
        """Addresses of pieces of these sizes, one behind the other."""
        starts, at = [], self.address
        for size in sizes:
            starts.append(at)
            at += size
        return starts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Buffer) and bytes(self.bytes) == bytes(other.bytes)

    __hash__ = None


def timed(call, count: int) -> float:
    """Seconds that a call takes, by the mean of so many; it is given its number, and returns 0."""
    start = time.perf_counter()
    if any(call(number) != 0 for number in range(count)):
        raise RuntimeError("a call failed")
    return (time.perf_counter() - start) / count


def main() -> None:
    what, settings = sys.argv[1], json.loads(sys.argv[2])
    if what == "meta":
        code = product.MetaService.setup(configured(product.MetaConfig(), settings))
        raise SystemExit(code or product.MetaService.main())
    results = os.fdopen(settings["results"], "w")
    store = product.DistributedObjectStore()
    names = {"store": store, "product": product, "Buffer": Buffer, "timed": timed, "kept": {}}
    code = store.setup(configured(product.LocalConfig(), settings)) or store.init(0)
    if code != 0:
        # The product's own log has the code alone.
        library = ctypes.CDLL("libmf_smem.so")
        library.smem_get_last_err_msg.restype = ctypes.c_char_p
        print(f"the library's last error: {library.smem_get_last_err_msg().decode()}", flush=True)
    print(json.dumps(["value", code]), file=results, flush=True)
    for line in sys.stdin:
        try:
            value = eval(line, names)  # noqa: S307 - the lines of the test that started this process
            answer = ["value", value.hex() if isinstance(value, bytes) else value]
            text = json.dumps(answer)
        except Exception as error:  # noqa: BLE001 - the test says what was expected
            text = json.dumps(["error", repr(error)])
        print(text, file=results, flush=True)


if __name__ == "__main__":
    main()
