# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Copies the log files of the last hours, the newest first, up to a number of MiB."""

from __future__ import annotations

import argparse
import shutil
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

_MIB = 1 << 20


@dataclass(frozen=True)
class LogFile:
    """A log file below a source folder."""

    path: Path
    relative_path: Path
    modified_time: datetime
    size_bytes: int


def scan_log_files(source: Path, label: str) -> list[LogFile]:
    """All files below `source`, sorted by name. Files that go away meanwhile are left out."""
    found = []
    for path in sorted(source.rglob("*")):
        try:
            about = path.stat()
        except OSError as error:
            print(f"{label}: {path} cannot be read: {error}", file=sys.stderr)
            continue
        if path.is_file():
            modified = datetime.fromtimestamp(about.st_mtime)
            found.append(LogFile(path, path.relative_to(source), modified, about.st_size))
    return found


def select_recent_files(files: list[LogFile], cutoff: datetime) -> list[LogFile]:
    """Files that were written to at `cutoff` or later, the newest first."""
    recent = [file for file in files if file.modified_time >= cutoff]
    return sorted(recent, key=lambda file: file.modified_time, reverse=True)


def collect_logs(source: Path, destination: Path, summary: Path, label: str, hours: int, max_mb: int) -> int:
    """Copies recent files into `destination`, and appends a line about them to `summary`. 0, or 1 if `source` is no folder."""
    if not source.is_dir():
        print(f"{label}: {source} is no folder", file=sys.stderr)
        return 1
    files = scan_log_files(source, label)
    chosen, left = [], max_mb * _MIB
    for file in select_recent_files(files, datetime.now() - timedelta(hours=hours)):
        if file.size_bytes <= left:
            chosen.append(file)
            left -= file.size_bytes
    for file in chosen:
        target = destination / file.relative_path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file.path, target)
    with summary.open("a") as text:
        text.write(f"{label}: {len(chosen)} of {len(files)} files of {source}, of the last {hours} hours\n")
    return 0


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"invalid number {number}: must be at least 1")
    return number


def main() -> int:
    """Collects as the process's arguments have it; returns an exit status."""
    parser = argparse.ArgumentParser(description="Copies the log files of the last hours.")
    for name in ("source", "destination", "summary"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--label", default="logs")
    parser.add_argument("--hours", type=_positive, default=6)
    parser.add_argument("--max-mb", type=_positive, default=2048)
    given = parser.parse_args()
    return collect_logs(given.source, given.destination, given.summary, given.label, given.hours, given.max_mb)


if __name__ == "__main__":
    sys.exit(main())
