# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Every name of the package `shmem` that a release of the original has, or was announced, with its arguments."""

from __future__ import annotations

import inspect
import itertools
import pydoc
from types import ModuleType
from typing import Any

import pytest

import shmem
import shmem._pyshmem
import shmem.core
import shmem.core.direct
import shmem.core.utils

TYPES = "float double int8 int16 int32 int64 uint8 uint16 uint32 uint64 char".split()
#: Types with wait functions.
WAITED = [name for name in TYPES if name != "double"]
WIDTHS = "8 16 32 64 128".split()

#: NAME(argument, …) a line; "=" and a value: it may be left out, and is that then.
TOP_LEVEL = """
aclshmem_init(attributes)
aclshmem_get_unique_id()
aclshmem_init_using_unique_id(mype, npes, mem_size, uid)
aclshmem_finalize()
aclshmem_finialize()
aclshmem_malloc(size)
aclshmem_calloc(nmemb, size)
aclshmem_align(alignment, size)
aclshmem_free(ptr)
aclshmem_ptr(ptr, peer)
aclshmemx_get_heap_base(mem_type=None)
my_pe(team=None)
pe_count(team=None)
team_my_pe(team_id)
team_n_pes(team_id)
team_split_strided(parent, start, stride, size)
team_split_2d(parent, x_range)
team_translate_pe(src_team, src_pe, dest_team)
team_destroy(team)
aclshmem_team_get_config(team)
set_conf_store_tls(enable, tls_info)
set_conf_store_tls_key(tls_pk, tls_pk_pw, py_decrypt_func=None)
set_log_level(level)
set_extern_logger(func)
get_ffts_config()
aclshmem_global_exit(status)
aclshmem_putmem(dst, src, elem_size, pe)
aclshmem_putmem_nbi(dst, src, elem_size, pe)
aclshmem_getmem(dst, src, elem_size, pe)
aclshmem_getmem_nbi(dst, src, elem_size, pe)
aclshmemx_putmem_signal(dst, src, elem_size, sig, signal, sig_op, pe)
aclshmemx_putmem_signal_nbi(dst, src, elem_size, sig, signal, sig_op, pe)
aclshmem_signal_wait_until(sig_addr, cmp, cmp_val)
aclshmem_info_get_version()
aclshmem_info_get_name()
aclshmemx_init_status()
aclshmem_create_tensor(shape, dtype=None, device_id=0)
aclshmem_free_tensor(tensor)
"""

NATIVE = """
aclshmemx_finalize(instance_id)
aclshmemx_putmem_on_stream(dst, src, elem_size, pe, stream)
aclshmemx_getmem_on_stream(dst, src, elem_size, pe, stream)
aclshmemx_signal_op_on_stream(sig_addr, signal, sig_op, pe, stream)
aclshmemx_signal_wait_until_on_stream(sig_addr, cmp, cmp_val, stream)
aclshmemx_quiet_on_stream(stream)
"""

TYPED = """
aclshmem_NAME_p(dst, value, pe)
aclshmem_NAME_g(src, pe)
aclshmem_NAME_put(dest, source, nelems, pe)
aclshmem_NAME_put_nbi(dest, source, nelems, pe)
aclshmem_NAME_get(dest, source, nelems, pe)
aclshmem_NAME_get_nbi(dest, source, nelems, pe)
aclshmem_NAME_iput(dest, source, dst, sst, nelems, pe)
aclshmem_NAME_iget(dest, source, dst, sst, nelems, pe)
aclshmem_NAME_put_signal(dst, src, elem_size, sig, signal, sig_op, pe)
aclshmem_NAME_put_signal_nbi(dst, src, elem_size, sig, signal, sig_op, pe)
shmem_NAME_p(dst, value, pe)
shmem_NAME_g(src, pe)
"""

