# SPDX-License-Identifier: Apache-2.0 OR MIT
"""`MooncakeConfig`: settings of a store from a JSON file or from the environment."""

from __future__ import annotations

import dataclasses
import json
import logging
import os
import re
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["DEFAULT_GLOBAL_SEGMENT_SIZE", "DEFAULT_LOCAL_BUFFER_SIZE", "MooncakeConfig"]

DEFAULT_GLOBAL_SEGMENT_SIZE = 3_355_443_200
DEFAULT_LOCAL_BUFFER_SIZE = 1_073_741_824

_UNITS = {unit: 1 << (10 * power) for power, units in enumerate(("b", "k kb", "m mb", "g gb", "t tb")) for unit in units.split()}
_TRUE, _FALSE = frozenset(("true", "1", "yes", "on", "enable")), frozenset(("false", "0", "no", "off", "disable"))
_PROTOCOLS = frozenset(("tcp", "rdma", "ascend", "hccl", "nvlink", "efa", "cxl", "ub", "rpc_only"))

_log = logging.getLogger("mooncake.config")


def parse_size(value: object) -> int:
    """Parses a number or a text such as ``"1.5 GB"``, with powers of 1024. Returns bytes. Raises `ValueError`, `TypeError`."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise TypeError(f"a size is a number of bytes or a text such as '4 GB', not {value!r}")
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", value.lower())
        if found is None or (found[2] or "b") not in _UNITS:
            raise ValueError(f"{value!r} is no size: a number of bytes, or one with b, kb, mb, gb or tb, is expected")
        return int(float(found[1]) * _UNITS[found[2] or "b"]) if "." in found[1] else int(found[1]) * _UNITS[found[2] or "b"]
    if value < 0:
        raise ValueError(f"a size is not negative: {value}")
    return int(value)


def parse_bool(value: object) -> bool:
    """Parses a bool, a number or a word. Raises `ValueError`."""
    word = str(value).strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ValueError(f"{value!r} is no yes or no: {', '.join(sorted(_TRUE | _FALSE))}")


def _text(value: object) -> str:
    return str(value)


def _protocol(value: object) -> str:
    name = str(value).strip().lower()
    if name not in _PROTOCOLS:
        _log.warning("the protocol %r is not known, and is passed on", name)
    return name


#: Parser and environment variable of each field.
_READ: dict[str, tuple[Callable[[object], Any], str]] = {
    "local_hostname": (_text, "MOONCAKE_LOCAL_HOSTNAME"),
    "metadata_server": (_text, "MOONCAKE_TE_META_DATA_SERVER"),
    "global_segment_size": (parse_size, "MOONCAKE_GLOBAL_SEGMENT_SIZE"),
    "local_buffer_size": (parse_size, "MOONCAKE_LOCAL_BUFFER_SIZE"),
    "protocol": (_protocol, "MOONCAKE_PROTOCOL"),
    "device_name": (_text, "MOONCAKE_DEVICE"),
    "master_server_address": (_text, "MOONCAKE_MASTER"),
    "enable_ssd_offload": (parse_bool, "MOONCAKE_OFFLOAD_ENABLED"),
    "ssd_offload_path": (_text, "MOONCAKE_OFFLOAD_FILE_STORAGE_PATH"),
    "tenant_id": (_text, "MOONCAKE_TENANT_ID"),
    "enable_client_http_server": (parse_bool, "MOONCAKE_ENABLE_CLIENT_HTTP_SERVER"),
    "client_http_port": (int, "MOONCAKE_CLIENT_HTTP_PORT"),  # type: ignore[dict-item]
}
_NEEDED = ("local_hostname", "metadata_server", "master_server_address")


@dataclasses.dataclass
class MooncakeConfig:
    """Settings of a store for ``MooncakeDistributedStore.setup``. Sizes are bytes."""

    local_hostname: str
    metadata_server: str
    global_segment_size: int
    local_buffer_size: int
    protocol: str
    device_name: str
    master_server_address: str
    enable_ssd_offload: bool = False
    ssd_offload_path: str = ""
    tenant_id: str = "default"
    enable_client_http_server: bool = False
    client_http_port: int = 9300

    @staticmethod
    def from_file(file_path: str) -> MooncakeConfig:
        """Reads a JSON file. Raises `ValueError` for a missing or empty name, or an invalid value."""
        with open(file_path, encoding="utf-8") as file:
            given = json.load(file)
        if not isinstance(given, dict):
            raise ValueError(f"{file_path} has no JSON object")
        for name in _NEEDED:
            if name not in given:
                raise ValueError(f"{file_path} has no {name}")
            if not isinstance(given[name], str) or not given[name].strip():
                raise ValueError(f"{name} in {file_path} is a text that is not empty, not {given[name]!r}")
        return _made(given)

    @staticmethod
    def load_from_env() -> MooncakeConfig:
        """Reads the file MOONCAKE_CONFIG_PATH, or else the variables MOONCAKE_…. Raises `ValueError`.

        The variables must include MOONCAKE_MASTER.
        """
        path = os.environ.get("MOONCAKE_CONFIG_PATH")
        if path:
            return MooncakeConfig.from_file(path)
        if not os.environ.get("MOONCAKE_MASTER"):
            raise ValueError("neither MOONCAKE_CONFIG_PATH nor MOONCAKE_MASTER is set")
        given = {name: os.environ[variable] for name, (_, variable) in _READ.items() if os.environ.get(variable)}
        return _made({"local_hostname": "localhost", "metadata_server": "P2PHANDSHAKE", **given})


def _made(given: Mapping[str, object]) -> MooncakeConfig:
    known = {
        "global_segment_size": DEFAULT_GLOBAL_SEGMENT_SIZE,
        "local_buffer_size": DEFAULT_LOCAL_BUFFER_SIZE,
        "protocol": "tcp",
        "device_name": "",
        **{name: value for name, value in given.items() if name in _READ},
    }
    return MooncakeConfig(**{name: _READ[name][0](value) for name, value in known.items()})
