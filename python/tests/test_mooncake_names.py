# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Methods of `MooncakeDistributedStore` and `TransferEngine`: names, parameters in their order, and defaults."""

from __future__ import annotations

import inspect
import re

import pytest
from mooncake import engine, store

#: ``_`` stands for a parameter that callers pass by position, ``config`` for a default configuration.
STORE = """
alloc_from_mem_pool(_)
allocate_and_mount_segment(size, protocol='tcp', location='')
batch_get_buffer(_)
batch_get_into(keys, buffer_ptrs, sizes)
batch_get_into_multi_buffer_ranges(keys, all_buffer_ptrs, all_sizes, all_src_offsets)
batch_get_into_multi_buffers(keys, all_buffer_ptrs, all_sizes, prefer_alloc_in_same_node=False)
batch_get_replica_desc(keys)
batch_get_session_end(keys)
batch_get_session_start(keys)
batch_get_tensor(keys)
batch_get_tensor_into(keys, buffer_ptrs, sizes)
batch_get_tensor_into_cuda(keys, tensors_list)
batch_get_tensor_with_parallelism(keys, targets=None)
batch_get_tensor_with_parallelism_into(keys, buffer_ptrs, sizes, targets=None)
batch_get_tensor_with_tp(base_keys, tp_rank=0, tp_size=1)
batch_get_tensor_with_tp_into(base_keys, buffer_ptrs, sizes, tp_rank=0, tp_size=1)
batch_is_exist(keys)
batch_pub_tensor(keys, tensors_list, config=config)
batch_pub_tensor_with_tp(base_keys, tensors_list, config=config, tp_rank=0, tp_size=1, split_dim=0)
batch_put_from(keys, buffer_ptrs, sizes, config=config)
batch_put_from_multi_buffer_ranges(keys, all_buffer_ptrs, all_sizes, all_dst_offsets)
batch_put_from_multi_buffers(keys, all_buffer_ptrs, all_sizes, config=config)
batch_put_session_end(keys)
batch_put_session_revoke(keys)
batch_put_session_start(keys, sizes, config=config)
batch_put_tensor(keys, tensors_list)
batch_put_tensor_from(keys, buffer_ptrs, sizes)
batch_put_tensor_with_parallelism(keys, tensors_list, parallelisms=None, config=config, writer_partitions=None)
batch_put_tensor_with_parallelism_from(keys, buffer_ptrs, sizes, parallelisms=None, config=config, writer_partitions=None)
batch_put_tensor_with_tp(base_keys, tensors_list, tp_rank=0, tp_size=1, split_dim=0)
batch_put_tensor_with_tp_from(base_keys, buffer_ptrs, sizes, tp_rank=0, tp_size=1, split_dim=0)
batch_remove(keys, force=False)
batch_replica_clear(keys, segment_name='')
batch_upsert_from(keys, buffer_ptrs, sizes, config=config)
batch_upsert_pub_tensor(keys, tensors_list, config=config)
batch_upsert_tensor(keys, tensors_list)
batch_upsert_tensor_from(keys, buffer_ptrs, sizes)
batch_upsert_tensor_with_parallelism(keys, tensors_list, parallelisms=None, config=config, writer_partitions=None)
batch_upsert_tensor_with_parallelism_from(keys, buffer_ptrs, sizes, parallelisms=None, config=config, writer_partitions=None)
close()
create_copy_task(key, targets)
create_move_task(key, source, target)
get(_)
get_batch(_)
get_buffer(_)
get_hostname()
get_into(key, buffer_ptr, size)
get_into_ranges(buffer_ptrs, all_keys, all_dst_offsets, all_src_offsets, all_sizes)
get_offload_rpc_read_count()
get_replica_desc(key)
get_size(_)
get_tensor(key)
get_tensor_into(key, buffer_ptr, size)
get_tensor_into_cuda(key, tensor)
get_tensor_with_parallelism(key, target=None)
get_tensor_with_parallelism_into(key, buffer_ptr, size, target=None)
get_tensor_with_tp(key, tp_rank=0, tp_size=1, split_dim=0)
get_tensor_with_tp_into(key, buffer_ptr, size, tp_rank=0, tp_size=1, split_dim=0)
health_check()
init_all(_, _, _)
is_exist(_)
load_tensor_from_safetensor(key=None, file_name)
mount_segment(path, size, offset=0, protocol='tcp', location='')
pub_tensor(key, tensor, config=config)
pub_tensor_with_tp(key, tensor, config=config, tp_rank=0, tp_size=1, split_dim=0)
put(key, value, config=config)
put_batch(keys, values, config=config)
put_from(key, buffer_ptr, size, config=config)
put_from_with_metadata(key, buffer_ptr, metadata_buffer_ptr, size, metadata_size, config=config)
put_parts(key, *args, config=config)
put_tensor(key, tensor)
put_tensor_from(key, buffer_ptr, size)
put_tensor_with_parallelism(key, tensor, parallelism=None, config=config, writer_partition=None)
put_tensor_with_parallelism_from(key, buffer_ptr, size, parallelism=None, config=config, writer_partition=None)
put_tensor_with_tp(key, tensor, tp_rank=0, tp_size=1, split_dim=0)
put_tensor_with_tp_from(key, buffer_ptr, size, tp_rank=0, tp_size=1, split_dim=0)
query_task(task_id)
register_buffer(buffer_ptr, size)
remove(key, force=False)
remove_all(force=False)
remove_by_regex(regex_pattern, force=False)
save_tensor_to_safetensor(key, file_name=None)
setup_dummy(mem_pool_size, local_buffer_size, server_address)
unmount_and_free_segment(segment_ids, grace_period_seconds=0)
unmount_local_disk_segment(grace_period_seconds=0)
unmount_segment(segment_ids, grace_period_seconds=0)
unregister_buffer(buffer_ptr)
upsert(key, value, config=config)
upsert_batch(keys, values, config=config)
upsert_from(key, buffer_ptr, size, config=config)
upsert_parts(key, *args, config=config)
upsert_pub_tensor(key, tensor, config=config)
upsert_tensor(key, tensor)
upsert_tensor_from(key, buffer_ptr, size)
upsert_tensor_with_parallelism(key, tensor, parallelism=None, config=config, writer_partition=None)
upsert_tensor_with_parallelism_from(key, buffer_ptr, size, parallelism=None, config=config, writer_partition=None)
"""

