# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Where this process belongs: the address of the config store, the size of the world, one's own rank.

Launchers (``mf run``, torchrun, mpirun, srun) pass it in environment variables, which the library reads, as it reads
``MF_*`` variables.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
import socket
import sys
from collections.abc import Mapping
from typing import Any

from . import _mf_smem
from ._errors import invalid

_LOOPBACK = "127.0.0.1"


@dataclasses.dataclass(frozen=True)
class Job:
    """What a process needs to take part in a world."""

    #: ``tcp://ip:port`` of the config store.
    store_url: str
    world_size: int
    #: One's own rank, or None to be given one.
    rank: int | None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] | None = None) -> Job:
        """The job that the launcher describes, or a world of one where there is no launcher.

        Rank and size are those of torchrun and ``mf run`` (RANK, WORLD_SIZE), of Open MPI, PMI and PMIx, and of Slurm's srun.
        For the store: MF_CONFIG_STORE_URL, else a torch.distributed that is initialised or torchrun's own store, through which
        the ranks agree on a port, else MASTER_ADDR and MASTER_PORT, else what srun or mpirun on one host give away.
        """
        environ = os.environ if environ is None else environ
        place = _place(environ)
        rank = None if place is None else place["rank"]
        world_size = 1 if place is None else place["world_size"]
        url = (
            setting("MF_CONFIG_STORE_URL")
            or _through_torch(rank)
            or _through_agent(environ, rank)
            or (place and place["store_url"])
            or _master(environ)
        )
        if url is None:
            if place is not None and world_size > 1:
                raise invalid(
                    f"this process is one of {world_size} ranks (it was started by {_LAUNCHERS.get(place['launcher'], 'a launcher')}), "
                    "but no store is named where they meet; set MF_CONFIG_STORE_URL to tcp://ip:port, or MASTER_ADDR and MASTER_PORT, "
                    "in all of them"
                )
            url = _url(_LOOPBACK, _free_port(_LOOPBACK))
        return cls(url, world_size, rank)


_LAUNCHERS = {
    "Torchrun": "torchrun, or a program that sets RANK and WORLD_SIZE", "OpenMpi": "Open MPI's mpirun", "Slurm": "srun",
    "Pmi": "a launcher that speaks PMI", "Nobody": "a program that sets WORLD_SIZE",
}


def _place(environ: Mapping[str, str]) -> dict[str, Any] | None:
    """What the variables of launchers say of this process; None where no launcher has started it."""
    # Where these are set the ranks agree on the port otherwise.
    by_torch = "RANK" in environ or "WORLD_SIZE" in environ
    variables = {
        name: value.encode(errors="replace").decode()
        for name, value in environ.items()
        if name.isascii() and not (by_torch and name.startswith("MASTER_"))
    }
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
    """Whether a setting of the library has been given a value."""
    rows = json.loads(_mf_smem.settings_json())
    return any(row["name"] == name and row["origin"] != "default" and row["value"] != "" for row in rows)


#: Length of what `create_unique_id` returns.
UNIQUE_ID_BYTES = 57


def create_unique_id(ip: str | None = None) -> bytes:
    """Starts the store of a new world of any size in this process, with a fresh secret, and returns the unique id that leads to
    it: all that the ranks need (`bm.initialize_unique_id`, `shm.initialize_unique_id`). It contains the secret: hand it over on a
    channel that others cannot read. `ip` is a numeric address of this host; None: that of the default route, else loopback. The
    store runs until all who use it have left. Raises `Error`."""
    return _mf_smem.create_unique_id(ip)


def cluster_status() -> list[dict[str, Any]]:
    """What the config store servers of this process know of their members: one dictionary for each, see docs/store.md."""
    servers: list[dict[str, Any]] = json.loads(_mf_smem.cluster_status_json())
    return servers


def _master(environ: Mapping[str, str]) -> str | None:
    host, port = environ.get("MASTER_ADDR"), _number(environ, "MASTER_PORT")
    if not host or port is None:
        return None
    return _url(_address(host), port)


def _through_torch(rank: int | None) -> str | None:
    """Agreed by a broadcast where the program has already initialised torch.distributed."""
    torch = sys.modules.get("torch.distributed")
    if rank is None or torch is None or not torch.is_available() or not torch.is_initialized():
        return None
    offer = [_offer(os.environ.get("MASTER_ADDR", _LOOPBACK)) if torch.get_rank() == 0 else None]
    torch.broadcast_object_list(offer, src=0)
    return offer[0]


def _through_agent(environ: Mapping[str, str], rank: int | None) -> str | None:
    """Agreed through the store that torchrun keeps at MASTER_PORT, which is therefore not free for ours."""
    if rank is None or environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True":
        return None
    restart = environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    return _agreed_with_agent(environ["MASTER_ADDR"], int(environ["MASTER_PORT"]), restart, rank)


# Once for a process: a second agreement under the same key could leave some ranks with the first.
_AGREED: dict[tuple[str, int, str], str] = {}


def _agreed_with_agent(host: str, port: int, restart: str, rank: int) -> str:
    if (host, port, restart) in _AGREED:
        return _AGREED[host, port, restart]
    try:
        # By name, because the package is checked where torch is not installed too.
        torch: Any = importlib.import_module("torch.distributed")
    except ImportError:
        raise invalid(
            "torchrun started this process, but torch is not importable here; set MF_CONFIG_STORE_URL to tcp://ip:port"
        ) from None
    store = torch.TCPStore(host, port, is_master=False)
    key = f"mf_smem/{restart}/store_url"
    if rank == 0:
        store.set(key, _offer(host))
    url: str = store.get(key).decode()
    _AGREED[host, port, restart] = url
    return url


def _offer(host: str) -> str:
    """An address of this host, with a port that is free now."""
    address = _address(host)
    return _url(address, _free_port(address))


def _address(host: str) -> str:
    """The numeric address of `host`: the store's URL takes no names."""
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


def _url(address: str, port: int) -> str:
    return f"tcp://[{address}]:{port}" if ":" in address else f"tcp://{address}:{port}"
