# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notes of changes: the files of this tree, and what scripts/lib/changes.py makes of others."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import changes  # noqa: E402

LOG = "# Changelog\n\nOne section a version.\n\n## 0.1.0 (2026-11-26)\n\n- The first one.\n"


class Changes(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "changes").mkdir()
        (self.root / "CHANGELOG.md").write_text(LOG)

    def note(self, name: str, text: str) -> list[str]:
        """Defects of a tree with this note."""
        (self.root / "changes" / name).write_text(text)
        return changes.check(self.root)

    def test_notes_of_this_tree_are_well_formed(self) -> None:
        self.assertEqual(changes.check(ROOT), [])

    def test_malformed_notes_are_rejected(self) -> None:
        for name, text, part in [
            ("Cache.md", "- An item.\n", "lower case"),
            ("cache.txt", "- An item.\n", "lower case"),
            ("cache.md", "An item.\n", "neither an item"),
            ("cache.md", "  An item.\n", "neither an item"),
            ("cache.md", "- An item.\n\n- Another one.\n", "neither an item"),
            ("cache.md", "- " + "long " * 40 + "\n", "characters, at most"),
            ("cache.md", "- An item.", "line break"),
            ("cache.md", "", "0 items"),
            ("cache.md", "- An item.\n" * 6, "6 items"),
        ]:
            with self.subTest(name=name, text=text):
                self.assertIn(part, " ".join(self.note(name, text)))
                (self.root / "changes" / name).unlink()

    def test_join_writes_the_newest_section_and_removes_the_notes(self) -> None:
        self.assertEqual(self.note("b.md", "- Second\n  line.\n") + self.note("a.md", "- First.\n"), [])
        changes.join(self.root, "0.2.0", "2026-11-29")
        self.assertIn("## 0.2.0 (2026-11-29)\n\n- First.\n- Second\n  line.\n\n## 0.1.0", (self.root / "CHANGELOG.md").read_text())
        self.assertEqual(changes.files(self.root), [])
        self.assertEqual(changes.check(self.root), [])

    def test_join_adds_to_a_section_that_exists(self) -> None:
        self.note("later.md", "- Later.\n")
        changes.join(self.root, "0.1.0", "2026-11-29")
        self.assertTrue((self.root / "CHANGELOG.md").read_text().endswith("## 0.1.0 (2026-11-29)\n\n- The first one.\n- Later.\n"))

    def test_join_without_notes_and_with_an_invalid_version_is_rejected(self) -> None:
        with self.assertRaises(SystemExit):
            changes.join(self.root, "0.2.0", "2026-11-29")
        self.note("a.md", "- First.\n")
        with self.assertRaises(SystemExit):
            changes.join(self.root, "0.2", "2026-11-29")

    def test_sections_out_of_order_are_rejected(self) -> None:
        for text in (LOG + "\n## 0.2.0 (2026-11-29)\n", LOG + "\n## Unreleased\n"):
            (self.root / "CHANGELOG.md").write_text(text)
            self.assertNotEqual(changes.check(self.root), [])