BY_WIDTH = """
aclshmem_putNAME(dst, src, elem_size, pe)
aclshmem_putNAME_nbi(dst, src, elem_size, pe)
aclshmem_getNAME(dst, src, elem_size, pe)
aclshmem_getNAME_nbi(dst, src, elem_size, pe)
aclshmem_iputNAME(dest, source, dst, sst, nelems, pe)
aclshmem_igetNAME(dest, source, dst, sst, nelems, pe)
aclshmemx_putNAME_signal(dst, src, nelems, sig, signal, sig_op, pe)
aclshmemx_putNAME_signal_nbi(dst, src, nelems, sig, signal, sig_op, pe)
"""

WAITS = """
aclshmem_NAME_wait(ivar, cmp_value)
aclshmem_NAME_wait_until(ivar, cmp, cmp_value)
aclshmem_NAME_wait_until_all(ivars, nelems, status, cmp, cmp_value)
aclshmem_NAME_wait_until_any(ivars, nelems, status, cmp, cmp_value, res_out)
aclshmem_NAME_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value, res_out)
aclshmem_NAME_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values)
aclshmem_NAME_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values, res_out)
aclshmem_NAME_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values, res_out)
aclshmem_NAME_test(ivars, cmp, cmp_value, res_out)
aclshmem_NAME_test_any(ivars, nelems, status, cmp, cmp_value, res_out)
aclshmem_NAME_test_some(ivars, nelems, indices, status, cmp, cmp_value, res_out)
aclshmem_NAME_test_all_vector(ivars, nelems, status, cmp, cmp_values, res_out)
aclshmem_NAME_test_any_vector(ivars, nelems, status, cmp, cmp_values, res_out)
aclshmem_NAME_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values, res_out)
"""

FIRST_RELEASES = """
shmem_init(attributes)
shmem_finialize()
shmem_get_unique_id()
get_unique_id()
shmem_init_using_unique_id(mype, npes, mem_size, uid)
shmem_malloc(size)
shmem_calloc(nmemb, size)
shmem_align(alignment, size)
shmem_free(ptr)
shmem_ptr(ptr, peer)
shmem_set_attributes(my_rank, n_ranks, local_mem_size, ip_port, attributes)
shmem_set_data_op_engine_type(attributes, vaue, value=None)
shmem_set_timeout(attributes, vaue, value=None)
mte_set_ub_params(offset, size, event)
shmem_putmem(dst, src, elem_size, pe)
shmem_putmem_nbi(dst, src, elem_size, pe)
shmem_getmem(dst, src, elem_size, pe)
shmem_getmem_nbi(dst, src, elem_size, pe)
shmem_putmem_signal(dst, src, elem_size, sig, signal, sig_op, pe)
shmem_putmem_signal_nbi(dst, src, elem_size, sig, signal, sig_op, pe)
shmem_global_exit(status)
shmem_info_get_version()
shmem_info_get_name()
shmem_init_status()
shmem_team_get_config(team)
aclshmem_set_attributes(my_rank, n_ranks, local_mem_size, ip_port, attributes)
aclshmemx_set_data_op_engine_type(attributes, vaue, value=None)
aclshmemx_set_timeout(attributes, vaue, value=None)
"""

ANNOUNCED = """
set_attr_uniqueid_args(rank, nranks, mem_size, uid, attr)
instance_ctx_get()
instance_ctx_set(id)
aclshmemx_malloc(size, mem_type=None)
aclshmemx_calloc(count, size, mem_type=None)
aclshmemx_align(alignment, size, mem_type=None)
aclshmemx_free(ptr, mem_type=None)
set_mte_config(offset, ub_size, sync_id)
set_sdma_config(offset, ub_size, sync_id)
set_rdma_config(offset, ub_size, sync_id)
set_udma_config(offset, ub_size, sync_id)
aclshmem_barrier(team)
barrier_all()
aclshmem_barrier_all()
sync(team)
sync_all()
aclshmemx_barrier_on_stream(team, stream)
barrier_all_on_stream(stream)
aclshmemx_barrier_all_on_stream(stream)
aclshmemx_handle_wait(handle, stream)
aclshmemx_get_prof(out, verbose)
show_prof()
aclshmemx_set_qp_num(engine, qp_num)
aclshmemx_init_attr(bootstrap_flags, attributes)
aclshmemx_instance_ctx_get()
aclshmemx_instance_ctx_set(id)
"""

