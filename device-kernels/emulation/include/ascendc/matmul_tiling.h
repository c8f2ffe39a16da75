// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tiling of a matrix product: planned by the host and used by Matmul (matmul.h). For kernels and for host
// code.
#pragma once

#include <cstdint>

namespace AscendC {

// C[M × N] = A[M × Ka] · B[Kb × N]. A core makes singleCoreM × singleCoreN of it, in tiles of
// baseM × baseN. Here usedCoreNum, the depths, steps, shares and double buffers have no effect: they are
// about speed. Batches (batchM to singleBatchN, the layouts, BatchNum) do not exist here.
struct TCubeTiling {
    int32_t usedCoreNum = 0, M = 0, N = 0, Ka = 0, Kb = 0, singleCoreM = 0, singleCoreN = 0, singleCoreK = 0;
    int32_t baseM = 0, baseN = 0, baseK = 0, depthA1 = 0, depthB1 = 0, stepM = 0, stepN = 0;
    int32_t isBias = 0; // 1: SetBias is used
    int32_t transLength = 0;
    int32_t iterateOrder = 0; // of tiles: 0 down a column of C first, 1 along a row first
    int32_t shareMode = 0, shareL1Size = 0, shareL0CSize = 0, shareUbSize = 0;
    int32_t batchM = 0, batchN = 0, singleBatchM = 0, singleBatchN = 0;
    int32_t stepKa = 0, stepKb = 0, depthAL1CacheUB = 0, depthBL1CacheUB = 0, dbL0A = 0, dbL0B = 0, dbL0C = 0;
    int32_t ALayoutInfoB = 0, ALayoutInfoS = 0, ALayoutInfoN = 0, ALayoutInfoG = 0, ALayoutInfoD = 0;
    int32_t BLayoutInfoB = 0, BLayoutInfoS = 0, BLayoutInfoN = 0, BLayoutInfoG = 0, BLayoutInfoD = 0;
    int32_t CLayoutInfoB = 0, CLayoutInfoS1 = 0, CLayoutInfoN = 0, CLayoutInfoG = 0, CLayoutInfoS2 = 0;
    int32_t BatchNum = 0, reserved = 0;
};
static_assert(sizeof(TCubeTiling) == 200);

} // namespace AscendC

using AscendC::TCubeTiling;
