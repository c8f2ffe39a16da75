// SPDX-License-Identifier: Apache-2.0 OR MIT
// Vector instructions: their limits, the memory that they touch, and the arithmetic on it.
#include "vector.h"

#include <algorithm>
#include <cinttypes>
#include <utility>
#include <vector>

#include "../include/ascendc/types.h"
#include "operand.h"

namespace mf::emulation {
namespace {

constexpr uint32_t BLOCK_BYTES = 32;
constexpr uint32_t REPEAT_BYTES = 256;
constexpr uint32_t GROUPS = REPEAT_BYTES / BLOCK_BYTES; // of a repeat: the blocks of its widest operand
constexpr uint32_t OPERANDS = 4; // one that is read and written counts twice

// Operation on a run of elements: `at` are the operands' addresses, in their order.
using Body = std::function<void(uint8_t *const at[OPERANDS], size_t count)>;

void check_core(const Call &call) {
    if (!place().is_vector)
        fault("K17", call.at, "%s: this is a cube core, which has no vector unit; guard it by ASCEND_IS_AIV",
              call.name);
}

void check_operand(const Call &call, const Operand &operand, uint64_t bytes) {
    if (operand.range.space != Space::Ub)
        fault("K6", call.at, "%s: %s is not in the unified buffer", call.name, operand.what);
    check_local(call.name, operand.what, operand.range, bytes, BLOCK_BYTES, call.at);
}

// The first operand is the destination.
void check_overlap(const Call &call, const Operand &dst, uint64_t dst_bytes, const Operand &src, uint64_t src_bytes) {
    const uint64_t d = dst.range.offset, s = src.range.offset;
    // In place, also into smaller elements: no element is written before the last read of its bytes.
    const bool is_in_place = d == s && dst.size() <= src.size();
    if (is_in_place || d + dst_bytes <= s || s + src_bytes <= d) return;
    fault("K6", call.at,
          "%s: %s (bytes %" PRIu64 " to %" PRIu64 " of the unified buffer) overlaps %s (bytes %" PRIu64 " to %" PRIu64
          ")",
          call.name, dst.what, d, d + dst_bytes, src.what, s, s + src_bytes);
}

void run_count(const Call &call, std::initializer_list<Operand> operands, int64_t count, Body body) {
    check_core(call);
    if (count < 0) fault("K6", call.at, "%s: count is %" PRId64 ", must be 0 or more", call.name, count);
    if (count == 0) return;
    Access accesses[OPERANDS];
    LocalRange ranges[OPERANDS];
    size_t used = 0;
    for (const Operand &operand : operands) {
        const uint64_t bytes = static_cast<uint64_t>(count) * operand.size();
        check_operand(call, operand, bytes);
        if (used > 0)
            check_overlap(call, *operands.begin(), static_cast<uint64_t>(count) * operands.begin()->size(), operand,
                          bytes);
        ranges[used] = operand.range;
        accesses[used++] = operand.range.access(operand.mode, bytes);
    }
    const auto work = [=] {
        uint8_t *at[OPERANDS] = {};
        for (size_t i = 0; i < used; ++i) at[i] = local(Space::Ub, ranges[i].offset);
        body(at, static_cast<size_t>(count));
    };
    const Head head = {Pipe::Vector, call.name, call.at};
    // Sources first: what only this instruction writes was not written when it reads.
    if (used == 1)
        perform(head, {accesses[0]}, work);
    else if (used == 2)
        perform(head, {accesses[1], accesses[0]}, work);
    else if (used == 3)
        perform(head, {accesses[1], accesses[2], accesses[0]}, work);
    else
        perform(head, {accesses[1], accesses[2], accesses[3], accesses[0]}, work);
}

// Mask form, ready to run. A group is one block of the widest operand: within it every operand is contiguous.
struct Repeated {
    Operand operands[OPERANDS];
    size_t used = 0;
    uint32_t repeat;
    uint32_t group; // elements
    uint64_t mask[2];

