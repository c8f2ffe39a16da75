# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Place of this process in a job: the address of the config store, the size of the world, the own rank.

Launchers (``mf run``, torchrun, mpirun, srun, Kubernetes) pass it in environment variables, which the library reads, as it
reads ``MF_*`` variables.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import ipaddress
import json
import os
import socket
import sys
from collections.abc import Mapping
from typing import Any

from . import _mf_smem
from ._errors import invalid


def _loopback() -> str:
    """127.0.0.1, or ``::1`` where only that is there."""
    for host, family in (("127.0.0.1", socket.AF_INET), ("::1", socket.AF_INET6)):
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((host, 0))
            # Sends nothing; fails where the interface is down.
            probe.connect((host, 9))
            return host
    return "127.0.0.1"


@dataclasses.dataclass(frozen=True)
class Job:
    """Parameters of a process for joining a world."""

    #: ``tcp://host:port`` of the config store.
    store_url: str
    world_size: int
    #: One's own rank, or None to be given one.
    rank: int | None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Job:
        """The job that the launcher describes, or a world of one where there is no launcher; docs/launching.md has the order.

        For the store: MF_CONFIG_STORE_URL, else a torch.distributed that is initialised or torchrun's own store, through which
        the ranks agree on a port, else the library's own detection. Without `environ` the ranks may have to wait for rank 0,
        which passes the store's address on.
        """
        variables = os.environ if environ is None else environ
        place = _place(variables)
        if place is None:
            return cls(setting("MF_CONFIG_STORE_URL") or _alone(), 1, None)
        url = (
            setting("MF_CONFIG_STORE_URL")
            or _through_torch(place)
            or _through_agent(variables, place)
            or place["store_url"]
        )
        if not url and environ is None and place["is_handed_on"]:
            url = json.loads(_mf_smem.launcher_json())["store_url"]
        if not url:
            if place["world_size"] > 1:
                raise invalid(f"this process is {place['place']}; where the store is, is {place['store']}")
            url = _alone()
        return cls(url, place["world_size"], place["rank"])


