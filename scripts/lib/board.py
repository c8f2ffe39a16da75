#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The Grafana board of the metrics: docs/deploy/grafana.json.

board.py write    writes it from the rows below
board.py check    the file is up to date; every metric and label in it is in docs/metrics.md, and every metric there is on the board
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FILE, METRICS = ROOT / "docs/deploy/grafana.json", ROOT / "docs/metrics.md"
Json = dict[str, Any]
# Labels that Prometheus and histograms add.
ADDED = {"job", "instance", "le"}
# Metrics without a panel.
LEFT_OUT = {"mf_process_info": "a table of versions is no graph", "mf_job_info": "its labels are those of the job's other metrics"}
SELECTED = 'job=~"$job",instance=~"$instance"'
OPERATIONS = ("put", "get", "copy", "atomic", "signal", "message")


def gauge(metric: str, by: str, how: str = "sum") -> tuple[str, str]:
    return f"{how} by ({by}) ({metric}{{{SELECTED}}})", legend(by)


def rate(metric: str, by: str) -> tuple[str, str]:
    return f"sum by ({by}) (rate({metric}{{{SELECTED}}}[$__rate_interval]))", legend(by)


def quantile(metric: str, by: str) -> tuple[str, str]:
    return (f"histogram_quantile(0.99, sum by (le, {by}) (rate({metric}_bucket{{{SELECTED}}}[$__rate_interval])))", legend(by))


def legend(by: str) -> str:
    return " ".join("{{" + label + "}}" for label in by.split(", "))


def named(name: str, query: tuple[str, str]) -> tuple[str, str]:
    return query[0], f"{name} {query[1]}"


def every(suffix: str, by: str) -> list[tuple[str, str]]:
    return [named(name, rate(f"mf_{name}_{suffix}", by)) for name in OPERATIONS]


# Rows of the board: title, and panels of title, unit (of Grafana), queries with their legends.
ROWS: list[tuple[str, list[tuple[str, str, list[tuple[str, str]]]]]] = [
    ("Job", [
        ("Members", "short", [named("members", gauge("mf_job_members", "store", "min")), named("ranks", gauge("mf_job_size", "store", "max"))]),
        ("Departures", "short", [gauge("mf_job_departures_total", "store", "max")]),
        ("Members connected to their store", "short", [gauge("mf_store_connected", "store")]),
        ("Members of pools", "short", [gauge("mf_pool_members", "pool, presence", "max")]),
    ]),
    ("Traffic", [
        ("Bytes by route", "Bps", every("bytes_total", "route")),
        ("Operations by route", "ops", every("operations_total", "route")),
        ("Errors by peer", "ops", every("errors_total", "route, peer")),
        ("Latency, 99th percentile", "s", [named(name, quantile(f"mf_{name}_duration_seconds", "route")) for name in OPERATIONS]),
        ("Copies between mapped memory, bytes", "Bps", [rate("mf_copied_bytes_total", "kind, direction")]),
        ("Copies between mapped memory", "ops", [rate("mf_copies_total", "kind, direction")]),
        ("Copies by pool, bytes", "Bps", [rate("mf_pool_copied_bytes_total", "pool, direction")]),
        ("Copies by pool", "ops", [rate("mf_pool_copies_total", "pool, direction")]),
        ("Posted to transports, bytes", "Bps", [rate("mf_posted_bytes_total", "route, operation")]),
        ("Posted to transports", "ops", [rate("mf_posted_operations_total", "route, operation")]),
        ("Refused by transports", "ops", [rate("mf_posted_refused_total", "route, operation")]),
        ("Open connections", "short", [gauge("mf_transport_connections", "route")]),
    ]),
    ("Waits", [
        ("Waiting calls", "short", [gauge("mf_waiting", "call")]),
        ("Oldest wait", "s", [gauge("mf_waiting_oldest_seconds", "call, instance", "max")]),
        ("Length of waits, 99th percentile", "s", [quantile("mf_wait_duration_seconds", "call")]),
        ("Failed waits", "ops", [rate("mf_wait_errors_total", "call")]),
    ]),
    ("Memory", [
        ("Mapped segments", "bytes", [gauge("mf_pool_segment_bytes", "pool, kind, instance")]),
        ("Symmetric heap", "bytes", [gauge("mf_heap_bytes", "heap, state"), named("peak", gauge("mf_heap_peak_bytes", "heap", "max"))]),
        ("Blocks of the symmetric heap", "short", [gauge("mf_heap_blocks", "heap")]),
        ("Buffers of transports", "bytes", [gauge("mf_transport_memory_bytes", "route")]),
    ]),
    ("Cache", [
        ("Gets of caches with a disk", "ops", [named("found", rate("mf_cache_hits_total", "job")), named("missed", rate("mf_cache_misses_total", "job"))]),
        ("Values got from disk", "ops", [rate("mf_cache_disk_hits_total", "instance")]),
        ("Values in memory of caches with a disk", "bytes", [gauge("mf_cache_memory_bytes", "pool, instance"), named("of", gauge("mf_cache_memory_managed_bytes", "pool, instance"))]),
        ("Values to disk", "ops", [named("taken", rate("mf_cache_disk_admissions_total", "job")), named("dropped", rate("mf_cache_disk_drops_total", "job"))]),
        ("Values on disk", "short", [gauge("mf_cache_disk_values", "pool, instance")]),
        ("Bytes on disk", "bytes", [gauge("mf_cache_disk_bytes", "pool, instance"), named("of", gauge("mf_cache_disk_capacity_bytes", "pool, instance")), named("queue", gauge("mf_cache_disk_queue_bytes", "pool, instance"))]),
        ("Written to disk", "Bps", [rate("mf_cache_disk_written_bytes_total", "instance")]),
        ("Disks that are off", "short", [gauge("mf_cache_disk_off", "instance")]),
    ]),
    ("Store", [
        ("Requests", "ops", [named("done", rate("mf_store_requests_total", "job")), named("failed", rate("mf_store_request_errors_total", "job"))]),
        ("Time in requests", "s", [rate("mf_store_request_seconds_total", "instance")]),
        ("Resumed sessions and retries", "ops", [named("resumed", rate("mf_store_resumes_total", "job")), named("retries", rate("mf_store_retries_total", "job"))]),
        ("Term of the leading store", "short", [gauge("mf_store_term", "store", "max")]),
        ("Served members and guests", "short", [named("members", gauge("mf_store_served_members", "store")), named("guests", gauge("mf_store_served_guests", "store"))]),
        ("Served keys and watches", "short", [named("keys", gauge("mf_store_served_keys", "store")), named("watches", gauge("mf_store_served_watches", "store"))]),
        ("Served bytes", "bytes", [gauge("mf_store_served_bytes", "store")]),
    ]),
    ("C interface", [
        ("Calls", "ops", [rate("mf_calls_total", "function")]),
        ("Failed calls", "ops", [rate("mf_call_errors_total", "function")]),
    ]),
]