    bool is_set(uint32_t element) const { return (mask[element / 64] >> (element % 64) & 1) != 0; }
    uint64_t offset(size_t operand, uint32_t element) const {
        const Operand &o = operands[operand];
        const uint64_t byte = uint64_t{element} * o.size();
        return byte / BLOCK_BYTES * o.strides.block * BLOCK_BYTES + byte % BLOCK_BYTES;
    }
    uint64_t step(size_t operand) const { return uint64_t{operands[operand].strides.repeat} * BLOCK_BYTES; }
};

Repeated checked(const Call &call, std::initializer_list<Operand> operands, Mask mask, uint8_t repeat) {
    check_core(call);
    Repeated all = {};
    uint32_t widest = 2;
    for (const Operand &operand : operands) {
        all.operands[all.used++] = operand;
        widest = std::max(widest, operand.size());
    }
    all.repeat = repeat;
    all.group = BLOCK_BYTES / widest;
    const uint32_t most = REPEAT_BYTES / widest;
    if (mask.is_number) {
        const uint64_t elements = mask.words[0];
        if (elements < 1 || elements > most) {
            fault("K6", call.at, "%s: mask is %" PRIu64 " elements, must be 1 to %u for types of %u bytes", call.name,
                  elements, most, widest);
        }
        all.mask[0] = elements >= 64 ? ~uint64_t{0} : (uint64_t{1} << elements) - 1;
        all.mask[1] = elements <= 64 ? 0 : elements == 128 ? ~uint64_t{0} : (uint64_t{1} << (elements - 64)) - 1;
    } else {
        all.mask[0] = mask.words[0];
        all.mask[1] = mask.was_set && most <= 64 ? 0 : mask.words[1];
        const bool is_beyond = most < 128 && (all.mask[1] != 0 || (most < 64 && all.mask[0] >> most != 0));
        if (is_beyond || (all.mask[0] | all.mask[1]) == 0) {
            fault("K6", call.at, "%s: mask is 0x%" PRIx64 ", 0x%" PRIx64 "; needs 1 to %u bits for types of %u bytes",
                  call.name, all.mask[0], all.mask[1], most, widest);
        }
    }
    return all;
}

void run_each_repeat(const Call &call, const Repeated &all, const Body &body) {
    if (all.repeat == 0) return;
    // For each operand and group, the elements from the first active one to the last; 0 bytes if no element
    // is active.
    Access accesses[OPERANDS * GROUPS];
    for (Access &access : accesses) access = all.operands[0].range.access(Mode::Read, 0, 0);
    for (size_t operand = 0; operand < all.used; ++operand) {
        const Operand &what = all.operands[operand];
        uint64_t end = 0;
        for (uint32_t g = 0; g < GROUPS; ++g) {
            uint32_t first = g * all.group, last = first + all.group;
            while (first < last && !all.is_set(first)) ++first;
            while (last > first && !all.is_set(last - 1)) --last;
            if (first == last) continue;
            const uint64_t begin = all.offset(operand, first), bytes = uint64_t{last - first} * what.size();
            Access access = what.range.access(what.mode, bytes, all.repeat, all.step(operand));
            access.begin += begin;
            accesses[operand * GROUPS + g] = access;
            end = std::max(end, (all.repeat - 1) * all.step(operand) + begin + bytes);
        }
        check_operand(call, what, end);
    }
    const auto work = [=] {
        const uint32_t elements = GROUPS * all.group;
        for (uint32_t r = 0; r < all.repeat; ++r) {
            for (uint32_t first = 0; first < elements;) {
                if (!all.is_set(first)) {
                    ++first;
                    continue;
                }
                const uint32_t group_end = (first / all.group + 1) * all.group;
                uint32_t last = first + 1;
                while (last < group_end && all.is_set(last)) ++last;
                uint8_t *at[OPERANDS] = {};
                for (size_t o = 0; o < all.used; ++o) {
                    at[o] = local(Space::Ub, all.operands[o].range.offset + r * all.step(o) + all.offset(o, first));
                }
                body(at, last - first);
                first = last;
            }
        }
    };
    const Access *a = accesses; // the sources first, see above
    perform({Pipe::Vector, call.name, call.at},
            {a[8],  a[9],  a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23],
             a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31], a[0],  a[1],  a[2],  a[3],  a[4],  a[5],  a[6],  a[7]},
            work);
}

