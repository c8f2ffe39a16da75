// SPDX-License-Identifier: Apache-2.0 OR MIT
// Shape of a tensor, as kernels note it for themselves: no call depends on it.
#pragma once

#include <cstdint>

namespace AscendC {

enum class DataFormat : uint8_t { ND = 0, NZ = 1, NCHW = 2, NC1HWC0 = 3, NHWC = 4, NCDHW = 5, NDC1HWC0 = 6, FRACTAL_Z_3D = 7 };
// Code that needs no shapes defines 0.
#ifndef K_MAX_SHAPE_DIM
#define K_MAX_SHAPE_DIM 8
#endif
struct ShapeInfo {
    uint8_t shapeDim = 0, originalShapeDim = 0;
    uint32_t shape[K_MAX_SHAPE_DIM] = {}, originalShape[K_MAX_SHAPE_DIM] = {};
    DataFormat dataFormat = DataFormat::ND;

    ShapeInfo() = default;
    ShapeInfo(uint8_t dims, const uint32_t sizes[], uint8_t originalDims, const uint32_t originalSizes[], DataFormat format)
        : shapeDim(dims), originalShapeDim(originalDims), dataFormat(format) {
        for (uint8_t i = 0; i < dims && i != K_MAX_SHAPE_DIM; ++i) shape[i] = sizes[i];
        for (uint8_t i = 0; i < originalDims && i != K_MAX_SHAPE_DIM; ++i) originalShape[i] = originalSizes[i];
    }
    ShapeInfo(uint8_t dims, const uint32_t sizes[], DataFormat format) : ShapeInfo(dims, sizes, dims, sizes, format) {}
    ShapeInfo(uint8_t dims, const uint32_t sizes[]) : ShapeInfo(dims, sizes, DataFormat::ND) {}
};

} // namespace AscendC
