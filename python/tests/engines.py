# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The engines' own classes, without the parts of the engines that need an accelerator or torch 2.

The tests use the packages' real modules, by `needed`. Modules that these import,
but that the tests do not touch, are stand-ins here, and only where the real ones cannot be imported. Tried
with Debian's torch 1.13 in a virtual environment with --system-site-packages, ``pip install --no-deps
vllm==0.33.0 sglang==0.5.23 lmcache==0.5.6`` and what their pure parts import: msgspec, pyzmq, pydantic,
cbor2, xxhash, cachetools, cloudpickle, prometheus_client, psutil, regex, packaging.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

#: Modules of each engine that the tests do not need, and that would load the rest of the engine.
_LEFT_OUT = {
    "vllm": (
        "torch.distributed._functional_collectives",
        "vllm.distributed",
        "vllm.utils.torch_utils",
        "vllm.config",
        "vllm.v1.attention.backend",
        "vllm.v1.outputs",
        "vllm.v1.core.sched.output",
        "vllm.v1.request",
        "vllm.v1.utils",
        "vllm.v1.metrics.stats",
        "vllm.forward_context",
        "vllm.multimodal",
        "vllm.multimodal.utils",
        "vllm.compilation",
        "vllm.compilation.cuda_graph",
        "vllm.v1.kv_offload.cpu.shared_offload_region",
    ),
    "sglang": (
        "sglang",
        "sglang.srt",
        "sglang.srt.utils",
        "sglang.srt.utils.common",
        "sglang.srt.observability.utils",
        "sglang.srt.disaggregation.utils",
        "sglang.srt.model_executor.forward_batch_info",
        "sglang.srt.runtime_context",
        "sglang.srt.server_args",
        "sglang.srt.observability.scheduler_stage_metrics",
    ),
    "lmcache": (
        "lmcache",
        "lmcache.lmcache_native",
        "lmcache.v1",
        "lmcache.v1.distributed.l2_adapters",
        "lmcache.usage_telemetry",
        "lmcache.v1.memory_management",
    ),
}


class StandIn(ModuleType):
    """A module with a class that does nothing for every name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        kind = type(
            name,
            (),
            {"__class_getitem__": classmethod(lambda cls, _: cls), "__init__": lambda self, *_, **__: None},
        )
        setattr(self, name, kind)
        return kind


def needed(engine: str, *modules: str) -> list[Any]:
    """Real modules of an engine; skips the test where the engine or torch is not installed."""
    pytest.importorskip("torch", reason="apt-get install python3-torch")
    found = importlib.util.find_spec(engine)
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"pip install --no-deps {engine}")
    root = Path(next(iter(found.submodule_search_locations))).parent
    try:
        return [importlib.import_module(module) for module in modules]
    except ImportError:
        for name in _LEFT_OUT[engine]:
            _stand_in(name, root)
    try:
        return [importlib.import_module(module) for module in modules]
    except ImportError as error:
        pytest.skip(f"{engine} is not importable: {error}")


def _stand_in(name: str, root: Path) -> None:
    if isinstance(sys.modules.get(name), StandIn):
        return
    module, folder = StandIn(name), root.joinpath(*name.split("."))
    module.__spec__ = importlib.machinery.ModuleSpec(name, None, is_package=folder.is_dir())
    if folder.is_dir():
        module.__path__ = [str(folder)]
        module.__spec__.submodule_search_locations = module.__path__
    sys.modules[name] = module
