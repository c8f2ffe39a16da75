# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The released package's transfer engine (SDMA): the sender writes into the receiver's device memory and reads it."""

import acl
import memfabric_hybrid as mf
from common import RANK, URL, done, expect, meet, one_by_one, pattern, read_note, say
from memfabric_hybrid import TransferEngine

SIZE = 4 << 20


def main() -> None:
    expect("switching TLS off", mf.set_conf_store_tls(False, ""), 0)
    acl.use_device(RANK)
    role = ("Prefill", "Decode")[RANK]
    engine = TransferEngine()
    sdma = TransferEngine.TransDataOpType.SDMA
    expect("initialize", engine.initialize(URL, "127.0.0.1", role, RANK, sdma), 0)
    say(f"session-{RANK}", f"127.0.0.1:{engine.get_rpc_port()}")
    peer = read_note(f"session-{1 - RANK}")
    buffer = acl.malloc(SIZE)
    acl.store(buffer, pattern(RANK, SIZE))
    expect("register_memory", engine.register_memory(buffer, SIZE), 0)
    say(f"buffer-{RANK}", str(buffer))
    remote = int(read_note(f"buffer-{1 - RANK}"))
    meet("registered")
    if RANK == 0:
        half = SIZE // 2
        expect("write", engine.transfer_sync_write(peer, buffer, remote, half), 0)
        expect("read", engine.transfer_sync_read(peer, buffer + half, remote + half, half), 0)
        expect("what was read", acl.load(buffer + half, half), pattern(1, SIZE)[half:])
    meet("transferred")
    if RANK == 1:
        expect("what was written", acl.load(buffer, SIZE // 2), pattern(0, SIZE)[: SIZE // 2])
    meet("checked")
    one_by_one(engine.destroy)
    done("transfer engine by SDMA")


main()
