# SPDX-License-Identifier: Apache-2.0 OR MIT
"""An older release of the cache product over this library: a meta service, and two local services that get a store of this library,
since the meta service's own speaks another protocol: older.py FOLDER."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import memfabric_hybrid

from run import HOST, Local, Meta, free_ports, objects, until


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (port,) = free_ports(1)
    assert memfabric_hybrid.create_config_store(f"tcp://{HOST}:{port}") == 0, memfabric_hybrid.get_last_err_msg()
    meta = Meta(folder, {"tls_enable": False, "config_store_tls_enable": False})
    meta.store = port
    locals_ = []
    try:
        locals_ = [Local(number, "host_tcp", meta) for number in (0, 1)]
        objects(*locals_)
        locals_[1].expect("store.remove('value')", 0)
        locals_[0].expect("store.is_exist('value')", 0)
        # No close(): in 1.2.1 a thread of the product uses objects that its close() has destroyed.
        for local in locals_:
            local.kill()
        meta.process.send_signal(signal.SIGTERM)
        until("the meta service ends", lambda: meta.process.poll() is not None)
    finally:
        for process in [meta.process, *(local.process for local in locals_)]:
            if process.poll() is None:
                process.kill()
                process.wait()
    print(f"memcache_hybrid {os.path.basename(sys.argv[1])}: right")


if __name__ == "__main__":
    main()
