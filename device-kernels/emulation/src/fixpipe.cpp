// SPDX-License-Identifier: Apache-2.0 OR MIT
// Fixpipe: its limits, the memory that it touches, and the work. Formats: ascendc/cube.h.
#include "../include/ascendc/fixpipe.h"

#include <algorithm>
#include <vector>

#include "arithmetic.h"
#include "cube_checks.h"
#include "team.h"

namespace mf::emulation {
namespace {

// A conversion of Fixpipe, with and without a factor.
struct Conversion {
    Type from;
    Type to;
    QuantMode_t plain; // also the one with a factor for all
    QuantMode_t by_column;
    const char *words;
};
constexpr Conversion CONVERSIONS[] = {
    {Type::F32, Type::F32, NoQuant, NoQuant, "NoQuant for a destination of 4 bytes"},
    {Type::I32, Type::I32, NoQuant, NoQuant, "NoQuant for a destination of 4 bytes"},
    {Type::F32, Type::F16, F322F16, F322F16, "F322F16 for a destination of half"},
    {Type::F32, Type::BF16, F322BF16, F322BF16, "F322BF16 for a destination of bfloat16_t"},
    {Type::I32, Type::F16, DEQF16, VDEQF16, "DEQF16 or VDEQF16 from int32_t to half"},
    {Type::F32, Type::I8, QF322B8_PRE, VQF322B8_PRE, "QF322B8_PRE or VQF322B8_PRE from float to bytes"},
    {Type::F32, Type::U8, QF322B8_PRE, VQF322B8_PRE, "QF322B8_PRE or VQF322B8_PRE from float to bytes"},
    {Type::I32, Type::I8, REQ8, VREQ8, "REQ8 or VREQ8 from int32_t to bytes"},
    {Type::I32, Type::U8, REQ8, VREQ8, "REQ8 or VREQ8 from int32_t to bytes"},
    // Of the 950.
    {Type::F32, Type::F32, QF322F32_PRE, VQF322F32_PRE, "QF322F32_PRE"},
    {Type::F32, Type::F16, QF322F16_PRE, VQF322F16_PRE, "QF322F16_PRE"},
    {Type::F32, Type::BF16, QF322BF16_PRE, VQF322BF16_PRE, "QF322BF16_PRE"},
    {Type::I32, Type::BF16, QS322BF16_PRE, VQS322BF16_PRE, "QS322BF16_PRE or VQS322BF16_PRE from int32_t to bfloat16_t"},
};

void check_conversion(const Drain &drain, Type type, Type source_type, Site at)
{
    const char *words = nullptr;
    bool is_known = false;
    for (const Conversion &known : CONVERSIONS) {
        if (known.from != source_type || known.to != type) continue;
        if (words == nullptr) words = known.words;
        is_known = is_known || drain.quant == known.plain || drain.quant == known.by_column;
    }
    if (words != nullptr && !is_known) fault("K6", at, "%s: quantPre must be %s", drain.name, words);
    const bool has_table = drain.from == FactorFrom::Tensor || drain.from == FactorFrom::Settings;
    if (multiplies_columns(static_cast<QuantMode_t>(drain.quant)) != has_table)
        fault("K6", at, "%s: a tensor of factors is for VDEQF16, VREQ8 and VQF322B8_PRE, which need one", drain.name);
    if (drain.from == FactorFrom::Number && drain.factor >> 32 != 0)
        fault("K6", at, "%s: deqScalar is here a float in the low 32 bits, and nothing above", drain.name);
}

float factor_of(uint64_t bits) { return bits_as<float>(static_cast<uint32_t>(bits)); }

// The numbers of a matrix by rows, as they are in CO1.
struct Sums {
    std::vector<float> values;
    Type type;

