#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Checks the subjects of new commits: subjects.py [SUBJECT…].

New are the commits after the merge base with origin/main, or, without an origin, after `START`. A subject is a command of at
most 60 characters with its module in front: "store: refuse frames of an older epoch". With arguments: checks these texts.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START, MOST = "502395ff3076", 60
MODULE = re.compile(r"([a-z0-9][\w.+/*-]*(, )?)+: ")
CLAUSE = re.compile(r"\b(what|who|whom|whose|nobody|somebody|which|that is|is none|is no|are no)\b", re.IGNORECASE)
# First words that are no verb, and endings of verbs that are no command, with the exceptions.
NOT_A_VERB = set(
    "a an the this that these those its it they their each every all some any no one two three more fewer less many both other "
    "another new old only also not when where while if how why as so after before behind in on at by for of from to with without "
    "into over under".split()
)
ENDING = re.compile(r"(ed|ing|s)$")
VERBS = set(
    "need feed speed embed shed seed exceed proceed succeed shred weed bring ring string ping swing sing spring fling sling "
    "wing bias focus canvas dismiss discuss".split()
)


def git(*arguments: str) -> str | None:
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def defect(subject: str) -> str | None:
    """The defect of a subject, or None."""
    if subject.startswith('Revert "'):
        return None
    if len(subject) > MOST:
        return f"{len(subject)} characters, at most {MOST}"
    module = MODULE.match(subject)
    if module is None:
        return 'no module in front ("store: …")'
    if found := CLAUSE.search(subject):
        return f'a clause ("{found.group(0)}"): write a command'
    verb = subject[module.end():].split(" ")[0].rstrip(",")
    if verb in NOT_A_VERB or not re.fullmatch(r"[a-z][a-z-]*", verb):
        return f'"{verb}" is not a verb in the imperative'
    if ENDING.search(verb) and not verb.endswith("ss") and verb not in VERBS:
        return f'"{verb}" is not a verb in the imperative'
    return None


def new_subjects() -> list[str] | None:
    """Subjects of the new commits, without merges; None, with a printed reason, if the history lacks the base."""
    origin = git("rev-parse", "--verify", "--quiet", "origin/main")
    base = git("merge-base", "HEAD", origin) if origin else git("rev-parse", "--verify", "--quiet", f"{START}^{{commit}}")
    if base is None:
        reason = "a shallow clone" if git("rev-parse", "--is-shallow-repository") == "true" else "a copy without history"
        print(f"skip subjects of commits: {reason} lacks their base")
        return None
    return (git("log", "--no-merges", "--format=%s", f"{base}..HEAD") or "").splitlines()


def main() -> None:
    subjects = sys.argv[1:] or new_subjects() or []
    wrong = [(subject, found) for subject in subjects if (found := defect(subject))]
    for subject, found in wrong:
        print(f"{subject}: {found}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()
