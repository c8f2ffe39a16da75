# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Files of docs/deploy: the Grafana board against the list of metrics, and manifests and Containerfiles against each other."""

import copy
import json
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "docs/deploy"
sys.path.insert(0, str(ROOT / "scripts/lib"))
import board  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None


class Board(unittest.TestCase):
    def setUp(self) -> None:
        self.made = json.loads(board.FILE.read_text())

    def test_board_of_this_tree_is_written_and_shows_every_metric(self) -> None:
        self.assertEqual(board.FILE.read_text(), board.board())
        self.assertEqual(board.defects(self.made), [])
        self.assertGreater(len(board.metrics()), 50)

    def test_panels_do_not_overlap(self) -> None:
        cells = [(panel["gridPos"]["x"] + x, panel["gridPos"]["y"] + y) for panel in self.made["panels"]
                 for x in range(panel["gridPos"]["w"]) for y in range(panel["gridPos"]["h"])]
        self.assertEqual(len(cells), len(set(cells)))
        self.assertLessEqual(max(x for x, _ in cells), 23)
        self.assertEqual(len({panel["id"] for panel in self.made["panels"]}), len(self.made["panels"]))

    def test_wrong_queries_are_found(self) -> None:
        for before, after, text in [
            ("mf_put_bytes_total", "mf_put_byte_total", "no metric mf_put_byte_total"),
            ("mf_put_duration_seconds_bucket", "mf_put_duration_seconds", "no metric mf_put_duration_seconds"),
            ("mf_put_bytes_total", "mf_get_bytes_total", "no panel shows mf_put_bytes_total"),
            ("by (store)", "by (rank)", "mf_job_size has no label rank"),
        ]:
            with self.subTest(after):
                made = json.loads(json.dumps(copy.deepcopy(self.made)).replace(before, after))
                self.assertIn(text, "\n".join(board.defects(made)))


class Manifests(unittest.TestCase):
    def setUp(self) -> None:
        if yaml is None:
            print("skip manifests of Kubernetes: this Python has no yaml")
            raise unittest.SkipTest
        self.service, self.job = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text())
        self.monitor = yaml.safe_load((DEPLOY / "monitoring.yaml").read_text())
        self.container = self.job["spec"]["template"]["spec"]["containers"][0]

    def test_service_and_monitor_select_the_pods_of_the_job(self) -> None:
        labels = {"job-name": self.job["metadata"]["name"]}
        self.assertEqual(self.service["spec"]["selector"], labels)
        self.assertEqual(self.monitor["spec"]["selector"]["matchLabels"], labels)
        self.assertEqual(self.job["spec"]["template"]["spec"]["subdomain"], self.service["metadata"]["name"])

    def test_monitor_reads_the_port_of_the_metrics_with_the_secret(self) -> None:
        endpoint = self.monitor["spec"]["podMetricsEndpoints"][0]
        port = next(port for port in self.container["ports"] if port["name"] == endpoint["port"])
        variables = {one["name"]: one for one in self.container["env"]}
        self.assertEqual(variables["MF_METRICS"]["value"], f"0.0.0.0:{port['containerPort']}")
        self.assertEqual(variables["MF_JOB_SECRET"]["valueFrom"]["secretKeyRef"], endpoint["authorization"]["credentials"])

    def test_number_of_ranks_is_that_of_the_pods(self) -> None:
        spec = self.job["spec"]
        size = next(one["value"] for one in self.container["env"] if one["name"] == "WORLD_SIZE")
        self.assertEqual((spec["completions"], spec["parallelism"], spec["completionMode"]), (int(size), int(size), "Indexed"))


class Containerfiles(unittest.TestCase):
    def test_instructions_are_known_and_begin_with_the_base(self) -> None:
        files = sorted(DEPLOY.glob("*Containerfile"))
        self.assertEqual(len(files), 2)
        for file in files:
            lines = [line for line in file.read_text().splitlines() if line and not line.startswith("#")]
            names = [line.split()[0] for line in lines]
            self.assertEqual(names[:2], ["ARG", "FROM"], file)
            self.assertEqual(lines[1], "FROM ${BASE}", file)
            self.assertRegex(lines[0], r"^ARG BASE=[a-z.]+/[a-z/]+:[a-z0-9.-]+$")
            self.assertLessEqual(set(names), {"ARG", "FROM", "COPY", "RUN", "USER", "CMD", "ENTRYPOINT"}, file)
            # No process of the image is root.
            self.assertIn("USER 1000", lines, file)
            self.assertTrue(re.match("CMD|ENTRYPOINT", names[-1]), file)