ENGINE = """
allocate_managed_buffer(_)
batch_register_memory(buffer_addresses, capacities, location='*')
batch_transfer_async(target_hostname, buffers, peer_buffer_addresses, lengths, opcode, transport_hint='')
batch_transfer_async_read(target_hostname, buffers, peer_buffer_addresses, lengths, transport_hint='')
batch_transfer_async_write(target_hostname, buffers, peer_buffer_addresses, lengths, transport_hint='')
batch_transfer_sync(target_hostname, buffers, peer_buffer_addresses, lengths, opcode, notify=None, transport_hint='')
batch_transfer_sync_read(target_hostname, buffers, peer_buffer_addresses, lengths, transport_hint='')
batch_transfer_sync_write(target_hostname, buffers, peer_buffer_addresses, lengths, transport_hint='')
batch_unregister_memory(_)
free_managed_buffer(_, _)
get_batch_transfer_status(_)
get_engine()
get_engine_ptr()
get_first_buffer_address(_)
get_local_topology(device_name=None)
get_notifies()
get_rpc_port()
initialize(_, _, _, _)
initialize_ext(_, _, _, _, _)
read_bytes_from_buffer(_, _)
register_memory(buffer_addr, capacity, location='*')
send_probe(peer_server_name)
transfer_check_status(_)
transfer_submit_write(target_hostname, buffer, peer_buffer_address, length, transport_hint='')
transfer_sync(target_hostname, buffer, peer_buffer_address, length, opcode, notify=None, transport_hint='')
transfer_sync_read(target_hostname, buffer, peer_buffer_address, length, transport_hint='')
transfer_sync_write(target_hostname, buffer, peer_buffer_address, length, transport_hint='')
unregister_memory(_)
warmup_efa_segment(segment_name)
write_bytes_to_buffer(_, _, _)
"""

ROWS = [(kind, row) for kind, rows in ((store.MooncakeDistributedStore, STORE), (engine.TransferEngine, ENGINE)) for row in rows.split("\n") if row]

MODULE = """
BufferHandle BufferLease BufferPool Descriptor DiskDescriptor MemoryDescriptor MooncakeDistributedStore MooncakeHostMemAllocator
ObjectDataType ParallelAxis QueryTaskResponse ReadTarget RegisteredBufferLease RegisteredBufferPool ReplicaDescriptor ReplicaStatus
ReplicateConfig SoftPinAction TaskStatus TaskType TensorParallelism bind_to_numa_node get_alloc_func_addr get_free_func_addr
_deserialize_tensor _serialize_tensor _tensor_metadata_size ACTIVATION COMPLETE FAILED GENERAL GRADIENT INITIALIZED KVCACHE METADATA
OPTIMIZER_STATE PENDING PROCESSING REMOVED REPLICA_COPY REPLICA_MOVE SAMPLE SUCCESS TENSOR UNDEFINED UNKNOWN WEIGHT
""".split()


@pytest.mark.parametrize(("kind", "row"), ROWS, ids=[row.partition("(")[0] for _, row in ROWS])
def test_methods_have_their_parameters(kind: type, row: str) -> None:
    name, _, rest = row.partition("(")
    wanted = [one.partition("=") for one in re.split(", ", rest.rstrip(")")) if one]
    found = list(inspect.signature(getattr(kind, name)).parameters.values())[1:]
    assert len(found) == len(wanted)
    for parameter, (label, equals, default) in zip(found, wanted):
        assert label in ("_", parameter.name, f"*{parameter.name}") or parameter.kind is parameter.VAR_POSITIONAL
        if equals:
            known = "config" if isinstance(parameter.default, store.ReplicateConfig) else repr(parameter.default)
            assert known == default


def test_module_has_its_names() -> None:
    assert [name for name in MODULE if not hasattr(store, name)] == []
    exported = vars(store)
    assert exported["FAILED"] is store.TaskStatus.FAILED and exported["PROCESSING"] is store.ReplicaStatus.PROCESSING