CORE = """
get_version()
get_unique_id(empty=False)
init(device=None, uid=None, rank=None, nranks=None, mpi_comm=None, initializer_method='', mem_size=None, instance_id=0)
finalize(instance_id=None)
buffer(size, release=False, except_on_del=True, mem_type=<MemType.DEVICE_SIDE: 1>)
calloc(count, size, mem_type=<MemType.DEVICE_SIDE: 1>)
align(alignment, size, mem_type=<MemType.DEVICE_SIDE: 1>)
free(buf)
get_peer_buffer(buf, pe)
put(dst, src, remote_pe, stream=None)
get(dst, src, remote_pe, stream=None)
put_signal(dst, src, signal_var, signal_val, signal_operation, remote_pe, stream=None)
signal_op(signal_var, signal_val, signal_operation, remote_pe, stream=None)
signal_wait(signal_var, signal_val, comparison, stream)
quiet(stream)
barrier_all_on_stream(stream)
current_instance()
set_instance(id)
multi_instance(id)
set_mte_config(offset, ub_size, sync_id)
set_sdma_config(offset, ub_size, sync_id)
set_rdma_config(offset, ub_size, sync_id)
set_udma_config(offset, ub_size, sync_id)
get_prof(verbose=False)
show_prof()
barrier(team)
barrier_all()
sync(team)
sync_all()
barrier_on_stream(team, stream)
handle_wait(handle, stream)
ctx_get()
ctx_set(id)
instance_ctx_get()
instance_ctx_set(id)
malloc(size, mem_type=None)
"""

DIRECT = """
my_pe(team=None)
n_pes()
team_my_pe(team_id)
team_n_pes(team_id)
init_status()
"""

UTILS = """
Buffer(addr, length, mem_type=<MemType.DEVICE_SIDE: 1>)
AclshmemError(msg)
AclshmemInvalid(msg)
setup_aclshmem_logger(log_level='ERROR', log_file_path=None)
"""


def lines(text: str, names: list[str] | None = None) -> list[str]:
    """The lines, each for each of the names."""
    found = [line for line in text.splitlines() if line]
    return found if names is None else [line.replace("NAME", name) for line, name in itertools.product(found, names)]


EVERYWHERE = [
    *lines(TOP_LEVEL), *lines(NATIVE), *lines(TYPED, TYPES), *lines(BY_WIDTH, WIDTHS), *lines(WAITS, WAITED),
    *lines(FIRST_RELEASES), *lines(ANNOUNCED),
]
TABLE: list[tuple[ModuleType, str]] = [
    (module, line)
    for module, all_lines in (
        (shmem, EVERYWHERE), (shmem._pyshmem, EVERYWHERE), (shmem.core, lines(CORE)), (shmem.core.direct, lines(DIRECT)),
        (shmem.core.utils, lines(UTILS)),
    )
    for line in all_lines
]

#: Enums and records, with their members or fields.
CLASSES: list[tuple[Any, str]] = [
    (shmem.InitStatus, "NOT_INITIALIZED=0 SHM_CREATED=1 INITIALIZED=2 INVALID=2147483647"),
    (shmem.OpEngineType, "MTE=1 SDMA=2 ROCE=4 UDMA=8"),
    (shmem.SignalOp, "SIGNAL_SET=0 SIGNAL_ADD=1"),
    (shmem.CmpOp, "CMP_EQ=0 CMP_NE=1 CMP_GT=2 CMP_GE=3 CMP_LT=4 CMP_LE=5"),
    (shmem.MemType, "HOST_SIDE=0 DEVICE_SIDE=1"),
    (shmem.InitMode, "DEFAULT=1 MPI=2 UNIQUEID=8"),
]
RECORDS: list[tuple[Any, str]] = [
    (shmem.InitAttr(), "my_rank n_ranks ip_port local_mem_size option_attr instance_id=0"),
    (
        shmem.OptionalAttr(),
        "version data_op_engine_type=1 shm_init_timeout=120 shm_create_timeout=120 control_operation_timeout=120 sockFd=-1",
    ),
    (shmem.TeamConfig(), "num_contexts"),
    (shmem.UniqueId(), "version my_pe n_pes internal"),
    (shmem.Handle(), "team_id"),
]