    Sums(Type of, const LocalRange &src, const Drain &drain) : values(size_t{drain.rows} * drain.columns), type(of)
    {
        for (uint32_t r = 0; r < drain.rows; ++r)
            for (uint32_t q = 0; q < drain.columns; q += SIDE)
                std::memcpy(&values[size_t{r} * drain.columns + q],
                            local(Space::L0c, src.offset + (uint64_t{q} / SIDE * drain.source_step + r) * SUM_ROW),
                            std::min(SIDE, drain.columns - q) * sizeof(float));
    }
    // With a factor they are float from then on.
    void multiply(const Drain &drain, Space space, uint64_t factors)
    {
        if (drain.from == FactorFrom::None) return;
        for (size_t i = 0; i < values.size(); ++i) {
            float factor = factor_of(drain.factor);
            if (drain.from != FactorFrom::Number) {
                uint64_t bits;
                std::memcpy(&bits, local(space, factors + i % drain.columns * sizeof bits), sizeof bits);
                factor = factor_of(bits);
            }
            const double number = type == Type::I32 ? static_cast<double>(bits_as<int32_t>(values[i])) : values[i];
            values[i] = float_before_rounding(number * factor);
        }
        type = Type::F32;
    }
    void drop_negative()
    {
        for (float &number : values)
            if (type == Type::I32 ? bits_as<int32_t>(number) < 0 : number < 0) number = 0;
    }
    std::vector<uint8_t> as(Type to)
    {
        std::vector<uint8_t> bytes(values.size() * bytes_of(to));
        if (to == type)
            std::memcpy(bytes.data(), values.data(), bytes.size());
        else
            convert(to, bytes.data(), type, values.data(), Rounding::NearestEven, values.size());
        return bytes;
    }
};

// Pieces of the destination: as many elements each, `step` bytes from one to the next.
struct Drained {
    uint32_t pieces;
    uint64_t bytes, step;
    uint32_t depth = 0; // elements of a row of a fractal, of the form to fractals
};

Drained target_of(const Drain &drain, uint32_t size)
{
    if (drain.to == DrainedTo::Rows) return {drain.rows, uint64_t{drain.columns} * size, drain.step * size};
    if (drain.to == DrainedTo::Columns) return {drain.columns, uint64_t{drain.rows} * size, drain.step * size};
    const uint32_t depth = size == 4 && !drain.splits ? SIDE : static_cast<uint32_t>(BLOCK) / size;
    return {drain.columns / depth, uint64_t{drain.rows} * depth * size, drain.step * BLOCK, depth};
}

// The bytes of rows in the order of the pieces, one piece behind the other.
std::vector<uint8_t> arranged(const std::vector<uint8_t> &rows, const Drain &drain, const Drained &target, uint32_t size)
{
    if (drain.to == DrainedTo::Rows) return rows;
    std::vector<uint8_t> out(rows.size());
    for (uint32_t r = 0; r < drain.rows; ++r)
        for (uint32_t c = 0; c < drain.columns; ++c) {
            const size_t place = drain.to == DrainedTo::Columns
                                     ? size_t{c} * drain.rows + r
                                     : (size_t{c} / target.depth * drain.rows + r) * target.depth + c % target.depth;
            std::memcpy(&out[place * size], &rows[(size_t{r} * drain.columns + c) * size], size);
        }
    return out;
}

void check_drain(const LocalRange &src, Type type, Type source_type, const Drain &drain, Site at)
{
    const uint32_t side = drain.to != DrainedTo::Fractals ? SIDE : drain.splits ? 8 : bytes_of(type) == 1 ? 32 : SIDE;
    check_range(drain.name, "nSize", drain.columns, 1, 4095, at);
    if (drain.columns % side != 0)
        fault("K6", at, "%s: nSize is %u, must be a multiple of %u", drain.name, drain.columns, side);
    check_range(drain.name, "mSize", drain.rows, 1, drain.to == DrainedTo::Fractals ? 65535 : 8192, at);
    check_range(drain.name, "srcStride", drain.source_step, drain.rows, 65535, at);
    if (drain.splits && (drain.to != DrainedTo::Fractals || bytes_of(type) != 4))
        fault("K6", at, "%s: isChannelSplit is for fractals of 4 bytes", drain.name);
    if (drain.to != DrainedTo::Rows) check_range(drain.name, "ndNum", drain.matrices, 1, 1, at);
    if (drain.unit != 0) check_range(drain.name, "unitFlag", drain.unit, 2, 3, at);
    const Drained target = target_of(drain, bytes_of(type));
    const uint64_t unit = drain.to == DrainedTo::Fractals ? BLOCK : bytes_of(type);
    check_range(drain.name, "dstStride", drain.step, (target.bytes + unit - 1) / unit, UINT32_MAX, at);
    check_conversion(drain, type, source_type, at);
    const uint64_t step = uint64_t{drain.source_step} * SUM_ROW;
    check_local(drain.name, "src", src, (fractals(drain.columns) - 1) * step + uint64_t{drain.rows} * SUM_ROW, 64, at);
}

// One matrix, to `store(bytes, target)`; `accesses` are those of the destination.
template <typename Store>
void drain_matrix(std::vector<Access> accesses, Type type, const LocalRange &src, Type source_type, const Drain &drain,
                  Store store, Site at)
{
    LocalRange factors = drain.factors;
    if (drain.from == FactorFrom::Settings)
        factors = {Space::FixpipeTable, registers().fixpipe.table, 0, static_cast<uint32_t>(local_bytes(Space::FixpipeTable))};
    const bool by_column = drain.from == FactorFrom::Tensor || drain.from == FactorFrom::Settings;
    if (by_column && factors.space != Space::L1 && factors.space != Space::FixpipeTable)
        fault("K6", at, "%s: the factors of the columns must be in L1", drain.name);
    if (by_column) check_local(drain.name, "cbufWorkspace", factors, drain.columns * uint64_t{8}, BLOCK, at);
    const auto work = [=] {
        Sums sums(source_type, src, drain);
        sums.multiply(drain, factors.space, factors.offset);
        if (drain.relu) sums.drop_negative();
        const Drained target = target_of(drain, bytes_of(type));
        store(arranged(sums.as(type), drain, target, bytes_of(type)), target);
    };
    const Access reads = src.access(Mode::Read, uint64_t{drain.rows} * SUM_ROW, fractals(drain.columns),
                                    uint64_t{drain.source_step} * SUM_ROW);
    const Head head = {Pipe::Fix, drain.name, at};
    accesses.push_back(reads);
    if (by_column) accesses.push_back(factors.access(Mode::Read, drain.columns * uint64_t{8}));
    if (!is_eager()) return issue_all(head, std::move(accesses), work);
    for (const Access &access : accesses) check_access(head, access);
    work();
}

// Order by the unit flag, around the matrices.
template <typename Each> void by_unit(const Drain &drain, const Each &each)
{
    UnitFlag &unit = registers().unit;
    if (drain.unit != 0 && unit.is_filled) await(Pipe::Fix, unit.filled);
    for (uint32_t number = 0; number < drain.matrices; ++number) each(number);
    if (drain.unit == 0) return;
    unit.is_emptied = true;
    unit.emptied = moment(Pipe::Fix);
}

// A part of a matrix for one vector core.
struct Share {
    uint32_t vector;
    LocalRange src;
    Drain drain;
};

std::vector<Share> shares_of(const LocalRange &src, const Drain &drain, Site at)
{
    if (drain.halves == 0) return {{drain.vector, src, drain}};
    const bool of_rows = drain.halves == 1;
    const uint32_t whole = of_rows ? drain.rows : drain.columns, unit = of_rows ? 2 : 2 * SIDE;
    if (whole % unit != 0)
        fault("K6", at, "%s: %s is %u, and dualDstCtl halves it: it must be a multiple of %u", drain.name,
              of_rows ? "mSize" : "nSize", whole, unit);
    Share first = {0, src, drain};
    (of_rows ? first.drain.rows : first.drain.columns) = whole / 2;
    Share second = first;
    second.vector = 1;
    const uint64_t rows = of_rows ? whole / 2 : uint64_t{whole} / 2 / SIDE * drain.source_step;
    second.src.offset += static_cast<uint32_t>(rows * SUM_ROW);
    return {first, second};
}

// To vector cores, at the place that `dst` has in their unified buffers. Their own order cannot know of it: a
// flag between the cores makes it.
void drain_to_ub(const LocalRange &dst, Type type, const LocalRange &src, Type source_type, const Drain &drain, Site at)
{
    if (!is_950()) fault("K17", at, "%s: the cube cores of A2 and A3 do not reach the unified buffer; go through global memory", drain.name);
    if (!drain.to_ub) fault("K6", at, "%s: dst is in the unified buffer, and the FixpipeConfig lacks isToUB", drain.name);
    check_place(drain.name, "dst", dst, Space::Ub, at);
    if (!place().is_mixed)
        fault("K17", at, "%s: the kernel has no vector cores, to whose unified buffer it would go; make it a mixed one", drain.name);
    const uint32_t size = bytes_of(type), cores = place().sub_block_count;
    by_unit(drain, [&](uint32_t number) {
        LocalRange from = src, to = dst;
        from.offset += static_cast<uint32_t>(number * drain.source_matrix);
        to.offset += static_cast<uint32_t>(number * drain.matrix * size);
        for (const Share &share : shares_of(from, drain, at)) {
            check_drain(share.src, type, source_type, share.drain, at);
            if (share.vector >= cores)
                fault("K17", at, "%s: to vector core %u of the block, which has %u", drain.name, share.vector, cores);
            const Drained target = target_of(share.drain, size);
            check_local(drain.name, "dst", to, (target.pieces - 1) * target.step + target.bytes, BLOCK, at);
            const uint32_t vector = share.vector;
            drain_matrix(
                {}, type, share.src, source_type, share.drain,
                [=](const std::vector<uint8_t> &bytes, const Drained &pieces) {
                    Core &here = core();
                    const auto memory = here.team->unified_buffer(here.place.block_index, vector);
                    for (uint32_t i = 0; i < pieces.pieces; ++i)
                        std::memcpy(memory->begin() + to.offset + i * pieces.step, &bytes[i * pieces.bytes], pieces.bytes);
                },
                at);
        }
    });
}

bool has_drains_to_ub = false;

} // namespace

bool note_drains_to_ub() { return has_drains_to_ub = true; }
bool drains_reach_ub() { return has_drains_to_ub; }

void cube_drain(const GlobalRange &dst, Type type, const LocalRange &src, Type source_type, const Drain &drain, Site at)
{
    check_cube_core(drain.name, at);
    check_place(drain.name, "src", src, Space::L0c, at);
    if (drain.columns == 0 || drain.rows == 0 || drain.matrices == 0) return;
    const uint32_t size = bytes_of(type), alignment = drain.to == DrainedTo::Fractals ? BLOCK : size;
    if (dst.address % alignment != 0)
        fault("K4", at, "%s: dst is at 0x%llx, must be aligned to %s of %u bytes", drain.name, (unsigned long long)dst.address,
              drain.to == DrainedTo::Fractals ? "blocks" : "its elements", alignment);
    if (drain.to_ub || drain.halves != 0 || drain.vector != 0)
        fault("K6", at, "%s: isToUB, dualDstCtl and subBlockId are for the unified buffer; dst is in global memory", drain.name);
    const Atomic atomic = atomic_state();
    if (atomic.combine != Combine::Set && atomic.type != type)
        fault("K13", at, "%s: the atomic mode is for another type than that of dst", drain.name);
    by_unit(drain, [&](uint32_t number) {
        LocalRange from = src;
        GlobalRange to = dst;
        from.offset += static_cast<uint32_t>(number * drain.source_matrix);
        to.address += number * drain.matrix * size;
        check_drain(from, type, source_type, drain, at);
        const Drained target = target_of(drain, size);
        drain_matrix(
            {to.access(atomic.combine == Combine::Set ? Mode::Write : Mode::AtomicWrite, target.bytes, target.pieces, target.step)},
            type, from, source_type, drain,
            [=](const std::vector<uint8_t> &bytes, const Drained &pieces) {
                global_write_from(to.address, bytes.data(), {pieces.pieces, pieces.bytes, pieces.step, pieces.bytes},
                                  atomic.combine, type);
            },
            at);
    });
}

void cube_drain(const LocalRange &dst, Type type, const LocalRange &src, Type source_type, const Drain &drain, Site at)
{
    check_cube_core(drain.name, at);
    check_place(drain.name, "src", src, Space::L0c, at);
    if (drain.columns == 0 || drain.rows == 0 || drain.matrices == 0) return;
    if (dst.space == Space::Ub || drain.to_ub) return drain_to_ub(dst, type, src, source_type, drain, at);
    check_place(drain.name, "dst", dst, Space::L1, at);
    if (drain.halves != 0 || drain.vector != 0)
        fault("K6", at, "%s: dualDstCtl and subBlockId are for the unified buffer, and must be 0", drain.name);
    const uint32_t size = bytes_of(type);
    by_unit(drain, [&](uint32_t number) {
        LocalRange from = src, to = dst;
        from.offset += static_cast<uint32_t>(number * drain.source_matrix);
        to.offset += static_cast<uint32_t>(number * drain.matrix * size);
        check_drain(from, type, source_type, drain, at);
        const Drained target = target_of(drain, size);
        check_local(drain.name, "dst", to, (target.pieces - 1) * target.step + target.bytes, BLOCK, at);
        drain_matrix(
            {to.access(Mode::Write, target.bytes, target.pieces, target.step)}, type, from, source_type, drain,
            [=](const std::vector<uint8_t> &bytes, const Drained &pieces) {
                for (uint32_t i = 0; i < pieces.pieces; ++i)
                    std::memcpy(local(Space::L1, to.offset + i * pieces.step), &bytes[i * pieces.bytes], pieces.bytes);
            },
            at);
    });
}

} // namespace mf::emulation
