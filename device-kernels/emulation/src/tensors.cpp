// SPDX-License-Identifier: Apache-2.0 OR MIT
// Checks of every use of a tensor (K4, K5), and scalar accesses.
#include "../include/ascendc/tensor.h"

#include "core.h"
#include "host.h"
#include "order.h"

namespace mf::emulation {
namespace {

// Target of accesses by destructors while the kernel is being unwound.
thread_local uint8_t nowhere[8];

void check_scalar(const char *name, const GlobalRange &tensor, uint64_t at_byte, uint32_t bytes, Site at) {
    if (at_byte % bytes != 0)
        fault("K4", at, "%s: the address %#llx is not a multiple of the element's %u bytes", name, (unsigned long long)at_byte,
              bytes);
    const uint64_t from = at_byte - tensor.buffer_begin;
    if (tensor.buffer_bytes != 0 && (from > tensor.buffer_bytes || bytes > tensor.buffer_bytes - from))
        fault("K5", at, "%s: byte %lld of a global tensor of %llu bytes at %s", name, (long long)from,
              (unsigned long long)tensor.buffer_bytes, name_of(tensor.buffer_begin).c_str());
}

} // namespace

void read_scalar(const GlobalRange &tensor, uint64_t index, uint32_t bytes, void *to, Site at) {
    if (core().leaving) {
        std::memset(to, 0, bytes);
        return;
    }
    const uint64_t from = tensor.address + index * bytes;
    check_scalar("GetValue", tensor, from, bytes, at);
    cached_read(from, to, bytes, "GetValue", at);
}

void write_scalar(const GlobalRange &tensor, uint64_t index, uint32_t bytes, const void *from, Site at) {
    if (core().leaving)
        return;
    const uint64_t to = tensor.address + index * bytes;
    check_scalar("SetValue", tensor, to, bytes, at);
    cached_write(to, from, bytes, "SetValue", at);
}

uint8_t *scalar(const char *name, Mode mode, const LocalRange &tensor, uint64_t index, uint32_t bytes, Site at) {
    if (core().leaving)
        return nowhere;
    if (index > UINT32_MAX / bytes)
        fault("K5", at, "%s: there is no element %llu", name, (unsigned long long)index);
    LocalRange element = tensor;
    element.offset += static_cast<uint32_t>(index) * bytes;
    check_local(name, "the element", element, bytes, bytes, at);
    scalar_access(name, element.access(mode, bytes), at);
    return local(element.space, element.offset);
}

uint8_t *scalar_reference(const LocalRange &tensor, uint64_t index, uint32_t bytes, Site at) {
    Core &here = core();
    if (here.leaving)
        return nowhere;
    if (index > UINT32_MAX / bytes)
        fault("K5", at, "operator(): there is no element %llu", (unsigned long long)index);
    LocalRange element = tensor;
    element.offset += static_cast<uint32_t>(index) * bytes;
    check_local("operator()", "the element", element, bytes, bytes, at);
    settle_references(here);
    const Head head = {Pipe::Scalar, "operator()", at};
    check_bounds(head, element.access(Mode::Read, bytes));
    uint8_t *where = local(element.space, element.offset);
    if (here.order != nullptr) {
        here.order->peek(head, element.access(Mode::Read, bytes));
        Reference reference = {element.access(Mode::Write, bytes), {}, at};
        std::memcpy(reference.before, where, bytes);
        here.references.push_back(reference);
    }
    return where;
}

uint32_t address_of(Space space, uint32_t offset) {
    if (space == Space::Global)
        return offset;
    const uint64_t begin = reinterpret_cast<uint64_t>(local(space, 0));
    return begin <= UINT32_MAX ? static_cast<uint32_t>(begin) + offset : offset;
}

uint32_t offset_of(Space space, uint64_t address) {
    if (space == Space::Global || address < LOWEST_ADDRESS)
        return static_cast<uint32_t>(address);
    const uint64_t begin = reinterpret_cast<uint64_t>(local(space, 0));
    return static_cast<uint32_t>(begin <= UINT32_MAX ? address - begin : address);
}

LocalRange range_of(const AscendC::TBuffAddr &address, const LocalRange &buffer) {
    if (buffer.buffer_end != 0) {
        LocalRange part = buffer;
        part.offset = offset_of(buffer.space, address.bufferAddr);
        return part;
    }
    // Some sources leave the position out: then it is the unified buffer.
    const auto position = static_cast<AscendC::TPosition>(address.logicPos);
    const Space space = position == AscendC::TPosition::GM ? Space::Ub : space_of(position);
    if (address.bufferAddr == 0 && address.dataLen == 0 && address.logicPos == 0)
        return {};
    const uint32_t offset = offset_of(space, address.bufferAddr);
    const uint64_t end = address.dataLen != 0 ? uint64_t{offset} + address.dataLen : local_bytes(space);
    return {space, offset, offset, static_cast<uint32_t>(end < UINT32_MAX ? end : UINT32_MAX)};
}

void check_local(const char *name, const char *what, const LocalRange &tensor, uint64_t bytes, uint32_t alignment, Site at) {
    if (core().leaving)
        return;
    if (tensor.buffer_end == 0)
        fault("K5", at, "%s: %s has no memory: the tensor comes from no queue and no buffer", name, what);
    if (tensor.offset % alignment != 0)
        fault("K4", at, "%s: %s begins at byte %u of local memory, which is not a multiple of %u", name, what, tensor.offset,
              alignment);
    const bool is_before = tensor.offset < tensor.buffer_begin, is_behind = tensor.offset > tensor.buffer_end;
    if (is_before || is_behind || bytes > tensor.buffer_end - tensor.offset)
        fault("K5", at, "%s: %s needs %llu bytes at byte %lld of a buffer of %u bytes", name, what, (unsigned long long)bytes,
              (long long)tensor.offset - tensor.buffer_begin, tensor.buffer_end - tensor.buffer_begin);
}

uint32_t local_offset(Space space, const void *pointer, Site at) {
    const uint64_t value = reinterpret_cast<uint64_t>(pointer), bytes = local_bytes(space);
    if (value < bytes)
        return static_cast<uint32_t>(value);
    const uint64_t begin = reinterpret_cast<uint64_t>(local(space, 0));
    if (value < begin || value >= begin + bytes)
        fault("K5", at, "the pointer %p is not one to %s", pointer, space_name(space));
    return static_cast<uint32_t>(value - begin);
}

uint32_t ub_offset(const void *pointer, Site at) { return local_offset(Space::Ub, pointer, at); }

} // namespace mf::emulation