void run_repeated(const Call &call, std::initializer_list<Operand> operands, Mask mask, uint8_t repeat,
                  const Body &body) {
    if (!vector_mask().counts) return run_each_repeat(call, checked(call, operands, mask, repeat), body);
    // The mask is a number of elements, and decides how many repeats there are.
    uint32_t widest = 2;
    for (const Operand &operand : operands) widest = std::max(widest, operand.size());
    const uint64_t most = REPEAT_BYTES / widest, whole = mask.words[0] / most, rest = mask.words[0] % most;
    if (whole > 0) {
        Repeated all = checked(call, operands, Mask::first(most), 1);
        all.repeat = static_cast<uint32_t>(whole);
        run_each_repeat(call, all, body);
    }
    if (rest == 0) return;
    Repeated last = checked(call, operands, Mask::first(rest), 1);
    for (size_t operand = 0; operand < last.used; ++operand)
        last.operands[operand].range.offset += static_cast<uint32_t>(whole * last.step(operand));
    run_each_repeat(call, last, body);
}

Body binary_body(Operation operation, Type type) {
    return [=](uint8_t *const at[], size_t count) { compute(operation, type, at[0], at[1], at[2], count); };
}
Body scalar_body(Operation operation, Type type, uint32_t scalar) {
    return
        [=](uint8_t *const at[], size_t count) { compute_with_scalar(operation, type, at[0], at[1], &scalar, count); };
}
Body fill_body(Type type, uint64_t value) {
    return [=](uint8_t *const at[], size_t count) { fill(at[0], &value, bytes_of(type), count); };
}
Body copy_body(Type type) {
    return [=](uint8_t *const at[], size_t count) { std::memmove(at[0], at[1], count * bytes_of(type)); };
}
Body cast_body(const Call &call, Type to, Type from, Rounding rounding, unsigned modes) {
    static const char *const names[] = {"CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
                                        "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
    const auto mode = static_cast<unsigned>(rounding);
    if (mode > 6) fault("K6", call.at, "%s: no such RoundMode: %u", call.name, mode);
    if ((modes >> mode & 1) == 0)
        fault("K6", call.at, "%s: the conversion between these types has no %s", call.name, names[mode]);
    if (to == Type::F16 && from == Type::I32) {
        // One rounding of the product.
        return [scale = double{registers().deq_scale}](uint8_t *const at[], size_t count) {
            for (size_t i = 0; i < count; ++i) {
                int32_t whole;
                std::memcpy(&whole, at[1] + i * 4, sizeof whole);
                const uint16_t bits = half_bits(float_before_rounding(whole * scale));
                std::memcpy(at[0] + i * 2, &bits, sizeof bits);
            }
        };
    }
    return [=](uint8_t *const at[], size_t count) { convert(to, at[0], from, at[1], rounding, count); };
}

Operand destination(Type type, const LocalRange &range, Strides strides = {1, 8}) {
    return {"dst", Mode::Write, type, range, strides};
}
Operand source(const char *what, Type type, const LocalRange &range, Strides strides = {1, 8}) {
    return {what, Mode::Read, type, range, strides};
}

} // namespace

void vector_elements(Call call, std::initializer_list<Operand> operands, int64_t count, const ElementWork &work) {
    run_count(call, operands, count,
              [=](uint8_t *const at[], size_t elements) { work.run(at, elements, work.parameters); });
}
void vector_elements(Call call, std::initializer_list<Operand> operands, Mask mask, uint8_t repeat,
                     const ElementWork &work) {
    run_repeated(call, operands, mask, repeat,
                 [=](uint8_t *const at[], size_t elements) { work.run(at, elements, work.parameters); });
}

Touched::Touched(const Call &call) : call_(call) { check_core(call); }

