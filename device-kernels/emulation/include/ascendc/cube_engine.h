// SPDX-License-Identifier: Apache-2.0 OR MIT
// Engine functions of the cube core's calls. Their parameters are alike on all products, because the engine
// is compiled once for all.
#pragma once

#include "tensor.h"
#include "types.h"

namespace mf::emulation {

// Matrices to NZ. `rows` and `columns` count the result; turned: in the source its rows are columns. The rest
// of the last 32 bytes of a row is filled with 0.
struct ToFractals {
    const char *name;
    uint32_t matrices;
    uint32_t rows;
    uint32_t columns;
    uint64_t matrix_step;   // in the source, in elements
    uint64_t source_step;   // from a row (turned: a column) of the source to the next, in elements
    uint32_t column_stride; // from a column of fractals to the next, in blocks of 32 bytes
    uint32_t row_stride;    // from a row to the next, in blocks of 32 bytes
    uint64_t matrix_stride; // in elements
    bool is_turned = false;
};
void cube_load(const LocalRange &dst, const GlobalRange &src, uint32_t size, const ToFractals &how, Site at);

// Fractals of L1 or global memory, `source_step` from one to the next.
struct FractalRow {
    uint32_t first, count, source_step;
    uint32_t gap; // between two in the destination
    bool transpose;
};
void cube_fractals(const LocalRange &dst, const LocalRange &src, uint32_t size, const FractalRow &row, Site at);
void cube_fractals(const LocalRange &dst, const GlobalRange &src, uint32_t size, const FractalRow &row, Site at);

// A part of a matrix in NZ in L1: fractals, as many from a column of fractals to the next.
struct MatrixPart {
    uint32_t row, column, rows, columns; // in fractals of the source
    uint32_t source_step, step;
    bool transpose;
};
void cube_matrix(const LocalRange &dst, const LocalRange &src, uint32_t size, const MatrixPart &part, Site at);

// Scales of a factor in L0A or L0B, out of L1: fractals of 32 bytes with 16 rows (of B: columns) and 2 scales
// along k, each of 32 elements. They go to as many sixteenths of the factor's address in their own memory.
struct ScalePart {
    uint32_t row, place;      // the first: fractals down, fractals along k
    uint32_t rows, places;
    uint32_t source_step, step; // from a row of fractals to the next, in fractals
};
void cube_scales(const LocalRange &factor, const LocalRange &src, const ScalePart &part, Site at);

// Elements of a factor: a type, or a format of fewer bits.
enum class Format : uint8_t { OfType, E4m3, E5m2, E2m1, E1m2 };
struct Factor {
    Type type;
    Format format = Format::OfType;

    uint32_t bits() const {
        return format == Format::E2m1 || format == Format::E1m2 ? 4 : format != Format::OfType ? 8 : bytes_of(type) * 8;
    }
    // Elements of a row of a fractal.
    uint32_t depth() const { return 256 / bits(); }
};

// Initial value of the sums of a product.
enum class SumsFrom : uint8_t { Zero, Sums, Table };
struct Product {
    Factor left;
    Factor right;
    uint32_t m, n, k;
    SumsFrom from;
    bool is_vector; // A is one row without fractals
    uint8_t unit;
    bool is_scaled = false; // by cube_scales
};
void cube_multiply(const LocalRange &c, const LocalRange &a, const LocalRange &b, const LocalRange &bias,
                   const Product &product, Site at);

// Parts of L1 to the bias table, or to the buffer of Fixpipe.
struct TableCopy {
    uint32_t count;
    uint64_t bytes, source_gap, destination_gap;
    Type from, to; // the bias table converts
};
void cube_table(const LocalRange &dst, const LocalRange &src, const TableCopy &copy, Site at);

enum class DrainedTo : uint8_t { Fractals, Rows, Columns };
// The numbers that Fixpipe multiplies by: one, or one for each column.
enum class FactorFrom : uint8_t { None, Number, Tensor, Settings };
struct Drain {
    const char *name;
    DrainedTo to;
    uint32_t columns, rows;
    uint32_t source_step;   // from a column of fractals to the next in CO1, in rows of 16 elements
    uint64_t step;          // in the destination: elements from a row to the next; of fractals 32 bytes
    uint32_t matrices;
    uint64_t source_matrix; // bytes
    uint64_t matrix;        // elements
    int quant;              // QuantMode_t
    uint64_t factor;
    LocalRange factors;     // of 8 bytes; from `Settings`: the place is that of SetFixPipeConfig
    FactorFrom from;
    bool relu;
    bool splits;            // fractals of 8 columns for 4 bytes
    uint8_t unit;
    // To the unified buffer of a vector core of the same block (950): of which one, or by halves to both.
    bool to_ub = false;
    uint8_t vector = 0;
    uint8_t halves = 0; // 1: of the rows; 2: of the columns
};
void cube_drain(const GlobalRange &dst, Type type, const LocalRange &src, Type source_type, const Drain &drain, Site at);
void cube_drain(const LocalRange &dst, Type type, const LocalRange &src, Type source_type, const Drain &drain, Site at);
// The kernels of this binary have a Fixpipe to unified buffers. Returns true.
bool note_drains_to_ub();
template <typename = void> inline const bool drains_to_ub = note_drains_to_ub();

} // namespace mf::emulation
