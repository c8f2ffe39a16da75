# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The rules by which transfer engines meet, a row each."""

from __future__ import annotations

import pytest

from mf_smem._meeting import Plan, Role, Route, Session, named_stores, plan, routes, session, session_ports

OWN = Session("10.0.0.7", 9100)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("10.0.0.1:9000", "10.0.0.1", 9000),
        ("10.0.0.1:0", "10.0.0.1", 0),
        ("10.0.0.1", "10.0.0.1", 0),
        ("10.0.0.1:", "10.0.0.1", 0),
        ("10.0.0.1:9000_4711", "10.0.0.1", 9000),
        (" 10.0.0.1:9000 ", "10.0.0.1", 9000),
        ("[::1]:9000", "::1", 9000),
        ("[::1]", "::1", 0),
        ("fe80::1", "fe80::1", 0),
        ("[fe80:0:0::1]:65535_1", "fe80::1", 65535),
    ],
)
def test_sessions(text: str, host: str, port: int) -> None:
    assert session(text) == Session(host, port)


@pytest.mark.parametrize("text", ["", "node-1:9000", "10.0.0.1:65536", "10.0.0.1:x", "[::1]9000", "10.0.0:1", "10.0.0.1:-1"])
def test_rejects_malformed_sessions(text: str) -> None:
    with pytest.raises(ValueError, match="is not a session"):
        session(text)


def test_names_of_sessions() -> None:
    assert str(session("[::1]:9000")) == "[::1]:9000"
    assert session("10.0.0.1").at(77).url == "tcp://10.0.0.1:77"


@pytest.mark.parametrize(
    ("store_url", "stores"),
    [
        ("tcp://10.0.0.1:5570", ["tcp://10.0.0.1:5570"]),
        ("10.0.0.1:5570", ["tcp://10.0.0.1:5570"]),
        ("tcp://10.0.0.1", []),
        ("tcp://10.0.0.7:9100", []),
        ("tcp://10.0.0.7:9101", ["tcp://10.0.0.7:9101"]),
        ("", []),
        (None, []),
        ("tcp://10.0.0.1:1, tcp://10.0.0.2:2,", ["tcp://10.0.0.1:1", "tcp://10.0.0.2:2"]),
        ("tcp://10.0.0.7:9100,tcp://10.0.0.2", []),
        ("tcp://localhost:5570", ["tcp://localhost:5570"]),
        ("tcp://[::1]:5570", ["tcp://[::1]:5570"]),
        ("etcd://10.0.0.1:2379/job", ["etcd://10.0.0.1:2379/job"]),
    ],
)
def test_store_urls_are_expanded(store_url: str | None, stores: list[str]) -> None:
    assert named_stores(store_url, OWN) == stores


@pytest.mark.parametrize(
    ("role", "store_server_role", "answering", "expected"),
    [
        (Role.PREFILL, "Decode", "tcp://a:1", Plan("tcp://a:1", must_serve=False)),
        (Role.DECODE, "Decode", "tcp://a:1", Plan("tcp://a:1", must_serve=False)),
        (Role.DECODE, "Decode", None, Plan(None, must_serve=True)),
        (Role.PREFILL, "Decode", None, Plan(None, must_serve=False)),
        (Role.PREFILL, "Prefill", None, Plan(None, must_serve=True)),
        (Role.DECODE, "Prefill", None, Plan(None, must_serve=False)),
    ],
)
def test_plans(role: Role, store_server_role: str, answering: str | None, expected: Plan) -> None:
    assert plan(role, store_server_role, answering) == expected


@pytest.mark.parametrize(
    ("shared", "serves", "destination", "expected"),
    [
        ("tcp://a:1", False, "10.0.0.1:1", [Route.SHARED, Route.VISIT]),
        ("tcp://a:1", True, "10.0.0.1:1", [Route.SHARED, Route.OWN, Route.VISIT]),
        (None, True, "10.0.0.1:1", [Route.OWN, Route.VISIT]),
        (None, False, "10.0.0.1:1", [Route.VISIT]),
        (None, True, "10.0.0.7:9100", [Route.OWN]),
        ("tcp://a:1", False, "10.0.0.7:9100", [Route.SHARED]),
    ],
)
def test_routes(shared: str | None, serves: bool, destination: str, expected: list[Route]) -> None:
    assert routes(Plan(shared, must_serve=False), serves, session(destination), OWN) == expected


def test_ports_of_sessions() -> None:
    assert session_ports({}) == range(9000, 65536)
    assert session_ports({"MF_CONFIG_STORE_PORT_START": "20000", "MF_CONFIG_STORE_PORT_END": "20009"}) == range(20000, 20010)
    assert session_ports({"MEMFABRIC_HYBRID_CONFIG_STORE_PORT_END": "9001"}) == range(9000, 9002)
    for bad in ({"MF_CONFIG_STORE_PORT_START": "x"}, {"MF_CONFIG_STORE_PORT_END": "8999"}):
        with pytest.raises(ValueError, match="MF_CONFIG_STORE_PORT"):
            session_ports(bad)
