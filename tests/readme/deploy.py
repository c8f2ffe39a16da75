# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Tests the files in docs/deploy: deploy.py [MF]. Shells, parsers and systemd accept them, settings and commands in them exist.

Without MF, the program, its commands are not tried. Missing tools (YAML's parser, systemd-analyze) are reported and left out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/deploy"
SETTING = re.compile(r"\bMF_[A-Z0-9_]+\b")
# A command of mf with the words behind it that name a subcommand.
COMMAND = re.compile(r"(?:^|[\s/\"'\[])mf((?: [a-z]+)+)", re.MULTILINE)


def run(*command: str) -> str | None:
    """Error text of a command."""
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else f"{' '.join(command)}: {done.stdout}{done.stderr}".strip()


def left_out(what: str, why: str) -> None:
    print(f"skip {what}: {why}")


def shell(file: Path) -> list[str | None]:
    found = [run("bash", "-n", str(file))]
    if shutil.which("shellcheck"):
        found.append(run("shellcheck", str(file)))
    else:
        left_out(f"shellcheck of {file.name}", "there is no shellcheck")
    return found


def manifest(file: Path) -> list[str | None]:
    try:
        import yaml
    except ImportError:
        left_out(f"parsing {file.name}", "this Python has no yaml")
        return []
    try:
        documents = [document for document in yaml.safe_load_all(file.read_text()) if document]
    except yaml.YAMLError as error:
        return [f"{file.name}: {error}"]
    return [f"{file.name}: a document without apiVersion, kind and name" for document in documents if not (
        document.get("apiVersion") and document.get("kind") and document.get("metadata", {}).get("name"))]


def unit(file: Path) -> list[str | None]:
    if not shutil.which("systemd-analyze"):
        left_out(f"systemd-analyze verify {file.name}", "there is no systemd-analyze")
        return []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / file.name
        # The program is not installed here.
        copy.write_text(re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", file.read_text(), flags=re.MULTILINE))
        done = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True)
    wrong = [line for line in done.stderr.splitlines() if file.name in line and "/etc/systemd" not in line]
    return [f"{file.name}: {line}" for line in wrong]


def names(file: Path, program: str | None) -> list[str | None]:
    known = (ROOT / "docs/settings.md").read_text()
    text = file.read_text()
    found: list[str | None] = [
        f"{file.name}: there is no setting {name}" for name in set(SETTING.findall(text)) if f"`{name}`" not in known
    ]
    code = re.sub(r"^\s*#.*", "", text, flags=re.MULTILINE)
    for words in {match.strip() for match in COMMAND.findall(code)}:
        if program:
            found.append(run(program, *words.split(), "--help"))
        else:
            left_out(f"mf {words} of {file.name}", "mf is not built yet")
    return found


def main() -> int:
    program = sys.argv[1] if len(sys.argv) > 1 else None
    by_ending = {".sh": shell, ".yaml": manifest, ".service": unit}
    wrong: list[str | None] = []
    for file in sorted(FOLDER.iterdir()):
        wrong += [*by_ending.get(file.suffix, lambda _: [])(file), *names(file, program)]
    problems = [text for text in wrong if text]
    print("\n".join(problems) or f"deploy: {len(list(FOLDER.iterdir()))} files hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