def difference(module: ModuleType, line: str) -> str | None:
    """Defect of a function, or None."""
    name, _, arguments = line.rstrip(")").partition("(")
    function = getattr(module, name, None)
    if not callable(function):
        return f"{module.__name__}.{name} is missing"
    have = inspect.signature(function).parameters
    wanted = [argument for argument in arguments.split(", ") if argument]
    for place, argument in itertools.zip_longest(have.values(), wanted):
        if place is None:
            return f"{module.__name__}.{line}: there is no argument {argument}"
        if argument is None:
            if place.default is inspect.Parameter.empty:
                return f"{module.__name__}.{line}: {place.name} is asked for as well"
            continue
        name, has_value, value = argument.partition("=")
        if place.name != name:
            return f"{module.__name__}.{line}: {place.name} is in the place of {name}"
        if has_value and repr(place.default) != value:
            return f"{module.__name__}.{line}: {name} is {place.default!r}"
    return None


def test_every_function_has_its_arguments() -> None:
    assert len(TABLE) > 700
    wrong = [text for module, line in TABLE if (text := difference(module, line)) is not None]
    assert not wrong, "\n".join(wrong)


def test_table_finds_differing_signatures() -> None:
    assert "missing" in str(difference(shmem, "aclshmem_nothing(size)"))
    assert "no argument more" in str(difference(shmem, "aclshmem_malloc(size, more)"))
    assert "in the place of bytes" in str(difference(shmem, "aclshmem_malloc(bytes)"))
    assert "asked for as well" in str(difference(shmem, "aclshmem_putmem(dst, src, elem_size)"))
    assert "is None" in str(difference(shmem, "aclshmemx_malloc(size, mem_type=1)"))


@pytest.mark.parametrize(("kind", "members"), CLASSES, ids=lambda value: getattr(value, "__name__", ""))
def test_enums_have_their_numbers(kind: Any, members: str) -> None:
    wanted = dict(member.split("=") for member in members.split())
    assert {member.name: str(int(member)) for member in kind} == wanted


@pytest.mark.parametrize(("record", "fields"), RECORDS, ids=lambda value: type(value).__name__)
def test_records_have_their_fields(record: Any, fields: str) -> None:
    for field in fields.split():
        name, has_value, value = field.partition("=")
        assert hasattr(record, name), name
        assert not has_value or str(int(getattr(record, name))) == value, name


def test_core_exports_its_classes() -> None:
    core = shmem.core
    assert core.UniqueID is shmem.UniqueId and core.direct.ComparisonType is shmem.CmpOp
    assert core.direct.SignalOp is shmem.SignalOp and core.direct.InitStatus is shmem.InitStatus
    assert core.Handle is shmem.Handle and core.MemType is shmem.MemType and core.ProfData is shmem.ProfData
    assert core.InstanceContext is shmem.InstanceContext and shmem._pyshmem.InitMode is shmem.InitMode
    assert (core.ACLSHMEM_TEAM_WORLD, core.ACLSHMEM_TEAM_INVALID, core.ACLSHMEM_MAX_TEAMS) == (0, -1, 2048)
    assert core.Buffer(64, 8) == core.Buffer(64, 8) != core.Buffer(64, 9)
    assert core.Buffer(64, 8) != core.Buffer(64, 8, core.MemType.HOST_SIDE)
    for wrong in ((-1, 8), (64, 0)):
        with pytest.raises(ValueError, match="negative|at least one byte"):
            core.Buffer(*wrong)
    assert core.AclshmemInvalid("what").msg == "what"


def test_functions_show_their_arguments_to_help() -> None:
    assert "elem_size" in str(inspect.signature(shmem.aclshmem_putmem))
    assert "attributes" in pydoc.render_doc(shmem.aclshmem_init)
