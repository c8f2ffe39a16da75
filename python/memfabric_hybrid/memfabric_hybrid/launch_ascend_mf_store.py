# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Runs a config store at MF_CONFIG_STORE_URL until it is interrupted or terminated.

Use: ``MF_CONFIG_STORE_URL=tcp://10.0.0.1:5570 python -m memfabric_hybrid.launch_ascend_mf_store``
"""

from __future__ import annotations

import signal
import sys

import mf_smem
from mf_smem._job import setting


def main() -> int:
    """Starts the store and blocks; returns an exit status."""
    url = setting("MF_CONFIG_STORE_URL")
    if url is None:
        print("MF_CONFIG_STORE_URL is not set; set it to tcp://ip:port", file=sys.stderr)
        return 2
    # Blocked before any thread starts, so that no thread of the library takes them.
    stop = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, stop)
    code = mf_smem.create_config_store(url)
    if code != 0:
        print(f"the config store did not start: {mf_smem.get_last_err_msg()} (code {code})", file=sys.stderr)
        return 1
    print(f"config store at {url}", flush=True)
    signal.sigwait(stop)
    mf_smem.destroy_config_store(url)
    return 0


if __name__ == "__main__":
    sys.exit(main())
