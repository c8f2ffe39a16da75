# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The first program with shmem, under the name by which texts about it call it:

    torchrun --nproc_per_node=2 --redirects 1 --tee 1 src/python/test.py
"""

import runpy
from pathlib import Path

runpy.run_path(str(Path(__file__).parents[2] / "examples" / "shmem" / "test_shmem.py"), run_name="__main__")
