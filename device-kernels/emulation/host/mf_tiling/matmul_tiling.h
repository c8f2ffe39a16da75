// SPDX-License-Identifier: Apache-2.0 OR MIT
// Tiling of matrix products on the host: say types and shape, and get the structure for Matmul.
//
//   matmul_tiling::MultiCoreMatmulTiling plan(*platform_ascendc::PlatformAscendCManager::GetInstance());
//   plan.SetDim(24);
//   plan.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16); …
//   plan.SetShape(m, n, k);
//   plan.GetTiling(tiling);   // 0, or -1 with the reason on standard error
//
// Setters return 0, or -1 for a value that cannot be. No function blocks; an object is for one thread.
#ifndef MF_HOST_MF_TILING_MATMUL_TILING_H
#define MF_HOST_MF_TILING_MATMUL_TILING_H

#include "matmul_plan.h"
#include "optiling_cube.h"

namespace matmul_tiling {

class MatmulApiTilingBase {
  public:
    MatmulApiTilingBase() {
        using namespace platform_ascendc;
        const PlatformAscendC *platform = PlatformAscendCManager::GetInstance();
        take(platform != nullptr ? *platform : PlatformAscendC(nullptr));
    }
    explicit MatmulApiTilingBase(const platform_ascendc::PlatformAscendC &platform) { take(platform); }
    explicit MatmulApiTilingBase(const PlatformInfo &platform) {
        plan_.l0a = platform.l0ASize, plan_.l0b = platform.l0BSize, plan_.l0c = platform.l0CSize;
        plan_.l1 = platform.l1Size;
    }
    virtual ~MatmulApiTilingBase() = default;

    int32_t SetAType(TPosition, CubeFormat, DataType type, bool isTrans = false) {
        (void)isTrans;
        return set_bits(plan_.a_bits, type);
    }
    int32_t SetBType(TPosition, CubeFormat, DataType type, bool isTrans = false) {
        (void)isTrans;
        return set_bits(plan_.b_bits, type);
    }
    int32_t SetCType(TPosition, CubeFormat, DataType) { return 0; }
    int32_t SetBiasType(TPosition, CubeFormat, DataType) { return 0; }
    int32_t SetDequantType(DequantType) { return 0; }
    int32_t EnableBias(bool isBiasIn = false) {
        plan_.has_bias = isBiasIn;
        return 0;
    }
    int32_t SetBias(bool isBiasIn = false) { return EnableBias(isBiasIn); }

