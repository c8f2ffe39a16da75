# SPDX-License-Identifier: Apache-2.0 OR MIT
"""HTTP endpoints of a master and of a client: health, metrics, segments, keys."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ._codes import NOT_FOUND, OK
from ._http import TEXT, Handler, Server

if TYPE_CHECKING:
    from ._replicas import Replicas

#: Maximum body of a request, in bytes, and maximum number of keys in one request.
_LONGEST, _KEYS = 1 << 20, 65_536

Answer = tuple[int, str, str]
_JSON = "application/json"


class Admin:
    """Answers requests about a store. `join` returns the store after set-up, or None if set-up fails."""

    def __init__(self, address: str, join: Callable[[], Replicas | None]) -> None:
        self._address, self._join = address, join

    def answer(self, method: str, path: str, query: dict[str, list[str]]) -> Answer:
        """Returns status, content type and body of the response."""
        if method == "POST":
            store = self._join() if path == "/api/v1/remove_all" else None
            return _not_there() if store is None else _json({"success": True, "removed": store.remove_all(force=True)})
        plain: dict[str, Callable[[], Answer]] = {
            "/health": self._health,
            "/role": lambda: (200, TEXT, "leader\n"),
            "/leader": lambda: (200, TEXT, f"{self._address}\n"),
            "/ha_status": lambda: (200, TEXT, "serving\n"),
        }
        about: dict[str, Callable[[Replicas], Answer]] = {
            "/metrics": _metrics,
            "/metrics/summary": _summary,
            "/get_all_segments": lambda store: (200, TEXT, "".join(f"{name}\n" for name, _ in _segments(store))),
            "/get_all_keys": lambda store: (200, TEXT, "".join(f"{key}\n" for key in _keys(store))),
            "/get_segments_detail": lambda store: _json({"segments": [_segment(*one) for one in _segments(store)]}),
            "/query_segment": lambda store: _query_segment(store, query.get("segment", [""])[0]),
            "/query_key": lambda store: _query_key(store, query.get("key", [""])[0]),
            "/batch_query_keys": lambda store: _query_keys(store, query.get("keys", [""])[0]),
        }
        if path in plain:
            return plain[path]()
        if path not in about:
            return _not_there()
        store = self._join()
        if store is None:
            return 503, TEXT, "the store is not reachable\n"
        return about[path](store)

    def _health(self) -> Answer:
        state = {"status": "ok", "role": "leader", "ha_state": "serving", "service_ready": True}
        return _json({**state, "leader_address": self._address, "view_version": 0})


def serve(admin: Admin, host: str, port: int) -> Server:
    """Starts a server. Raises `OSError` if the port is in use."""
    server = Server(host, port, _Handler, admin=admin)
    server.start()
    return server


class _Handler(Handler):
    admin: Admin

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        if self.body(_LONGEST, "0") is not None:
            self._answer("POST")

    def _answer(self, method: str) -> None:
        parts = urllib.parse.urlsplit(self.path)
        status, kind, text = self.admin.answer(method, parts.path, urllib.parse.parse_qs(parts.query))
        self.answer(status, kind, text.encode())


def _not_there() -> Answer:
    return 404, TEXT, "there is no such path\n"


def _json(value: dict[str, Any], status: int = 200) -> Answer:
    return status, _JSON, json.dumps(value)


def _segments(store: Replicas) -> list[tuple[str, int]]:
    """Returns name and capacity in bytes of each member that contributes memory."""
    return [(name, capacity) for _, name, capacity, _ in store._opened().members() if capacity]


def _segment(name: str, capacity: int) -> dict[str, Any]:
    return {"name": name, "size": capacity}


def _keys(store: Replicas) -> list[str]:
    space = store._opened()
    return [text for text in map(space.keys.text, space.all_keys()) if text is not None]


def _metrics(store: Replicas) -> Answer:
    stats = store._opened().cache.stats()
    lines = []
    for name, about, value in (
        ("master_total_capacity_bytes", "Bytes for values of all members.", stats.capacity_bytes),
        ("master_key_count", "Values.", len(_keys(store))),
        ("master_active_clients", "Members.", stats.members),
    ):
        lines += [f"# HELP {name} {about}", f"# TYPE {name} gauge", f"{name} {value}"]
    return 200, "text/plain; version=0.0.4", "\n".join([*lines, ""])


def _summary(store: Replicas) -> Answer:
    stats = store._opened().cache.stats()
    return 200, TEXT, f"members: {stats.members}, capacity: {stats.capacity_bytes} bytes, keys: {len(_keys(store))}\n"


def _query_segment(store: Replicas, wanted: str) -> Answer:
    found = [one for one in _segments(store) if one[0] == wanted]
    return _json(_segment(*found[0])) if found else (500, TEXT, f"no member is named {wanted}\n")


def _replicas(store: Replicas, key: str) -> list[dict[str, Any]]:
    buffers = [one.get_memory_descriptor().buffer_descriptor for one in store.get_replica_desc(key)]
    return [{"transport_endpoint": one.transport_endpoint, "buffer_address": one.buffer_address, "size": one.size} for one in buffers]


def _query_key(store: Replicas, key: str) -> Answer:
    replicas = _replicas(store, key)
    if not replicas:
        return _json({"success": False, "error_code": NOT_FOUND, "error": "OBJECT_NOT_FOUND"}, 404)
    return _json({"success": True, "error_code": OK, "values": replicas})


def _query_keys(store: Replicas, keys: str) -> Answer:
    wanted = [key for key in keys.split(",") if key]
    if len(wanted) > _KEYS:
        return _json({"success": False, "error": f"at most {_KEYS} keys are asked for at once"}, 400)
    exist = store.batch_is_exist(wanted)
    data: dict[str, Any] = {}
    for key, found in zip(wanted, exist):
        replicas = _replicas(store, key) if found == 1 else []
        if replicas:
            data[key] = {"ok": True, "values": replicas, "disk_values": [], "local_disk_values": [], "nof_values": None}
        else:
            data[key] = {"ok": False, "error": "OBJECT_NOT_FOUND"}
    return _json({"success": True, "data": data})
