# SPDX-License-Identifier: Apache-2.0 OR MIT
"""A small tree in the form of scripts/install, for tests of packages: its programs and libraries do nothing."""

import subprocess
from pathlib import Path

TEXTS = {
    "include/smem/host/smem.h": "/* header */\n",
    "include/mf_kernels/include/mf_put.h": "/* header */\n",
    "lib/cmake/mf_smem/mf_smem-config.cmake": "# config\n",
    "lib/cmake/mf_smem/mf_smem-config-version.cmake": "# version\n",
    "lib/pkgconfig/mf_smem.pc": "prefix=${pcfiledir}/../..\nlibdir=${prefix}/lib\nincludedir=${prefix}/include\n\nName: mf_smem\n",
    "share/man/man1/mf.1": ".TH mf 1\n",
    "share/bash-completion/completions/mf": "# completions\n",
    "share/zsh/site-functions/_mf": "#compdef mf\n",
    "share/fish/vendor_completions.d/mf.fish": "# completions\n",
    "share/memfabric-rs/examples/01_pool.c": "/* example */\n",
    "share/doc/memfabric-rs/LICENSE-MIT": "licence\n",
    "share/doc/memfabric-rs/third-party-notices.txt": "notices\n",
    "bin/oshcc": "#!/bin/sh\n",
    "bin/build_kernels.sh": "#!/bin/sh\n",
    "set_env.sh": "# variables\n",
    "version.info": "Version=0\n",
}
LINKS = {
    "lib/libmf_smem.so": "libmf_smem.so.0", "lib/libshmem.so": "libmf_smem.so", "bin/mfcli": "mf", "bin/oshrun": "mf", "bin/oshc++": "oshcc",
    "shmem/lib": "../lib", "shmem/include": "../include", "include/smem/device": "../mf_kernels/include",
    "x86_64-linux/lib64": "../lib",
}
LIBRARIES = ("libmf_smem.so.0", "liboshmem.so", "libmf_acc_offload.so", "libascend_sim.so", "libgpu_sim.so", "libshmem_test_support.so")


def compile_to(file: Path, source: str, *options: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cc", "-x", "c", "-", "-s", "-o", str(file), *options], input=source, text=True, check=True)


def make(folder: Path) -> None:
    for name in LIBRARIES:
        soname = [f"-Wl,-soname,{name}"] if name == "libmf_smem.so.0" else []
        source = "#include <stdlib.h>\nvoid *name(void) { return malloc(1); }\n"
        compile_to(folder / "lib" / name, source, "-shared", "-fPIC", *soname)
    for name in ("mf", "mf-perf"):
        compile_to(folder / "bin" / name, "#include <stdio.h>\nint main(void) { return puts(\"runs\") < 0; }\n")
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for name in ("bin/oshcc", "bin/build_kernels.sh"):
        (folder / name).chmod(0o755)
    for name, target in LINKS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(target)