    // The product that all cores compute together.
    int32_t SetShape(int32_t m, int32_t n, int32_t k) { return set_sizes(plan_.shape, m, n, k); }
    // The whole matrices: from a row to the next are as many elements. Default: the shape.
    int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgK) { return SetOrgShape(orgM, orgN, orgK, orgK); }
    int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgKa, int32_t orgKb) {
        if (set_sizes(org_, orgM, orgN, orgKa) != 0 || orgKb < 1) return -1;
        org_kb_ = orgKb;
        return 0;
    }
    int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) { return set_layout(a_layout_, b, s, n, g, d); }
    int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) { return set_layout(b_layout_, b, s, n, g, d); }
    int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) { return set_layout(c_layout_, b, s, n, g, d); }
    int32_t SetBatchNum(int32_t batch) {
        if (batch < 1) return -1;
        batch_ = batch;
        return 0;
    }
    int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k) {
        if (batchA < 1 || batchB < 1) return -1;
        return SetShape(m, n, k) == 0 ? SetBatchNum(std::max(batchA, batchB)) : -1;
    }

    // A tile's sizes, multiples of 16; -1: chosen.
    int32_t SetFixSplit(int32_t baseM = -1, int32_t baseN = -1, int32_t baseK = -1) {
        return set_limits(plan_.fixed_base, baseM, baseN, baseK);
    }
    int32_t SetSplitRange(int32_t maxBaseM = -1, int32_t maxBaseN = -1, int32_t maxBaseK = -1, int32_t minBaseM = -1,
                          int32_t minBaseN = -1, int32_t minBaseK = -1) {
        const int32_t most = set_limits(plan_.most_base, maxBaseM, maxBaseN, maxBaseK);
        return most == 0 ? set_limits(plan_.least_base, minBaseM, minBaseN, minBaseK) : -1;
    }
    // Bytes of L1, L0C, the unified buffer and the bias table that the product may take; -1: all.
    int32_t SetBufferSpace(int32_t l1Size = -1, int32_t l0CSize = -1, int32_t ubSize = -1, int32_t btSize = -1) {
        if (l1Size == 0 || l0CSize == 0 || l1Size < -1 || l0CSize < -1 || ubSize < -1 || btSize < -1) return -1;
        l1_ = l1Size, l0c_ = l0CSize;
        return 0;
    }
    int32_t SetTraverse(MatrixTraverse traverse) {
        plan_.order = traverse == MatrixTraverse::FIRSTN ? 1 : 0;
        return 0;
    }
    int32_t SetMadType(MatrixMadType type) { return type == MatrixMadType::MXMODE ? -1 : 0; }
    // If two pieces of A, of B and two tiles are in the memories of the multiplier at once. The bias and the
    // changes of format have no effect.
    int32_t SetDoubleBuffer(bool a, bool b, bool c, bool bias, bool transND2NZ = true, bool transNZ2ND = true) {
        (void)bias, (void)transND2NZ, (void)transNZ2ND;
        plan_.doubles_a = a, plan_.doubles_b = b, plan_.doubles_c = c;
        return 0;
    }
    void SetMatmulConfigParams(const MatmulConfigParams &params) { (void)SetTraverse(params.traverse); }
    void SetMatmulConfigParams(int32_t mmConfigType = 1, bool enableL1CacheUB = false,
                               ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
                               MatrixTraverse traverse = MatrixTraverse::NOSET, bool enVecND2NZ = false) {
        SetMatmulConfigParams({mmConfigType, enableL1CacheUB, scheduleType, traverse, enVecND2NZ});
    }
    // Sparse products do not exist here.
    int32_t SetSparse(bool isSparseIn = false) { return isSparseIn ? -1 : 0; }

    // Of the last plan.
    int32_t GetBaseM() const { return made_.baseM; }
    int32_t GetBaseN() const { return made_.baseN; }
    int32_t GetBaseK() const { return made_.baseK; }

    // 0, or -1 if no plan fits; the structure is then as before.
    int64_t GetTiling(AscendC::tiling::TCubeTiling &tiling) {
        if (!make()) return -1;
        tiling = made_;
        return 0;
    }
    int64_t GetTiling(optiling::TCubeTiling &tiling) {
        if (!make()) return -1;
#define MF_COPY(TYPE, NAME) tiling.set_##NAME(made_.NAME);
        MF_FIELDS_TCubeTiling(MF_COPY, MF_COPY)
#undef MF_COPY
        return 0;
    }

  protected:
    static int32_t set_limits(MfSizes &sizes, int32_t m, int32_t n, int32_t k) {
        if ((m < 1 && m != -1) || (n < 1 && n != -1) || (k < 1 && k != -1)) return -1;
        sizes = {m, n, k};
        return 0;
    }
    static int32_t set_sizes(MfSizes &sizes, int32_t m, int32_t n, int32_t k) {
        return m < 1 || n < 1 || k < 1 ? -1 : set_limits(sizes, m, n, k);
    }

    MfPlan plan_;
    AscendC::tiling::TCubeTiling made_;

  private:
    struct Layout {
        int32_t b = 0, s = 0, n = 0, g = 0, d = 0;
    };

    void take(const platform_ascendc::PlatformAscendC &platform) {
        using platform_ascendc::CoreMemType;
        platform.GetCoreMemSize(CoreMemType::L0_A, plan_.l0a);
        platform.GetCoreMemSize(CoreMemType::L0_B, plan_.l0b);
        platform.GetCoreMemSize(CoreMemType::L0_C, plan_.l0c);
        platform.GetCoreMemSize(CoreMemType::L1, plan_.l1);
    }
    static int32_t set_bits(uint32_t &bits, DataType type) {
        if (mf_bits_of(type) == 0) return -1;
        bits = mf_bits_of(type);
        return 0;
    }
    static int32_t set_layout(Layout &layout, int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
        if (b < 0 || s < 0 || n < 0 || g < 0 || d < 0) return -1;
        layout = {b, s, n, g, d};
        return 0;
    }

    bool make() {
        AscendC::tiling::TCubeTiling to;
        MfPlan plan = plan_;
        if (plan.shape.m < 1) plan.shape = {org_.m, org_.n, std::min(org_.k, org_kb_)};
        if (l1_ > 0) plan.l1 = std::min(plan.l1, static_cast<uint64_t>(l1_));
        if (l0c_ > 0) plan.l0c = std::min(plan.l0c, static_cast<uint64_t>(l0c_));
        if (!plan.make(to)) return false;
        plan_.parts = plan.parts;
        const bool is_whole = org_.m < 1;
        to.M = is_whole ? plan.shape.m : org_.m;
        to.N = is_whole ? plan.shape.n : org_.n;
        to.Ka = is_whole ? plan.shape.k : org_.k;
        to.Kb = is_whole ? plan.shape.k : org_kb_;
        to.isBias = plan.has_bias ? 1 : 0;
        to.ALayoutInfoB = a_layout_.b, to.ALayoutInfoS = a_layout_.s, to.ALayoutInfoN = a_layout_.n;
        to.ALayoutInfoG = a_layout_.g, to.ALayoutInfoD = a_layout_.d;
        to.BLayoutInfoB = b_layout_.b, to.BLayoutInfoS = b_layout_.s, to.BLayoutInfoN = b_layout_.n;
        to.BLayoutInfoG = b_layout_.g, to.BLayoutInfoD = b_layout_.d;
        to.CLayoutInfoB = c_layout_.b, to.CLayoutInfoS1 = c_layout_.s, to.CLayoutInfoN = c_layout_.n;
        to.CLayoutInfoG = c_layout_.g, to.CLayoutInfoS2 = c_layout_.d;
        to.BatchNum = batch_;
        made_ = to;
        return true;
    }

    MfSizes org_;
    int32_t org_kb_ = -1, l1_ = -1, l0c_ = -1, batch_ = 0;
    Layout a_layout_, b_layout_, c_layout_;
};

