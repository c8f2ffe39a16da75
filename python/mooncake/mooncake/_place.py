# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Interpretation of the arguments of `setup`: address of the store, name of this member, its memory."""

from __future__ import annotations

import dataclasses
import ipaddress
import logging
import os
import socket
from collections.abc import Mapping
from typing import Any

from ._names import joined, resolved, split
from .mooncake_config import parse_bool, parse_size

_GRAIN = 2 << 20
#: Ports in the names of members.
_PORTS = range(12_300, 14_300)
_PROTOCOLS = frozenset(("tcp", "rdma", "ascend", "ascend_direct", "hccl", "nvlink", "efa", "cxl", "ub", "rpc_only"))
_DEFAULT_BYTES = 16 << 20
#: Parser and default of each argument of `setup`; the default None means required.
_ARGUMENTS: dict[str, tuple[Any, Any]] = {
    "local_hostname": (str, None),
    "metadata_server": (str, None),
    "global_segment_size": (parse_size, _DEFAULT_BYTES),
    "local_buffer_size": (parse_size, _DEFAULT_BYTES),
    "protocol": (str, "tcp"),
    "rdma_devices": (str, ""),
    "master_server_addr": (str, ""),
    "engine": (None, None),
    "enable_ssd_offload": (parse_bool, False),
    "ssd_offload_path": (str, ""),
    "tenant_id": (str, "default"),
    "enable_client_http_server": (parse_bool, False),
    "client_http_port": (int, 9300),
    "ipc_socket_path": (str, ""),
}

#: Names in the settings of older versions, which LMCache passes on.
_OLDER = {"master_server_address": "master_server_addr", "device_name": "rdma_devices"}

_log = logging.getLogger("mooncake.store")


@dataclasses.dataclass(frozen=True)
class Place:
    """Parsed arguments of `setup`."""

    #: Name of this member, ``host:port``.
    name: str
    #: URL of the config store.
    store_url: str
    #: True if the config store belongs on this host. This process starts it if no store answers.
    is_here: bool
    #: Contributed bytes of this member, a multiple of 2 MiB.
    segment: int
    tenant: str
    #: Interface or address for connections from other hosts; empty for any.
    nic: str
    #: Port for HTTP of this member, or 0.
    http_port: int


def place(given: Mapping[str, Any]) -> Place:
    """Parses the arguments. Ignores unknown names. Raises `ValueError` for a missing or wrong argument."""
    given = {**{_OLDER[name]: value for name, value in given.items() if name in _OLDER}, **given}
    for name in given.keys() - _ARGUMENTS.keys() - _OLDER.keys():
        _log.info("setup: %s is not known, and changes nothing", name)
    known = {name: first for name, (_, first) in _ARGUMENTS.items()}
    for name, (read, _) in _ARGUMENTS.items():
        if given.get(name) is not None:
            try:
                known[name] = given[name] if read is None else read(given[name])
            except (TypeError, ValueError) as error:
                raise ValueError(f"{name}: {error}") from None
    for name in ("local_hostname", "metadata_server"):
        if known[name] is None:
            raise ValueError(f"{name} is missing")
    if not known["local_hostname"]:
        raise ValueError("local_hostname is empty")
    _warn(known)
    url, is_here = _store(known["master_server_addr"], known["metadata_server"])
    host, port = split(known["local_hostname"])
    return Place(
        name=joined(host, port or _free_port(host)),
        store_url=url,
        is_here=is_here,
        segment=known["global_segment_size"] // _GRAIN * _GRAIN,
        tenant=known["tenant_id"] or "default",
        nic=_nic(host, known["rdma_devices"]),
        http_port=known["client_http_port"] if known["enable_client_http_server"] else 0,
    )


def _warn(known: Mapping[str, Any]) -> None:
    if known["protocol"].lower() not in _PROTOCOLS:
        _log.warning("the protocol %r is not known; the best engine is used", known["protocol"])
    if known["enable_ssd_offload"]:
        _log.warning("enable_ssd_offload: there is no tier on disk, and values stay in memory alone")


def _store(master: str, metadata: str) -> tuple[str, bool]:
    """Returns the URL of the config store, and True if it belongs on this host."""
    named = os.environ.get("MF_STORE_URL") or (metadata if metadata.startswith(("tcp://", "tcp6://")) else "")
    if named:
        return named, named.startswith("tcp") and _is_own(split(named.partition("://")[2].partition(",")[0])[0])
    if not master:
        raise ValueError("master_server_addr is empty; host:port of the store is expected, or MF_STORE_URL")
    if "://" in master:
        kind, _, rest = master.partition("://")
        if kind == "etcd" and ";" not in rest:
            return master, False
        raise ValueError(f"master_server_addr is {master!r}: set MF_STORE_URL to the URL of the store, such as etcd://host:2379/job")
    host, port = resolved(master)
    if port == 0:
        raise ValueError(f"master_server_addr is {master!r}, and has no port")
    return f"tcp://{joined(host, port)}", _is_own(host)


def _is_own(host: str) -> bool:
    """Returns True if the host has an address of this machine."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.bind(address)
    except OSError:
        return False
    return True


def _free_port(host: str) -> int:
    """Returns a free port, which distinguishes this member from others on its host."""
    from mf_smem import _ports

    try:
        return _ports.free_port(resolved(host)[0], _PORTS) or _PORTS.start
    except ValueError:
        return _ports.free_port("", _PORTS) or _PORTS.start


def _nic(host: str, devices: str) -> str:
    try:
        if not ipaddress.ip_address(host).is_unspecified:
            return host
    except ValueError:
        pass
    return devices if devices and "/" not in devices and os.path.isdir(f"/sys/class/net/{devices}") else ""