Touched &Touched::add(const char *what, Mode mode, const LocalRange &range, uint64_t bytes, uint32_t alignment,
                      uint32_t rows, uint64_t step) {
    if (rows == 0 || bytes == 0) return *this;
    if (range.space != Space::Ub) fault("K6", call_.at, "%s: %s is not in the unified buffer", call_.name, what);
    check_local(call_.name, what, range, (rows - 1) * step + bytes, alignment, call_.at);
    all_.push_back(range.access(mode, bytes, rows, step));
    return *this;
}

Touched &Touched::add(const char *what, Mode mode, const LocalRange &range, Type type, Mask mask, uint32_t repeat,
                      Strides strides) {
    const uint32_t size = bytes_of(type), in_block = BLOCK_BYTES / size;
    const ActiveElements active = active_elements(call_, mask, size);
    for (uint32_t block = 0; block < REPEAT_BYTES / BLOCK_BYTES; ++block) {
        uint32_t first = block * in_block, last = first + in_block;
        while (first < last && !active[first]) ++first;
        while (last > first && !active[last - 1]) --last;
        LocalRange part = range;
        part.offset += static_cast<uint32_t>(element_offset(first, size, 0, strides));
        add(what, mode, part, uint64_t{last - first} * size, size, repeat, uint64_t{strides.repeat} * BLOCK_BYTES);
    }
    return *this;
}

void Touched::run(std::function<void()> work) {
    const Head head = {Pipe::Vector, call_.name, call_.at};
    if (!is_eager()) return issue_all(head, std::move(all_), std::move(work));
    for (const Access &access : all_) check_access(head, access);
    work();
}

ActiveElements active_elements(const Call &call, Mask mask, uint32_t element_bytes) {
    const Operand one = {"dst", Mode::Read, element_bytes == 4 ? Type::U32 : Type::U16, {}};
    if (vector_mask().counts)
        fault("K6", call.at, "%s: there is no counter mode for this call here; say SetMaskNorm() before", call.name);
    const Repeated all = checked(call, {one}, mask, 1);
    return {{all.mask[0], all.mask[1]}};
}

void vector_binary(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src0,
                   const LocalRange &src1, int64_t count) {
    run_count(call, {destination(type, dst), source("src0", type, src0), source("src1", type, src1)}, count,
              binary_body(operation, type));
}
void vector_binary(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src0,
                   const LocalRange &src1, Mask mask, uint8_t repeat, Strides dst_strides, Strides src0_strides,
                   Strides src1_strides) {
    run_repeated(call,
                 {destination(type, dst, dst_strides), source("src0", type, src0, src0_strides),
                  source("src1", type, src1, src1_strides)},
                 mask, repeat, binary_body(operation, type));
}

void vector_scalar(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src,
                   uint32_t scalar, int64_t count) {
    run_count(call, {destination(type, dst), source("src", type, src)}, count, scalar_body(operation, type, scalar));
}
void vector_scalar(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src,
                   uint32_t scalar, Mask mask, uint8_t repeat, Strides dst_strides, Strides src_strides) {
    run_repeated(call, {destination(type, dst, dst_strides), source("src", type, src, src_strides)}, mask, repeat,
                 scalar_body(operation, type, scalar));
}

void vector_fill(Call call, Type type, const LocalRange &dst, uint64_t value, int64_t count) {
    run_count(call, {destination(type, dst)}, count, fill_body(type, value));
}
void vector_fill(Call call, Type type, const LocalRange &dst, uint64_t value, Mask mask, uint8_t repeat,
                 Strides dst_strides) {
    run_repeated(call, {destination(type, dst, dst_strides)}, mask, repeat, fill_body(type, value));
}

void vector_cast(Call call, Type to, const LocalRange &dst, Type from, const LocalRange &src, Rounding rounding,
                 unsigned modes, int64_t count) {
    run_count(call, {destination(to, dst), source("src", from, src)}, count,
              cast_body(call, to, from, rounding, modes));
}
void vector_cast(Call call, Type to, const LocalRange &dst, Type from, const LocalRange &src, Rounding rounding,
                 unsigned modes, Mask mask, uint8_t repeat, Strides dst_strides, Strides src_strides) {
    run_repeated(call, {destination(to, dst, dst_strides), source("src", from, src, src_strides)}, mask, repeat,
                 cast_body(call, to, from, rounding, modes));
}

