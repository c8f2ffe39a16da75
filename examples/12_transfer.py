#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A prefill process writes the cache of a request into the memory of a decode process, layer by layer, and goes on meanwhile.

Run: python3 examples/12_transfer.py
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
    """Offers memory for all layers, and uses each as soon as it is there."""
    engine = begun("Decode")
    cache = array.array("f", bytes(4 * LAYERS * NUMBERS))
    address, count = cache.buffer_info()
    if engine.register_memory(address, 4 * count) != 0:
        raise SystemExit(mf_smem.get_last_err_msg())
    to_prefill.send((f"127.0.0.1:{engine.get_rpc_port()}", address))
    for _ in range(LAYERS):
        sender, message = engine.wait_notification(60)
        layer = int.from_bytes(message, "little")
        print(f"decode: layer {layer} of {sender} begins with {cache[layer * NUMBERS]}")
    # From here on no peer can access the memory; it may be used for something else.
    engine.unregister_memory(address)
    engine.destroy()


def main() -> None:
    spawn = multiprocessing.get_context("spawn")
    to_decode, to_prefill = spawn.Pipe()
    child = spawn.Process(target=decode, args=(to_prefill,))
    child.start()
    name, remote = to_decode.recv()
    engine = begun("Prefill")
    layers, transfers = [], []
    for number in range(LAYERS):
        # The next layer is computed while this one travels; its memory stays as it is until then.
        layers.append(array.array("f", [number + 0.5]) * NUMBERS)
        source, target, size = layers[-1].buffer_info()[0], remote + 4 * NUMBERS * number, 4 * NUMBERS
        # The message is there when the data is.
        transfers.append(engine.start_write(name, [source], [target], [size], notify=number.to_bytes(4, "little")))
    for transfer in transfers:
        transfer.wait(60)
    print(f"prefill: {LAYERS} layers written to {name}")
    child.join()
    engine.destroy()
    raise SystemExit(child.exitcode)


if __name__ == "__main__":
    main()
