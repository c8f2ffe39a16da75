# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Notices of the crates in the distributed files: each crate of the bill of materials, with its texts."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import notices  # noqa: E402
import sbom  # noqa: E402


class Notices(unittest.TestCase):
    def test_every_crate_of_others_is_named(self) -> None:
        texts, without = notices.collect()
        text = notices.text_of(texts, without)
        for one in sbom.bill()["components"]:
            named = f"\n{one['name']} {one['version']} (" in text
            self.assertEqual(named, "purl" in one or one["name"] == "rust-std", one["name"])
        self.assertIn("Permission is hereby granted, free of charge", text)
        # Few crates leave their texts out of the packed sources.
        self.assertLess(len(without), len(sbom.compiled()) / 4, without)
