// SPDX-License-Identifier: Apache-2.0 OR MIT
// The other forms of DataCopy: what their parameters may be (K6), and which bytes they mean.
#include "../include/ascendc/copy_forms.h"

#include <vector>

#include "blocks.h"

namespace mf::emulation {
namespace {

// The beginnings of a dimension's pieces, in places of it.
std::vector<uint64_t> places_of(const AscendC::SliceInfo &info, uint32_t piece, Site at)
{
    if (info.endIndex < info.startIndex || piece == 0)
        fault("K6", at, "DataCopy: a slice from %u to %u in pieces of %u elements", info.startIndex, info.endIndex, piece);
    const uint64_t places = uint64_t{info.endIndex} - info.startIndex + 1, step = uint64_t{info.stride} + piece;
    if ((places + info.stride) % step != 0)
        fault("K6", at, "DataCopy: %llu places of a slice are not pieces of %u with %u between",
              static_cast<unsigned long long>(places), piece, info.stride);
    std::vector<uint64_t> begins;
    for (uint64_t from = info.startIndex; from <= info.endIndex; from += step) begins.push_back(from);
    return begins;
}

} // namespace

Pieces pieces_of(const AscendC::DataCopyParams &params)
{
    return Pieces(AscendC::DataCopyExtParams(params.blockCount, params.blockLen, params.srcStride, params.dstStride, 0));
}

void check_enhanced(const AscendC::DataCopyEnhancedParams &params, Site at)
{
    if (params.blockMode != AscendC::BlockMode::BLOCK_MODE_NORMAL || params.deqScale != AscendC::DeqScale::DEQ_NONE ||
        params.isRelu || params.padMode != PAD_NONE)
        fault("K6", at, "DataCopy: of DataCopyEnhancedParams there is here BLOCK_MODE_NORMAL alone, without scale, relu and padding");
}

Slice slice_of(const AscendC::SliceInfo infos[], uint32_t dimensions, uint32_t element_bytes, Site at)
{
    if (dimensions < 1 || dimensions > 8) fault("K6", at, "DataCopy: dimValue is %u, must be 1 to 8", dimensions);
    const uint32_t piece = infos[0].burstLen * BLOCK / element_bytes;
    Slice slice = {places_of(infos[0], piece, at), uint64_t{infos[0].burstLen} * BLOCK};
    uint64_t area = infos[0].shapeValue;
    for (uint32_t i = 1; i < dimensions; ++i) {
        if (infos[i].burstLen != 1)
            fault("K6", at, "DataCopy: burstLen of dimension %u is %u, must be 1", i, infos[i].burstLen);
        std::vector<uint64_t> all;
        for (const uint64_t place : places_of(infos[i], 1, at))
            for (const uint64_t inner : slice.offsets) all.push_back(place * area + inner);
        slice.offsets = all;
        area *= infos[i].shapeValue;
    }
    return slice;
}

void check_slices(const Slice &dst, const Slice &src, Site at)
{
    if (dst.offsets.size() != src.offsets.size() || dst.bytes != src.bytes)
        fault("K6", at, "DataCopy: the slices are %zu pieces of %llu bytes and %zu of %llu", dst.offsets.size(),
              static_cast<unsigned long long>(dst.bytes), src.offsets.size(), static_cast<unsigned long long>(src.bytes));
}

void copy_fractals(const GlobalRange &to, const LocalRange &from, const AscendC::Nz2NdParamsFull &params,
                   uint32_t element_bytes, Site at)
{
    const char *const name = "DataCopy (Nz2Nd)";
    if (params.ndNum == 0 || params.nValue == 0 || params.dValue == 0) return;
    if (from.space != Space::Ub) fault("K6", at, "%s: src is not in the unified buffer", name);
    if (params.dValue % SIDE != 0) fault("K6", at, "%s: dValue is %u, must be a multiple of 16", name, params.dValue);
    if (params.srcNStride < params.nValue || params.dstDStride < params.dValue)
        fault("K6", at, "%s: srcNStride is %u and dstDStride %u for %u rows of %u", name, params.srcNStride,
              params.dstDStride, params.nValue, params.dValue);
    const uint32_t columns = params.dValue / SIDE;
    const uint64_t piece = uint64_t{SIDE} * element_bytes, column_step = params.srcNStride * piece;
    const uint64_t row_bytes = uint64_t{params.dValue} * element_bytes;
    const uint64_t row_step = uint64_t{params.dstDStride} * element_bytes;
    const Atomic atomic = atomic_state();
    for (uint32_t matrix = 0; matrix < params.ndNum; ++matrix) {
        LocalRange source = from;
        GlobalRange target = to;
        source.offset += matrix * params.srcNdMatrixStride * SIDE * SIDE * element_bytes;
        target.address += uint64_t{matrix} * params.dstNdMatrixStride * element_bytes;
        check_local(name, "src", source, (columns - 1) * column_step + params.nValue * piece, BLOCK, at);
        perform({Pipe::Mte3, name, at},
                {source.access(Mode::Read, params.nValue * piece, columns, column_step),
                 target.access(atomic.combine == Combine::Set ? Mode::Write : Mode::AtomicWrite, row_bytes, params.nValue,
                               row_step)},
                [=] {
                    std::vector<uint8_t> rows(row_bytes * params.nValue);
                    for (uint32_t row = 0; row < params.nValue; ++row)
                        for (uint32_t column = 0; column < columns; ++column)
                            std::memcpy(&rows[row * row_bytes + column * piece],
                                        local(Space::Ub, source.offset + column * column_step + row * piece), piece);
                    global_write_from(target.address, rows.data(), {params.nValue, row_bytes, row_step, row_bytes},
                                      atomic.combine, atomic.type);
                });
    }
}

Drain drain_of(const AscendC::DataCopyCO12DstParams &p, Site at)
{
    if (p.clipReluPre != 0 || p.eltWiseOp != 0) fault("K6", at, "DataCopy: clipReluPre and eltWiseOp are always 0 here");
    const FixpipeSettings &settings = registers().fixpipe;
    Drain drain = {"DataCopy", DrainedTo::Fractals, p.nSize, p.mSize, p.srcStride, p.dstStride, 1, 0, 0, p.quantPre, 0, {},
                   FactorFrom::None, p.reluPre != 0, p.channelSplit, p.unitFlag};
    if (p.nz2ndEn) {
        drain.to = DrainedTo::Rows;
        drain.matrices = settings.matrices;
        drain.source_matrix = settings.source_step;
        drain.matrix = settings.destination_step;
    }
    if (multiplies(p.quantPre)) {
        drain.from = FactorFrom::Number;
        drain.factor = settings.factor;
    }
    if (multiplies_columns(p.quantPre) && settings.has_table) drain.from = FactorFrom::Settings;
    return drain;
}

} // namespace mf::emulation
