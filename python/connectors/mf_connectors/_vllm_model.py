# SPDX-License-Identifier: Apache-2.0 OR MIT
"""vLLM's configuration, read: the groups of layers, and the prefix of keys, which differs between models,
versions and layouts."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

from ._groups import Group, Kind
from ._shared import prefix

#: Parts of the model's configuration that change values or their bytes.
_MODEL = (
    "model",
    "revision",
    "code_revision",
    "hf_config_path",
    "hf_overrides",
    "quantization",
    "quantization_config",
    "dtype",
    "rope_scaling",
    "rope_theta",
    "override_attention_dtype",
    "model_impl",
)
_CACHE = ("cache_dtype", "mamba_cache_dtype", "mamba_ssm_cache_dtype", "kv_cache_dtype_skip_layers")
_DRAFT = ("model", "revision", "method", "quantization", "num_speculative_tokens")


def key_prefix(vllm_config: Any, kv_cache_config: Any) -> str:
    """Returns the prefix of the keys of all workers of an engine: the model's name, readable, and a digest of
    everything that determines the values of a block and their bytes. The scheduler and all workers find the
    same one: names of layers, which differ between the stages of a pipeline, are no part of it."""
    draft = getattr(vllm_config, "speculative_config", None)
    described = {
        "model": _fields(vllm_config.model_config, _MODEL),
        "weights": _fields(
            getattr(vllm_config, "load_config", None), ("load_format", "model_loader_extra_config")
        ),
        "cache": _fields(vllm_config.cache_config, _CACHE),
        "draft": None if draft is None else _fields(draft, _DRAFT),
        "layout": getattr(kv_cache_config, "kv_cache_layout", None),
        "hash_tokens": hash_tokens(kv_cache_config),
        "groups": [
            [group.index, group.block_tokens, group.kind.value, group.reach, group.peeks, group.handed_over]
            for group in groups_of(vllm_config, kv_cache_config)
        ],
    }
    text = json.dumps(described, sort_keys=True, default=_text)
    return prefix("vllm", vllm_config.model_config.model, hashlib.sha256(text.encode()).hexdigest()[:32])


def hash_tokens(kv_cache_config: Any) -> int:
    """Returns the tokens of a hashed block, which divide the blocks of all groups."""
    stated: int | None = getattr(kv_cache_config, "hash_block_size", None)
    return stated or math.gcd(
        *(group.kv_cache_spec.block_size for group in _cacheable(kv_cache_config).values())
    )


def groups_of(vllm_config: Any, kv_cache_config: Any) -> list[Group]:
    """Returns the groups with blocks found by hash. Raises `ValueError` for layers that cannot be restored."""
    parallel = vllm_config.parallel_config
    for name in ("decode_context_parallel_size", "prefill_context_parallel_size"):
        if getattr(parallel, name, 1) > 1:
            raise ValueError(f"mf_connectors: {name} must be 1, and is {getattr(parallel, name)}")
    cacheable = _cacheable(kv_cache_config)
    if not cacheable:
        raise ValueError("mf_connectors: no group of layers can be cached by prefix")
    draft = getattr(vllm_config, "speculative_config", None)
    drafts = draft is not None and getattr(draft, "use_eagle_block_drop", lambda: False)()
    marked = any(group.is_eagle_group for group in cacheable.values())
    return [
        _group(index, group.kv_cache_spec, group.is_eagle_group or (drafts and not marked))
        for index, group in cacheable.items()
    ]


def _cacheable(kv_cache_config: Any) -> dict[int, Any]:
    groups = kv_cache_config.kv_cache_groups
    return {
        index: group
        for index, group in enumerate(groups)
        if getattr(group, "enable_kv_transfer", True)
        and getattr(group.kv_cache_spec, "prefix_cacheable", True)
    }


def _group(index: int, spec: Any, peeks: bool) -> Group:
    from vllm.v1.kv_cache_interface import (
        ChunkedLocalAttentionSpec,
        FullAttentionSpec,
        MambaSpec,
        SlidingWindowSpec,
        UniformTypeKVCacheSpecs,
        get_kv_cache_spec_kind,
    )

    word = get_kv_cache_spec_kind(spec).value
    one = next(iter(spec.kv_cache_specs.values())) if isinstance(spec, UniformTypeKVCacheSpecs) else spec
    tokens = spec.block_size
    if isinstance(one, MambaSpec):
        if one.mamba_cache_mode not in ("align", "all"):
            raise ValueError(
                f"mf_connectors: states of group {index} are not kept at the ends of blocks "
                f"(mamba_cache_mode {one.mamba_cache_mode!r}); start with --enable-prefix-caching "
                "--mamba-cache-mode align"
            )
        return Group(index, tokens, Kind.STATE, handed_over=one.mamba_cache_mode == "align", word=word)
    if isinstance(one, SlidingWindowSpec):
        reach = one.sliding_window - 1 + one.extra_retained_tokens
        return Group(index, tokens, Kind.WINDOW, reach, peeks, word=word)
    if isinstance(one, ChunkedLocalAttentionSpec):
        return Group(index, tokens, Kind.CHUNK, one.attention_chunk_size, peeks, word=word)
    if isinstance(one, FullAttentionSpec):
        return Group(index, tokens, Kind.FULL, 0, peeks, word=word)
    raise ValueError(f"mf_connectors: layers of group {index} ({type(one).__name__}) cannot be restored")


def _fields(config: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Returns the named parts of a configuration that it has and that are set."""
    found = {name: getattr(config, name, None) for name in names}
    return {name: value for name, value in found.items() if value not in (None, "", {})}


def _text(value: Any) -> str:
    """Returns a text for a value unknown to JSON: the same in every process, so no address of an object."""
    if isinstance(value, (set, frozenset)):
        return json.dumps(sorted(str(item) for item in value))
    if callable(value):
        return (
            f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"
        )
    if hasattr(value, "__dict__") and "__repr__" not in vars(type(value)):
        return f"{type(value).__qualname__} {json.dumps(vars(value), sort_keys=True, default=_text)}"
    return str(value)
