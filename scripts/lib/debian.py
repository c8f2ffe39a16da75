#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Debian packages of an installed tree: debian.py TREE FOLDER.

TREE is a folder of scripts/install. The packages hold it as it is below /usr/lib/TRIPLET/memfabric (PREFIX), where its programs find
each other by relative paths, except for the files with a place of their own in Debian:

  libmemfabric0     /usr/lib/TRIPLET/libmf_smem.so.0; PREFIX/lib has links to it by its other names,
                    liboshmem.so, libmf_acc_offload.so
  libmemfabric-dev  /usr/include/memfabric, libmf_smem.so, pkg-config and CMake; PREFIX has oshcc and the trees of other build files
  memfabric-tools   /usr/bin/mf, mf-perf, mfcli, which lead into PREFIX/bin; man pages, completions
  memfabric-sim     PREFIX/lib/libascend_sim.so, libgpu_sim.so; links beside the library, which opens them there

oshcc and oshrun stay in PREFIX/bin: other OpenSHMEM libraries have theirs in /usr/bin. scripts/debian has the texts.

Environment: SOURCE_DATE_EPOCH (0), the time of all files; DEBFULLNAME and DEBEMAIL, the maintainer.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from email.utils import format_datetime
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts/lib"), str(ROOT / "python/build_backend")]
import mf_elf  # noqa: E402
import versions  # noqa: E402

TEXTS = ROOT / "scripts/debian"
LIBRARY, DEV, TOOLS, SIM = PACKAGES = ("libmemfabric0", "libmemfabric-dev", "memfabric-tools", "memfabric-sim")
SONAME = "libmf_smem.so.0"
SIMULATORS = ("libascend_sim.so", "libgpu_sim.so")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# Packages of Debian with the libraries that a file may need.
OWNERS = {"libgcc_s.so.1": "libgcc-s1", "libstdc++.so.6": "libstdc++6"}
# Notices of others in the tree, which every package with compiled code gets.
NOTICES = "share/doc/memfabric-rs/third-party-notices.txt"
PROGRAMS = ("mf", "mf-perf", "mfcli")
COMPLETIONS = {
    "bash-completion/completions/mf": "bash-completion/completions/mf",
    "zsh/site-functions/_mf": "zsh/vendor-completions/_mf",
    "fish/vendor_completions.d/mf.fish": "fish/vendor_completions.d/mf.fish",
}


@dataclass(frozen=True)
class Layout:
    """Places in the packages for one processor."""

    machine: str

    @property
    def libraries(self) -> str:
        return f"usr/lib/{self.machine}-linux-gnu"

    @property
    def prefix(self) -> str:
        return f"{self.libraries}/memfabric"

    def place(self, name: str) -> tuple[str, str] | None:
        """Package and path of a file or link of the tree; None for a file that the packages have in another form."""
        top, _, rest = name.partition("/")
        match top:
            case "lib" if rest == SONAME:
                return LIBRARY, f"{self.libraries}/{SONAME}"
            case "lib" if rest in SIMULATORS:
                return SIM, f"{self.prefix}/{name}"
            case "lib" if re.match("(pkgconfig|cmake)/|libshmem_test_support", rest):
                return DEV, f"{self.prefix}/{name}"
            case "lib" if rest.endswith(".so"):
                return LIBRARY, f"{self.prefix}/{name}"
            case "include":
                return DEV, f"usr/include/memfabric/{rest}"
            case "bin":
                return (TOOLS if rest in (*PROGRAMS, "oshrun") else DEV), f"{self.prefix}/{name}"
            case "share" if rest.startswith("man/"):
                return TOOLS, f"usr/share/{rest}"
            case "share" if rest in COMPLETIONS:
                return TOOLS, f"usr/share/{COMPLETIONS[rest]}"
            case "share" if rest.startswith("memfabric-rs/examples/"):
                return DEV, f"usr/share/doc/{DEV}/{rest.removeprefix('memfabric-rs/')}"
            case "share" if rest.startswith("doc/memfabric-rs/LICENSE") or name == NOTICES:
                return None
            case "shmem" | "set_env.sh" | "version.info":
                return DEV, f"{self.prefix}/{name}"
        if top == f"{self.machine}-linux":
            return DEV, f"{self.prefix}/{name}"
        raise SystemExit(f"no Debian package has a place for {name}: scripts/lib/debian.py")

    def links(self) -> list[tuple[str, str, str]]:
        """Further links: package, path, target."""
        below = self.prefix.removeprefix("usr/")
        simulators = [(SIM, f"{self.libraries}/{name}", f"memfabric/lib/{name}") for name in SIMULATORS]
        programs = [(TOOLS, f"usr/bin/{name}", f"../{below}/bin/{name}") for name in PROGRAMS]
        return [
            (LIBRARY, f"{self.prefix}/lib/{SONAME}", f"../../{SONAME}"),
            (DEV, f"{self.libraries}/libmf_smem.so", SONAME),
            (DEV, f"{self.prefix}/include", "../../../include/memfabric"),
            *simulators, *programs,
        ]