def panels() -> Iterator[Json]:
    source, number, top, columns, height = {"type": "prometheus", "uid": "${source}"}, 0, 0, 4, 8
    for title, row in ROWS:
        number += 1
        yield {"id": number, "type": "row", "title": title, "collapsed": False, "gridPos": {"x": 0, "y": top, "w": 24, "h": 1}, "panels": []}
        top += 1
        for index, (name, unit, queries) in enumerate(row):
            number += 1
            place = {"x": index % columns * 6, "y": top + index // columns * height, "w": 6, "h": height}
            targets = [
                {"refId": chr(ord("A") + at), "datasource": source, "expr": text, "legendFormat": label} for at, (text, label) in enumerate(queries)
            ]
            yield {
                "id": number, "type": "timeseries", "title": name, "datasource": source, "gridPos": place, "targets": targets,
                "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
                "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi", "sort": "desc"}},
            }
        top += -(-len(row) // columns) * height


def variable(name: str, label: str, query: str) -> Json:
    return {
        "name": name, "label": label, "type": "query", "datasource": {"type": "prometheus", "uid": "${source}"}, "query": query,
        "definition": query, "refresh": 2, "multi": True, "includeAll": True, "current": {"text": "All", "value": "$__all"},
    }


def board() -> str:
    source = {"name": "source", "label": "Source", "type": "datasource", "query": "prometheus"}
    variables = [
        source, variable("job", "Job", "label_values(mf_process_info, job)"),
        variable("instance", "Process", 'label_values(mf_process_info{job=~"$job"}, instance)'),
    ]
    made = {
        "uid": "memfabric-rs", "title": "memfabric-rs", "tags": ["memfabric-rs"], "schemaVersion": 39, "version": 1, "editable": True,
        "refresh": "10s", "time": {"from": "now-30m", "to": "now"}, "timezone": "", "graphTooltip": 1,
        "templating": {"list": variables}, "panels": list(panels()),
    }
    return json.dumps(made, indent=1) + "\n"


def metrics() -> dict[str, tuple[str, set[str]]]:
    """Kind and labels of each metric of docs/metrics.md."""
    rows = re.findall(r"^\| `(mf_\w+)` \| (\w+) \| ([^|]*) \|", METRICS.read_text(), re.MULTILINE)
    return {name: (kind, set(re.findall(r"\w+", labels))) for name, kind, labels in rows}


def texts(made: Json) -> list[str]:
    """Queries of a board: of its panels and of its variables."""
    queries = [target["expr"] for panel in made["panels"] for target in panel.get("targets", [])]
    return queries + [one["query"] for one in made["templating"]["list"] if one["type"] == "query"]


def defects(made: Json) -> list[str]:
    known, shown, wrong = metrics(), set(), []
    for text in texts(made):
        for name in re.findall(r"\bmf_\w+", text):
            base = re.sub("_(bucket|sum|count)$", "", name)
            kind, labels = known.get(base) or known.get(name) or ("", set())
            if not kind or (kind == "histogram") != (base != name):
                wrong.append(f"no metric {name} in docs/metrics.md: {text}")
            shown.add(base)
            used = re.findall(r"(\w+)=~", text) + re.findall(r"\w+", " ".join(re.findall(r"by \(([^)]*)\)", text)))
            wrong += [f"{name} has no label {label}: {text}" for label in set(used) - labels - ADDED]
    wrong += [f"no panel shows {name}" for name in known if name not in shown | set(LEFT_OUT)]
    return wrong


def main() -> int:
    match sys.argv[1:]:
        case ["write"]:
            FILE.write_text(board())
            return 0
        case ["check"]:
            wrong = defects(json.loads(FILE.read_text()))
            if FILE.read_text() != board():
                wrong.append(f"{FILE.relative_to(ROOT)} is out of date: python3 scripts/lib/board.py write")
            print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
            return 1 if wrong else 0
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main())
