# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The bill of materials of this tree, and defects that scripts/lib/sbom.py finds in others."""

import copy
import os
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))
import sbom  # noqa: E402


class BillOfMaterials(unittest.TestCase):
    def setUp(self) -> None:
        os.environ["SOURCE_DATE_EPOCH"] = "1700000000"
        self.bill = sbom.bill()

    def test_bill_of_this_tree_holds_and_is_reproducible(self) -> None:
        self.assertEqual(sbom.check(self.bill), [])
        self.assertEqual(sbom.bill(), self.bill)
        self.assertEqual(self.bill["metadata"]["timestamp"], "2023-11-14T22:13:20+00:00")

    def test_compiled_crates_are_listed_and_build_tools_are_not(self) -> None:
        names = {one["name"] for one in self.bill["components"]}
        self.assertLessEqual({*sbom.SHIPPED, "mf-base", "rustls", "ring", "pyo3", "rust-std"}, names)
        self.assertFalse({"cc", "proptest", "serde_derive", "syn", "bindgen", "mf-tests"} & names)

    def test_product_depends_on_everything(self) -> None:
        uses = {entry["ref"]: entry["dependsOn"] for entry in self.bill["dependencies"]}
        left, reached = [self.bill["metadata"]["component"]["bom-ref"]], set()
        while left:
            if (ref := left.pop()) not in reached:
                reached.add(ref)
                left += uses[ref]
        self.assertEqual(reached, set(uses))

    def test_defects_are_found(self) -> None:
        def crate(bill: sbom.Json) -> sbom.Json:
            return next(one for one in bill["components"] if one["name"] == "rustls")

        changes = {
            "which deny.toml does not list": lambda bill: crate(bill).update(licenses=[{"expression": "GPL-3.0-only"}]),
            "another checksum": lambda bill: crate(bill)["hashes"][0].update(content="0" * 64),
            "no SHA-256": lambda bill: crate(bill)["hashes"][0].update(content="0"),
            "listed twice": lambda bill: bill["components"].append(crate(bill)),
            "unknown component": lambda bill: bill["components"].remove(crate(bill)),
            "no entry in dependencies": lambda bill: bill["dependencies"].pop(),
            "invalid serialNumber": lambda bill: bill.update(serialNumber="1"),
        }
        for text, change in changes.items():
            with self.subTest(text):
                bill = copy.deepcopy(self.bill)
                change(bill)
                self.assertIn(text, "\n".join(sbom.check(bill)))