def paths(tree: Path) -> list[Path]:
    """Files and links of a tree; a link to a folder is one entry."""
    return sorted(path for path in tree.rglob("*") if (path.is_symlink() or path.is_file()) and ".debug" not in path.parts)


def stage(tree: Path, roots: dict[str, Path], layout: Layout) -> None:
    """Copies the tree into the packages' roots."""
    for path in paths(tree):
        if (found := layout.place(str(path.relative_to(tree)))) is None:
            continue
        to = roots[found[0]] / found[1]
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, to, follow_symlinks=False)
    for package, link, target in layout.links():
        (roots[package] / link).parent.mkdir(parents=True, exist_ok=True)
        (roots[package] / link).symlink_to(target)
    public(tree, roots[DEV], layout)
    notices = (tree / NOTICES).read_bytes()
    for package in (LIBRARY, TOOLS, SIM):
        pack(roots[package] / "usr/share/doc" / package / PurePosixPath(NOTICES).name, notices)
    for page in (roots[TOOLS] / "usr/share/man").rglob("*.1"):
        pack(page, page.read_bytes())
    man = roots[TOOLS] / "usr/share/man/man1"
    for name in PROGRAMS[1:]:
        if not (man / f"{name}.1.gz").exists():
            (man / f"{name}.1.gz").symlink_to("mf.1.gz")


def public(tree: Path, root: Path, layout: Layout) -> None:
    """Files by which pkg-config and CMake find the library in the system's folders."""
    text = (tree / "lib/pkgconfig/mf_smem.pc").read_text()
    for name, value in {"prefix": "/usr", "libdir": f"/{layout.libraries}", "includedir": "/usr/include/memfabric"}.items():
        text = re.sub(f"^{name}=.*$", f"{name}={value}", text, flags=re.MULTILINE)
    write(root / layout.libraries / "pkgconfig/mf_smem.pc", text.replace("# Relocatable: the paths follow the place of this file.\n", ""))
    cmake = root / layout.libraries / "cmake/mf_smem"
    own = f"/{layout.prefix}/lib/cmake/mf_smem"
    write(cmake / "mf_smem-config.cmake", f'include("{own}/mf_smem-config.cmake")\n')
    write(cmake / "mf_smem-config-version.cmake", f'include("{own}/mf_smem-config-version.cmake")\n')


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def pack(file: Path, data: bytes) -> None:
    """Writes FILE.gz in place of the file."""
    file.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(data, 9, mtime=0))


def text_of(name: str) -> str:
    """A file of scripts/debian without its licence line."""
    return (TEXTS / name).read_text().partition("\n")[2]


def copyright_text() -> str:
    licence = (ROOT / "LICENSE-MIT").read_text().rstrip().splitlines()[4:]
    return text_of("copyright") + "".join(f" {line or '.'}\n" for line in licence)


def changelog(package: str, version: str, maintainer: str, moment: datetime) -> str:
    return (f"memfabric-rs ({version}) unstable; urgency=medium\n\n  * Version {version.partition('-')[0]}: "
            f"/usr/share/doc/{package}/changelog.gz.\n\n -- {maintainer}  {format_datetime(moment)}\n")