def _place(environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Variables of launchers for this process; None without a launcher."""
    variables = {name: value.encode(errors="replace").decode() for name, value in environ.items() if name.isascii()}
    place: dict[str, Any] | None = json.loads(_mf_smem.launcher_json(json.dumps(variables)))
    return place


def local_rank(environ: Mapping[str, str] | None = None) -> int:
    """Number of this process on its host, which is also the number of its device; 0 where no launcher sets it."""
    environ = os.environ if environ is None else environ
    own = _number(environ, "LOCAL_RANK")
    if own is None:
        place = _place(environ)
        own = None if place is None else place["local_rank"]
    return own or 0


def _number(environ: Mapping[str, str], name: str) -> int | None:
    text = environ.get(name, "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit():
        raise invalid(f"the environment variable {name} must be a number, not {text!r}")
    return int(text)


def setting(name: str) -> str | None:
    """The value of a setting of the library, or None when it is empty."""
    for row in json.loads(_mf_smem.settings_json()):
        if row["name"] == name:
            return row["value"] or None
    return None


def is_set(name: str) -> bool:
    """True if a setting of the library has an explicit value."""
    rows = json.loads(_mf_smem.settings_json())
    return any(row["name"] == name and row["origin"] != "default" and row["value"] != "" for row in rows)


#: Length of what `create_unique_id` returns.
UNIQUE_ID_BYTES = 57


def create_unique_id(ip: str | None = None) -> bytes:
    """Starts the store of a new world of any size in this process, with a fresh secret, and returns the unique id of the store:
    the only parameter that the ranks need (`bm.initialize_unique_id`, `shm.initialize_unique_id`). It contains the secret: hand
    it over on a channel that others cannot read. `ip` is a numeric address of this host; None: the address of the default
    route, else loopback. The store runs until all its users have left. Raises `Error`."""
    return _mf_smem.create_unique_id(ip)


def cluster_status() -> list[dict[str, Any]]:
    """Members known to the config store servers of this process: one dictionary for each, see docs/store.md."""
    servers: list[dict[str, Any]] = json.loads(_mf_smem.cluster_status_json())
    return servers


def stats() -> dict[str, Any]:
    """Metrics of this process: ``url``, the address of its metrics server (`MF_METRICS`; None: nowhere), and ``metrics``, a
    dictionary by name of ``kind``, ``unit``, ``help`` and ``samples``, each of which has ``labels`` and a ``value``. Times are
    in seconds; the value of a histogram has ``count``, ``sum`` and ``buckets``: the number of values up to each bound and above
    the previous one, the last (bound None) above all bounds. docs/metrics.md has the list. Local; at any time."""
    counted: dict[str, Any] = json.loads(_mf_smem.stats_json())
    return counted


def metrics_text() -> str:
    """The same in the text form of OpenMetrics 1.0, for a program that serves metrics of its own: its media type is
    ``application/openmetrics-text; version=1.0.0; charset=utf-8``. Local; at any time."""
    return _mf_smem.metrics_text()


def _through_torch(place: dict[str, Any]) -> str | None:
    """Agreed by a broadcast where the program has already initialised torch.distributed."""
    torch = sys.modules.get("torch.distributed")
    if place["rank"] is None or torch is None or not torch.is_available() or not torch.is_initialized():
        return None
    offer = [_offer(os.environ.get("MASTER_ADDR") or _loopback(), place) if torch.get_rank() == 0 else None]
    torch.broadcast_object_list(offer, src=0)
    return offer[0]


def _through_agent(environ: Mapping[str, str], place: dict[str, Any]) -> str | None:
    """Agreed through the store that torchrun keeps at MASTER_PORT, which is therefore not free for ours."""
    if place["rank"] is None or environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True":
        return None
    restart = environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    return _agreed_with_agent(environ["MASTER_ADDR"], int(environ["MASTER_PORT"]), restart, place)


# Once for a process: a second agreement under the same key could leave some ranks with the first.
_AGREED: dict[tuple[str, int, str], str] = {}


def _agreed_with_agent(host: str, port: int, restart: str, place: dict[str, Any]) -> str:
    if (host, port, restart) in _AGREED:
        return _AGREED[host, port, restart]
    try:
        # By name, because the package is checked where torch is not installed too.
        torch: Any = importlib.import_module("torch.distributed")
    except ImportError:
        raise invalid(
            "torchrun started this process, but torch is not importable here; set MF_CONFIG_STORE_URL to tcp://host:port"
        ) from None
    store = torch.TCPStore(host, port, is_master=False)
    key = f"mf_smem/{restart}/store_url"
    if place["rank"] == 0:
        store.set(key, _offer(host, place))
    url: str = store.get(key).decode()
    _AGREED[host, port, restart] = url
    return url


def _offer(host: str, place: dict[str, Any]) -> str:
    """An address of this host, with a port that is free now."""
    address = _address(host)
    port = _free_port(address)
    # The own name may stand for the loopback; other hosts find another address by that name.
    is_elsewhere = place["local_size"] != place["world_size"] and ipaddress.ip_address(address).is_loopback
    return _url(host if is_elsewhere else address, port)


def _address(host: str) -> str:
    """The numeric address of `host`."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise invalid(f"the host name {host!r} has no address: {error}") from None
    found.sort(key=lambda entry: entry[0] != socket.AF_INET)
    return str(found[0][4][0])


def _free_port(address: str) -> int:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.bind((address, 0))
        port: int = probe.getsockname()[1]
        return port


def _alone() -> str:
    """The URL of a store at a free port of the loopback."""
    host = _loopback()
    return _url(host, _free_port(host))


def _url(address: str, port: int) -> str:
    return f"tcp://[{address}]:{port}" if ":" in address and not address.startswith("[") else f"tcp://{address}:{port}"
