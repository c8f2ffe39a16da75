#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A prefill process writes the cache of a request into the memory of a decode process, layer by layer.

Run: python examples/12_transfer.py
"""

import array
import multiprocessing
from multiprocessing.connection import Connection

import mf_smem

LAYERS, NUMBERS = 4, 100_000


def begun(role: str) -> mf_smem.TransferEngine:
    """An engine at a free port of the loopback, without a store."""
    engine = mf_smem.TransferEngine()
    if engine.initialize("", "127.0.0.1", role, 0) != 0:
        raise SystemExit(mf_smem.get_last_err_msg())
    return engine


def decode(to_prefill: Connection) -> None:
    """Offers memory for all layers, and waits until they are there."""
    engine = begun("Decode")
    cache = array.array("f", bytes(4 * LAYERS * NUMBERS))
    address, count = cache.buffer_info()
    if engine.register_memory(address, 4 * count) != 0:
        raise SystemExit(mf_smem.get_last_err_msg())
    to_prefill.send((f"127.0.0.1:{engine.get_rpc_port()}", address))
    to_prefill.recv()
    for layer in range(LAYERS):
        print(f"decode: layer {layer} begins with {cache[layer * NUMBERS]}")
    # From here on nobody reaches the memory; it may be used for something else.
    engine.unregister_memory(address)
    engine.destroy()


def main() -> None:
    spawn = multiprocessing.get_context("spawn")
    to_decode, to_prefill = spawn.Pipe()
    child = spawn.Process(target=decode, args=(to_prefill,))
    child.start()
    name, remote = to_decode.recv()
    engine = begun("Prefill")
    layers = [array.array("f", [layer + 0.5]) * NUMBERS for layer in range(LAYERS)]
    code = engine.batch_transfer_sync_write(
        name,
        [layer.buffer_info()[0] for layer in layers],
        [remote + 4 * NUMBERS * number for number in range(LAYERS)],
        [4 * NUMBERS] * LAYERS,
    )
    if code != 0:
        raise SystemExit(mf_smem.get_last_err_msg())
    print(f"prefill: {LAYERS} layers written to {name}")
    # The data is visible there by now; any message may say so.
    to_decode.send("written")
    child.join()
    engine.destroy()
    raise SystemExit(child.exitcode)


if __name__ == "__main__":
    main()
