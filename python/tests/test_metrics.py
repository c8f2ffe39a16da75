# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Metrics over HTTP and in programs, and files of operations over time."""

from __future__ import annotations

import base64
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import mf_smem
import pytest

import ranks

MEDIA_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8"
SAMPLE = re.compile(r'(mf_[a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?[0-9]+(?:\.[0-9]+)?)$')
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\]|\\.)*)"')
ENDS = {"counter": ["_total"], "gauge": [""], "info": ["_info"], "histogram": ["_bucket", "_sum", "_count"]}

# A member of a separate job; it prints its metrics, and waits until its input ends.
PROGRAM = """
import json, sys, urllib.request
import mf_smem
with mf_smem.open_pool(host_bytes="2MiB") as pool:
    to = pool.address()
    for _ in range(600):
        pool.put(bytes(1000), to)
    pool.get(to, bytearray(5000))
    url = mf_smem.stats()["url"]
    pool.barrier("here")
    print(json.dumps({"url": url, "pool": pool.stats()}), flush=True)
    sys.stdin.read()
print(json.dumps(mf_smem.stats()["url"]), flush=True)
"""


def strictly_read(text: str) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """Samples by name and labels; fails where the text is not that of OpenMetrics 1.0."""
    assert text.endswith("\n# EOF\n")
    samples: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    name = kind = ""
    seen = set()
    for line in text.removesuffix("# EOF\n").splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert kind in ENDS and name not in seen, line
            seen.add(name)
        elif line.startswith("# UNIT "):
            unit = line.split(" ")
            assert len(unit) == 4 and unit[2] == name and name.endswith("_" + unit[3]), line
        elif line.startswith("# HELP "):
            assert line.startswith(f"# HELP {name} "), line
        else:
            found = SAMPLE.match(line)
            assert found, line
            assert found[1] in [name + end for end in ENDS[kind]], line
            labels = tuple(LABEL.findall(found[2] or ""))
            of = samples.setdefault(found[1], {})
            assert labels not in of, line
            of[labels] = float(found[3])
    for name, values in samples.items():
        if name.endswith("_count"):
            for labels, value in values.items():
                assert samples[name[: -len("_count")] + "_bucket"][labels + (("le", "+Inf"),)] == value
    return samples


def begin(**environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM], env=ranks.plain_environment(MF_JOB_SECRET="s3cret", **environment),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )


def first_line(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    shown: dict[str, Any] = json.loads(line)
    return shown


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    out, err = process.communicate("", timeout=ranks.DEADLINE_S)
    assert process.returncode == 0, err
    return out, err


def read(url: str, **headers: str) -> tuple[str, str]:
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as reply:
        return reply.headers["Content-Type"], reply.read().decode()


def test_copy_metrics_are_per_peer_and_end_with_the_last_pool() -> None:
    process = begin(MF_METRICS="127.0.0.1:0")
    shown = first_line(process)
    media_type, text = read(shown["url"])
    assert media_type == MEDIA_TYPE
    samples = strictly_read(text)
    own = (("route", "mapped"), ("peer", "0"))
    assert samples["mf_put_operations_total"][own] == 600 and samples["mf_put_bytes_total"][own] == 600_000
    assert samples["mf_get_bytes_total"][own] == 5000
    assert samples["mf_put_duration_seconds_count"][own] == 3, "the 1st, 257th and 513th"
    assert samples["mf_copies_total"][(("kind", "host"), ("direction", "put"))] == 600
    assert [value for labels, value in samples["mf_job_members"].items()] == [1]
    assert samples["mf_pool_segment_bytes"] == {(("pool", "0"), ("kind", "host"), ("rank", "0")): 2 << 20}
    assert samples["mf_store_requests_total"][()] > 0
    assert samples["mf_wait_duration_seconds_count"][(("call", "bm barrier"), ("route", "store"))] == 1
    calls = {dict(labels)["function"]: value for labels, value in samples["mf_calls_total"].items()}
    assert calls.get("smem_bm_create", 0) + calls.get("smem_bm_create2", 0) == 1
    assert shown["pool"]["host"]["put"] == {"copies": 600, "bytes": 600_000}
    assert shown["pool"]["members"] == [{"rank": 0, "presence": "joined", "host_bytes": 2 << 20, "device_bytes": 0}]
    out, _ = end(process)
    assert json.loads(out) is None, "the server has ended with the pool"


def test_prometheus_text_format_is_negotiated() -> None:
    process = begin(MF_METRICS="127.0.0.1:0")
    url = first_line(process)["url"]
    media_type, text = read(url, Accept="text/plain;version=0.0.4;q=1,*/*;q=0.1")
    assert media_type == "text/plain; version=0.0.4; charset=utf-8"
    assert read(url, Accept="application/openmetrics-text,text/plain;q=0.5")[0] == MEDIA_TYPE
    with pytest.raises(urllib.error.HTTPError) as refused:
        read(url, Host="evil.example")
    assert refused.value.code == 404
    end(process)
    types = dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))
    assert types["mf_put_bytes_total"] == "counter" and types["mf_job_info"] == "gauge" and "# EOF" not in text
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("no promtool, which checks the text; it comes with: apt-get install prometheus")
    checked = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_taken_metrics_port_is_reported_and_a_range_skips_it() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = begin(MF_METRICS=f"127.0.0.1:{port}")
        assert first_line(process)["url"] is None
        _, err = end(process)
        assert f"metrics are not served at 127.0.0.1:{port}" in err and "HOST:FIRST-LAST" in err, err
        process = begin(MF_METRICS=f"127.0.0.1:{port}-{min(port + 100, 65535)}")
        url = first_line(process)["url"]
        assert url and f":{port}/" not in url
        end(process)