// For one core.
class MatmulApiTiling : public MatmulApiTilingBase {
  public:
    using MatmulApiTilingBase::MatmulApiTilingBase;
};

// For several.
class MultiCoreMatmulTiling : public MatmulApiTilingBase {
  public:
    using MatmulApiTilingBase::MatmulApiTilingBase;

    // The cores that call Matmul, at most; default 1.
    int32_t SetDim(int32_t dim) {
        if (dim < 1) return -1;
        plan_.cores = dim;
        return 0;
    }
    // A core's part; -1: chosen.
    int32_t SetSingleShape(int32_t singleMIn = -1, int32_t singleNIn = -1, int32_t singleKIn = -1) {
        return set_limits(plan_.fixed_single, singleMIn, singleNIn, singleKIn);
    }
    int32_t SetSingleRange(int32_t maxM = -1, int32_t maxN = -1, int32_t maxK = -1, int32_t minM = -1, int32_t minN = -1,
                           int32_t minK = -1) {
        const int32_t most = set_limits(plan_.most_single, maxM, maxN, maxK);
        return most == 0 ? set_limits(plan_.least_single, minM, minN, minK) : -1;
    }
    // A core's part is a multiple of these; -1: of 16.
    int32_t SetAlignSplit(int32_t alignM, int32_t alignN, int32_t alignK) {
        return set_limits(plan_.align_single, alignM, alignN, alignK);
    }
    // Cores that are left over divide K, and add to C.
    int32_t EnableMultiCoreSplitK(bool flag) {
        plan_.splits_k = flag;
        return 0;
    }
    void SetSplitK(bool flag) { plan_.splits_k = flag; }

    // Of the last plan.
    int32_t GetSingleShape(int32_t &shapeM, int32_t &shapeN, int32_t &shapeK) const {
        shapeM = made_.singleCoreM, shapeN = made_.singleCoreN, shapeK = made_.singleCoreK;
        return 0;
    }
    // The cores, and the parts along M and N.
    int32_t GetCoreNum(int32_t &dim, int32_t &mDim, int32_t &nDim) const {
        dim = made_.usedCoreNum, mDim = plan_.parts.m, nDim = plan_.parts.n;
        return 0;
    }
};

} // namespace matmul_tiling

extern "C" {

// Bytes that a product of the plan takes of the memories. 0.
inline int32_t MatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling &tiling, matmul_tiling::SysTilingTempBufSize &bufSize) {
    bufSize = {tiling.shareUbSize, tiling.shareL1Size, tiling.shareL0CSize};
    return 0;
}
inline int32_t MultiCoreMatmulGetTmpBufSizeV2(AscendC::tiling::TCubeTiling &tiling,
                                              matmul_tiling::SysTilingTempBufSize &bufSize) {
    return MatmulGetTmpBufSizeV2(tiling, bufSize);
}
inline int32_t MatmulGetTmpBufSize(optiling::TCubeTiling &tiling, matmul_tiling::SysTilingTempBufSize &bufSize) {
    bufSize = {tiling.get_shareUbSize(), tiling.get_shareL1Size(), tiling.get_shareL0CSize()};
    return 0;
}
inline int32_t MultiCoreMatmulGetTmpBufSize(optiling::TCubeTiling &tiling,
                                            matmul_tiling::SysTilingTempBufSize &bufSize) {
    return MatmulGetTmpBufSize(tiling, bufSize);
}

} // extern "C"

#endif