def requirements(root: Path) -> list[str]:
    """Packages that the programs and libraries of a package need besides this tree's."""
    glibc, others = (0, 0), set()
    for path in root.rglob("*"):
        if path.is_symlink() or not path.is_file():
            continue
        try:
            elf = mf_elf.read(path.read_bytes())
        except mf_elf.NotElf:
            continue
        glibc = max(glibc, elf.glibc())
        for name in elf.needed:
            if name in OWNERS:
                others.add(OWNERS[name])
            elif name not in mf_elf.COMMON and not name.startswith("libmf_smem.so"):
                raise SystemExit(f"{path.name} needs {name}, and scripts/lib/debian.py knows no package with it")
    return [f"libc6 (>= {glibc[0]}.{glibc[1]})"] * (glibc > (0, 0)) + sorted(others)


def control(package: str, root: Path, layout: Layout, version: str, maintainer: str) -> str:
    text = text_of(f"{package}.control")
    for name, value in {"VERSION": version, "PREFIX": f"/{layout.prefix}"}.items():
        text = text.replace(f"@{name}@", value)
    depends = re.findall("^Depends: (.*)\n", text, re.MULTILINE) + requirements(root)
    text = re.sub("^Depends: .*\n", "", text, flags=re.MULTILINE)
    kilobytes = sum(-(-path.lstat().st_size // 1024) for path in root.rglob("*"))
    head = {
        "Package": package, "Source": "memfabric-rs", "Version": version, "Architecture": ARCHITECTURES[layout.machine], "Maintainer": maintainer,
        "Installed-Size": str(kilobytes), "Depends": ", ".join(depends), "Priority": "optional",
    }
    return "".join(f"{name}: {value}\n" for name, value in head.items() if value) + text


def finish(package: str, root: Path, layout: Layout, version: str, maintainer: str, moment: datetime) -> None:
    """Adds documents and control files, and gives all files one time and plain permissions."""
    docs = root / "usr/share/doc" / package
    write(docs / "copyright", copyright_text())
    pack(docs / "changelog", (ROOT / "CHANGELOG.md").read_bytes())
    pack(docs / "changelog.Debian", changelog(package, version, maintainer, moment).encode())
    overrides = TEXTS / f"{package}.lintian-overrides"
    if overrides.exists():
        write(root / "usr/share/lintian/overrides" / package, overrides.read_text())
    folder = root / "DEBIAN"
    write(folder / "control", control(package, root, layout, version, maintainer))
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink() and folder not in path.parents)
    write(folder / "md5sums", "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files))
    if package == LIBRARY:
        write(folder / "shlibs", f"libmf_smem 0 {LIBRARY} (>= {version.partition('-')[0]})\n")
        write(folder / "triggers", "activate-noawait ldconfig\n")
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            is_program = path.is_dir() or (path.stat().st_mode & 0o100 and not is_library(path))
            path.chmod(0o755 if is_program else 0o644)
        os.utime(path, (moment.timestamp(), moment.timestamp()), follow_symlinks=False)


def is_library(path: Path) -> bool:
    return ".so" in PurePosixPath(path.name).suffixes


def make(tree: Path, folder: Path) -> list[Path]:
    machine = mf_elf.read((tree / "lib" / SONAME).read_bytes()).machine
    layout, version = Layout(machine), f"{versions.version_of(ROOT)}-1"
    maintainer = f"{os.environ.get('DEBFULLNAME', 'memfabric-rs')} <{os.environ.get('DEBEMAIL', 'packages@example.org')}>"
    moment = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), timezone.utc)
    made = []
    with tempfile.TemporaryDirectory() as work:
        roots = {package: Path(work) / package for package in PACKAGES}
        for root in roots.values():
            root.mkdir()
        stage(tree, roots, layout)
        for package, root in roots.items():
            finish(package, root, layout, version, maintainer, moment)
            file = folder / f"{package}_{version}_{ARCHITECTURES[machine]}.deb"
            subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(file)], check=True, stdout=subprocess.DEVNULL)
            made.append(file)
            print(f"{file.stat().st_size} bytes: {file}", flush=True)
    return made


def main() -> int:
    match sys.argv[1:]:
        case [tree, folder]:
            make(Path(tree).resolve(), Path(folder).resolve())
            return 0
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main())