void vector_copy(Call call, Type type, const LocalRange &dst, const LocalRange &src, int64_t count) {
    run_count(call, {destination(type, dst), source("src", type, src)}, count, copy_body(type));
}
void vector_copy(Call call, Type type, const LocalRange &dst, const LocalRange &src, Mask mask, uint8_t repeat,
                 Strides dst_strides, Strides src_strides) {
    run_repeated(call, {destination(type, dst, dst_strides), source("src", type, src, src_strides)}, mask, repeat,
                 copy_body(type));
}

namespace {

// Returns the index of the element chosen by a reduction: the first of several.
template <typename Value> uint32_t index_of(const Value &value_of, uint32_t count, float chosen) {
    uint32_t index = 0;
    while (index + 1 < count && !(value_of(index) == chosen || (chosen != chosen && value_of(index) != value_of(index)))) ++index;
    return index;
}

uint32_t index_of(Type type, const uint8_t *elements, uint32_t count, const uint8_t *result) {
    if (type == Type::F32) {
        const auto at = [](const uint8_t *from) { return bits_as<float>(*reinterpret_cast<const uint32_t *>(from)); };
        return index_of([&](uint32_t i) { return at(elements + i * 4); }, count, at(result));
    }
    const auto at = [](const uint8_t *from) { return half_value(*reinterpret_cast<const uint16_t *>(from)); };
    return index_of([&](uint32_t i) { return at(elements + i * 2); }, count, at(result));
}

} // namespace

void vector_reduce(Call call, Operation operation, Type type, const LocalRange &dst, const LocalRange &src,
                   const LocalRange &work, int64_t count, bool with_index) {
    check_core(call);
    if (count < 0) fault("K6", call.at, "%s: count is %" PRId64 ", must be 0 or more", call.name, count);
    if (count == 0) return;
    const uint32_t size = bytes_of(type), result_bytes = with_index ? 2 * size : size;
    if (with_index && size == 2 && count > 65536)
        fault("K6", call.at, "%s: count is %" PRId64 ", and an index of a half is at most 65535", call.name, count);
    const uint64_t bytes = static_cast<uint64_t>(count) * size;
    const uint64_t pieces = (bytes + REPEAT_BYTES - 1) / REPEAT_BYTES;
    const uint64_t work_bytes = (pieces * size + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    const Operand to = {"dst", Mode::Write, type, dst}, from = {"src", Mode::Read, type, src},
                  between = {"sharedTmpBuffer", Mode::Write, type, work};
    check_operand(call, to, result_bytes);
    check_operand(call, from, bytes);
    check_operand(call, between, work_bytes);
    if (work.offset < src.offset + bytes && src.offset < work.offset + work_bytes) {
        fault("K6", call.at, "%s: sharedTmpBuffer (%" PRIu64 " bytes) overlaps src", call.name, work_bytes);
    }
    Registers *const extreme = &registers();
    perform({Pipe::Vector, call.name, call.at},
            {src.access(Mode::Read, bytes), work.access(Mode::Write, work_bytes), dst.access(Mode::Write, result_bytes)}, [=] {
                uint8_t result[8] = {};
                const uint8_t *elements = local(Space::Ub, src.offset);
                reduce(operation, type, result, elements, static_cast<size_t>(count));
                if (with_index) {
                    const uint32_t index = index_of(type, elements, static_cast<uint32_t>(count), result);
                    std::memcpy(result + size, &index, size);
                }
                if (operation != Operation::Add) {
                    std::memcpy(&extreme->extreme, result, size);
                    extreme->place = with_index ? index_of(type, elements, static_cast<uint32_t>(count), result) : 0;
                }
                // The hardware leaves the work space undefined: fill it with values that cannot be mistaken
                // for a result.
                std::memset(local(Space::Ub, work.offset), 0xcd, work_bytes);
                std::memcpy(local(Space::Ub, dst.offset), result, result_bytes);
            });
}

} // namespace mf::emulation
