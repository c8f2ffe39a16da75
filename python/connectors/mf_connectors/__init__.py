# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The cache of mf_smem as storage of KV caches for inference engines, which load it by their own plug-in
rules.

``mf_connectors.sglang``
    a storage backend of SGLang's hierarchical cache.
``mf_connectors.vllm``
    a KV connector of vLLM.
``mf_connectors.vllm_tier``
    a secondary tier of vLLM's offloading connector.
``mf_connectors.lmcache``
    an adapter of LMCache's second level.
``mf_connectors.kv_events``
    a publisher of KV-cache events for routers; needs msgspec and pyzmq, and no engine.

Each module of an engine needs that engine when it is imported, and no other. docs/kv-cache.md has the command
lines.
"""

__version__ = "0.2.0"