def test_metrics_beyond_loopback_require_the_secret() -> None:
    process = begin(MF_METRICS="0.0.0.0:0")
    url = first_line(process)["url"].replace("0.0.0.0", "127.0.0.1")
    for headers in ({}, {"Authorization": "Bearer other"}):
        with pytest.raises(urllib.error.HTTPError) as refused:
            read(url, **headers)
        assert refused.value.code == 401
    for good in ("Bearer s3cret", "Basic " + base64.b64encode(b"any:s3cret").decode()):
        strictly_read(read(url, Authorization=good)[1])
    end(process)
    bare = ranks.plain_environment(MF_METRICS="0.0.0.0:0")
    refused_run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=bare, input="", capture_output=True, text=True, timeout=ranks.DEADLINE_S)
    assert refused_run.returncode != 0 and "MF_JOB_SECRET" in refused_run.stderr, refused_run.stderr


def test_trace_file_is_complete_even_after_a_kill(tmp_path: Path) -> None:
    for is_killed in (False, True):
        process = begin(MF_TRACE_FILE=str(tmp_path / "trace.%r.%p.json"))
        first_line(process)
        if is_killed:
            process.send_signal(signal.SIGKILL)
            process.communicate()
        else:
            end(process)
        events = json.loads((tmp_path / f"trace.0.{process.pid}.json").read_text())
        assert events[0]["ph"] == "M"
        gets = [event for event in events if event["name"] == "get"]
        if not is_killed:
            assert [(get["ph"], get["args"]) for get in gets] == [("X", {"bytes": 5000, "peer": 0, "route": "mapped"})]


OTHERS = """
import ctypes, mf_smem
import openshmem as shmem
engines = [mf_smem.TransferEngine(), mf_smem.TransferEngine()]
memory = ctypes.create_string_buffer(8000)
there = ctypes.addressof(memory)
for engine, role in zip(engines, ("Prefill", "Decode")):
    assert engine.initialize("", "127.0.0.1", role, 0) == 0, mf_smem.get_last_err_msg()
assert engines[1].register_memory(there, 8000) == 0
name = f"127.0.0.1:{engines[1].get_rpc_port()}"
for _ in range(300):
    assert engines[0].transfer_sync_write(name, there, there, 4000) == 0, mf_smem.get_last_err_msg()
shmem.init()
block = shmem.empty(1000, "int8")
print(mf_smem.metrics_text(), end="")
shmem.finalize()
for engine in engines:
    engine.destroy()
"""


def test_metrics_cover_transfers_and_heaps() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", OTHERS], env=ranks.plain_environment(MF_METRICS="127.0.0.1:0"), capture_output=True, text=True,
        timeout=ranks.DEADLINE_S)
    assert ended.returncode == 0, ended.stderr
    samples = strictly_read(ended.stdout)
    puts = {dict(labels)["route"]: value for labels, value in samples["mf_put_operations_total"].items()}
    bytes_put = {dict(labels)["route"]: value for labels, value in samples["mf_put_bytes_total"].items()}
    assert puts["cma"] == 300 and bytes_put["cma"] == 1_200_000, puts
    states = {dict(labels)["state"]: value for labels, value in samples["mf_heap_bytes"].items()}
    assert states["used"] > 0 and states["free"] > 0, states


def test_metrics_text_needs_no_server() -> None:
    assert mf_smem.stats()["url"] is None
    assert "mf_process_info" in strictly_read(mf_smem.metrics_text())
