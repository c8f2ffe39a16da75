// SPDX-License-Identifier: Apache-2.0 OR MIT
// Matmul: products of whole matrices, without the kernel's own plan of the cube core's memories.
//
// In a mixed kernel the vector cores call it, and the cube core serves them: on it REGIST_MATMUL_OBJ returns
// from the function that it stands in. In a kernel of cube cores, and where ASCENDC_CUBE_ONLY is defined, the
// cube cores call it.
//
// Here the calling core computes the product. Each call that computes or returns a part of C is synchronous,
// even with sync = false; this core's results may be used at once. It does not wait for earlier copies of the
// kernel to the matrices in global memory: that is a hazard.
#pragma once

#include <memory>

#include "../../host/kernel_tiling/kernel_tiling.h"
#include "../../host/mf_tiling/cube_format.h"
#include "buffers.h"
#include "matmul_config.h"
#include "rows.h"
#include "scalar.h"

namespace mf::emulation {

// A matrix, or a part of one: rows of `pitch` elements in global or local memory; or fractals of 16 rows and
// 32 bytes by column, `pitch` rows in each column of fractals.
struct Matrix {
    const char *what = nullptr; // for texts; null: not set
    Type type = Type::F32;
    bool is_local = false;
    bool is_transposed = false;
    GlobalRange global;
    LocalRange local;
    uint64_t pitch = 0;
    uint32_t depth = 0; // elements of a row of a fractal; 0: rows

    bool is_fractal() const { return depth != 0; }
};
// Factors that scale sums before they are stored to C: one, or one for each column of C.
struct MatmulFactors {
    bool is_set = false;
    uint64_t number = 0;
    Matrix columns;
};
// A part of C, and how much of A's rows and B's columns is summed.
struct MatmulTile {
    uint32_t row, column, rows, columns, depth;
};
// The sums of a tile, until they are taken.
struct MatmulSums;

std::shared_ptr<MatmulSums> matmul_sums();
// Returns true if Matmul is called on other cores, which this one serves.
bool matmul_serves();
void matmul_check(const AscendC::TCubeTiling &tiling, uint32_t element_bytes, bool by_cube_alone, Site at);
void matmul_sizes(const char *name, int m, int n, int k, Site at);
void matmul_multiply(const std::shared_ptr<MatmulSums> &sums, const Matrix &a, const Matrix &b, const Matrix &bias,
                     const MatmulTile &tile, bool accumulates, Site at);
// Stores to `row`, `column` of `c`; `first_factor` is the index of the first column's factor.
void matmul_store(const char *name, const std::shared_ptr<MatmulSums> &sums, const Matrix &c, uint64_t row,
                  uint64_t column, uint8_t atomic, const MatmulFactors &factors, uint64_t first_factor, Site at);
[[noreturn]] void matmul_misused(const char *name, const char *why, Site at);

} // namespace mf::emulation

namespace AscendC {

enum class LayoutMode : int { NONE = 0, BSNGD = 1, SBNGD = 2, BNGS1S2 = 3, NORMAL = 4 };

// Type of a matrix. ND: rows; in local memory their bytes must be a multiple of 32, or they are padded to one
// with ND_ALIGN. VECTOR: one row. NZ: fractals by column, each column as high as the matrix, padded to 16.
template <TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false, TPosition SRCPOS = TPosition::GM>
struct MatmulType {
    static constexpr TPosition pos = POSITION;
    static constexpr CubeFormat format = FORMAT;
    using T = TYPE;
    static constexpr bool isTrans = ISTRANS; // it may be given transposed
    static constexpr LayoutMode layout = LAYOUT;
    static constexpr bool ibShare = IBSHARE;
    static constexpr TPosition srcPos = SRCPOS;
    static_assert(FORMAT == CubeFormat::ND || FORMAT == CubeFormat::ND_ALIGN || FORMAT == CubeFormat::VECTOR ||
                      FORMAT == CubeFormat::NZ,
                  "Matmul: here for ND, ND_ALIGN, VECTOR and NZ alone");
    static_assert(LAYOUT == LayoutMode::NONE, "Matmul: batches do not exist here");
};

// Of whole numbers, rounded up: the quotient, and the multiple of the second. The empty pack puts others'
// templates of these names first.
template <typename A, typename B, typename... None, typename C = std::common_type_t<A, B>>
__aicore__ constexpr std::enable_if_t<std::is_integral_v<C> && sizeof...(None) == 0, C> CeilDiv(A number, B by, None...) {
    return (static_cast<C>(number) + static_cast<C>(by) - 1) / static_cast<C>(by);
}
template <typename A, typename B, typename... None, typename C = std::common_type_t<A, B>>
__aicore__ constexpr std::enable_if_t<std::is_integral_v<C> && sizeof...(None) == 0, C> CeilAlign(A number, B by, None...) {
    return static_cast<C>(CeilDiv(number, by) * static_cast<C>(by));
}

template <auto... FUNCTIONS> struct MatmulCallBackFunc {};

template <typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE = C_TYPE, const auto &MM_CFG = CFG_NORM,
          typename MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>>
class MatmulImpl {
    using SrcAT = typename A_TYPE::T;
    using SrcBT = typename B_TYPE::T;
    using DstT = typename C_TYPE::T;
    using BiasT = typename BIAS_TYPE::T;
    using Site = mf::emulation::Site;
    template <typename T>
    static constexpr bool is_real =
        std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_same_v<T, float>;

    // Factors scale sums before conversion to these types (SetQuantScalar, SetQuantVector).
    static constexpr bool IS_BYTES = std::is_same_v<DstT, int8_t> || std::is_same_v<DstT, uint8_t>;
    static constexpr bool NEEDS_FACTORS = IS_BYTES || (std::is_same_v<SrcAT, int8_t> && std::is_same_v<DstT, half>);
    // Elements of a row of C's fractals.
    static constexpr uint32_t C_DEPTH = IS_BYTES ? 32 : 16;

    static_assert(std::is_same_v<SrcAT, SrcBT>, "Matmul: A and B are of one type");
    static_assert((is_real<SrcAT> && (is_real<DstT> || IS_BYTES)) ||
                      (std::is_same_v<SrcAT, int8_t> && (std::is_same_v<DstT, int32_t> || NEEDS_FACTORS)),
                  "Matmul: here from half, bfloat16_t or float to one of these or to bytes, or from int8_t to int32_t, half or "
                  "bytes");
    static_assert(std::is_same_v<MM_CB, MatmulCallBackFunc<nullptr, nullptr, nullptr>>,
                  "Matmul: own functions for copies do not exist here");
#ifdef ASCENDC_CUBE_ONLY
    static constexpr bool BY_CUBE_ALONE = true;
#else
    static constexpr bool BY_CUBE_ALONE = false;
#endif

  public:
    // Settings from GetMatmulApiTiling may have all that a tiling says.
    static constexpr bool NEEDS_TILING = mf::emulation::needs_tiling(MM_CFG);

    MatmulImpl() = default;

    void Init(const TCubeTiling *__restrict cubeTiling, TPipe *tpipe = nullptr, Site at = MF_HERE) {
        (void)tpipe;
        if (NEEDS_TILING && cubeTiling == nullptr)
            mf::emulation::matmul_misused("the tiling", "is null, and the settings have no constants of a core and a tile", at);
        tiling_ = mf::emulation::tiling_by(MM_CFG, cubeTiling);
        mf::emulation::matmul_check(tiling_, sizeof(SrcAT), BY_CUBE_ALONE, at);
        SetOrgShape(tiling_.M, tiling_.N, tiling_.Ka, tiling_.Kb, 0, at);
        SetSingleShape(tiling_.singleCoreM, tiling_.singleCoreN, tiling_.singleCoreK, at);
        a_ = b_ = bias_ = {};
        factors_ = {};
        begin();
    }
    // The whole matrices: from a row to the next are as many elements.
    void SetOrgShape(int orgM, int orgN, int orgK, Site at = MF_HERE) {
        SetOrgShape(orgM, orgN, orgK, orgK, 0, at);
    }
    // orgKc: elements from a row of C to the next; 0: orgN.
    void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0, Site at = MF_HERE) {
        mf::emulation::matmul_sizes("SetOrgShape", orgM, orgN, orgKa < orgKb ? orgKa : orgKb, at);
        org_m_ = orgM, org_n_ = orgN, org_ka_ = orgKa, org_kb_ = orgKb, org_c_ = orgKc > 0 ? orgKc : orgN;
    }
    // Sets the shape computed by this core.
    void SetSingleShape(int singleM, int singleN, int singleK, Site at = MF_HERE) {
        mf::emulation::matmul_sizes("SetSingleShape", singleM, singleN, singleK, at);
        single_m_ = singleM, single_n_ = singleN, single_k_ = singleK;
        begin();
    }
    // The same, where a core does less than the others; -1: as it was.
    void SetTail(int tailM = -1, int tailN = -1, int tailK = -1, Site at = MF_HERE) {
        SetSingleShape(tailM < 0 ? single_m_ : tailM, tailN < 0 ? single_n_ : tailN, tailK < 0 ? single_k_ : tailK, at);
    }

    void SetTensorA(const GlobalTensor<SrcAT> &gm, bool isTransposeA = false, Site at = MF_HERE) {
        set<A_TYPE>(a_, "A", gm, isTransposeA, at);
    }
    void SetTensorA(const LocalTensor<SrcAT> &leftMatrix, bool isTransposeA = false, Site at = MF_HERE) {
        set<A_TYPE>(a_, "A", leftMatrix, isTransposeA, at);
    }
    void SetTensorB(const GlobalTensor<SrcBT> &gm, bool isTransposeB = false, Site at = MF_HERE) {
        set<B_TYPE>(b_, "B", gm, isTransposeB, at);
    }
    void SetTensorB(const LocalTensor<SrcBT> &rightMatrix, bool isTransposeB = false, Site at = MF_HERE) {
        set<B_TYPE>(b_, "B", rightMatrix, isTransposeB, at);
    }
    // One row, added to each of C.
    void SetBias(const GlobalTensor<BiasT> &biasGlobal, Site at = MF_HERE) { set_bias(biasGlobal, at); }
    void SetBias(const LocalTensor<BiasT> &inputBias, Site at = MF_HERE) { set_bias(inputBias, at); }
    // The factor of all sums, the bits of a float, or of each column of C, 8 bytes each: for C of bytes, and
    // of half if A is of int8_t.
    void SetQuantScalar(uint64_t quantScalar, Site at = MF_HERE) {
        check_factors(at);
        if (quantScalar >> 32 != 0)
            mf::emulation::matmul_misused("factor", "is here a float in the low 32 bits, and nothing above", at);
        factors_ = {true, quantScalar, {}};
    }
    void SetQuantVector(const GlobalTensor<uint64_t> &quantTensor, Site at = MF_HERE) {
        check_factors(at);
        const auto pitch = static_cast<uint64_t>(single_n_);
        factors_ = {true, 0, {"the factors", mf::emulation::Type::U64, false, false, quantTensor, {}, pitch}};
    }
    void SetQuantVector(const LocalTensor<uint64_t> &quantTensor, Site at = MF_HERE) {
        check_factors(at);
        const auto pitch = (static_cast<uint64_t>(single_n_) + 3) / 4 * 4;
        factors_ = {true, 0, {"the factors", mf::emulation::Type::U64, true, false, {}, quantTensor, pitch}};
    }
    // Which of two vector cores calls, and float in fewer bits, which does not exist here.
    void SetSubBlockIdx(uint8_t subBlockIdx) { (void)subBlockIdx; }
    void SetHF32(bool enableHF32 = false, int32_t transMode = 0, Site at = MF_HERE) {
        (void)transMode;
        if (enableHF32) mf::emulation::matmul_misused("HF32", "is not emulated: float is multiplied as it is", at);
    }
    void DisableBias() { bias_ = {}; }
    void ClearBias() { bias_ = {}; }

    // Computes the next tile; returns false behind the last. With enPartialSum it adds to the existing sums,
    // of one tile only.
    template <bool sync = true> bool Iterate(bool enPartialSum = false, Site at = MF_HERE) {
        if constexpr (!sync) {
            begin();
            return true;
        } else {
            return step(enPartialSum, at);
        }
    }
    // Writes the tile to its place in C; with enSequentialWrite, and in local memory, as rows of baseN
    // elements, or of the core's row length if that is shorter. enAtomic, for global memory: 1 add, 2
    // maximum, 3 minimum.
    template <bool sync = true>
    void GetTensorC(const GlobalTensor<DstT> &gm, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                    Site at = MF_HERE) {
        need_tile<sync>(at);
        store("GetTensorC", in_global(gm, enSequentialWrite), !enSequentialWrite, 0, enAtomic, at);
    }
    template <bool sync = true>
    void GetTensorC(const LocalTensor<DstT> &co2Local, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                    Site at = MF_HERE) {
        (void)enSequentialWrite;
        need_tile<sync>(at);
        store("GetTensorC", in_local(co2Local, tile_pitch(), static_cast<int>(tile_.rows), at), false, 0, enAtomic, at);
    }
    // To both.
    template <bool sync = true>
    void GetTensorC(const GlobalTensor<DstT> &gm, const LocalTensor<DstT> &co2Local, uint8_t enAtomic = 0,
                    bool enSequentialWrite = false, Site at = MF_HERE) {
        GetTensorC<sync>(gm, enAtomic, enSequentialWrite, at);
        store("GetTensorC", in_local(co2Local, tile_pitch(), static_cast<int>(tile_.rows), at), false, 0, 0, at);
    }

    // All tiles. The last two arguments have no effect here.
    template <bool sync = true>
    void IterateAll(const GlobalTensor<DstT> &gm, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                    bool waitIterateAll = false, bool fakeMsg = false, Site at = MF_HERE) {
        (void)waitIterateAll, (void)fakeMsg;
        begin();
        for (uint64_t number = 0; step(false, at); ++number) {
            if (C_TYPE::format == CubeFormat::NZ && enSequentialWrite)
                mf::emulation::matmul_misused("C", "of fractals is not written by IterateAll tile after tile", at);
            store("IterateAll", in_global(gm, enSequentialWrite), !enSequentialWrite,
                  enSequentialWrite ? number * tiling_.baseM : 0, enAtomic, at);
        }
    }
    template <bool sync = true>
    void IterateAll(const LocalTensor<DstT> &ubCmatrix, uint8_t enAtomic = 0, Site at = MF_HERE) {
        begin();
        while (step(false, at)) store("IterateAll", in_local(ubCmatrix, single_n_, single_m_, at), true, 0, enAtomic, at);
    }
    void End() { begin(); }

    // Room that the device needs, and nothing here.
    template <typename T> void SetWorkspace(__gm__ const T *addr, int size) { (void)addr, (void)size; }
    template <typename T> void SetWorkspace(GlobalTensor<T> &addr) { (void)addr; }
    void SetLocalWorkspace(const LocalTensor<uint8_t> &tmpBuffer) { (void)tmpBuffer; }

  private:
    using Matrix = mf::emulation::Matrix;

    template <typename TYPE, typename T>
    Matrix make(const char *what, const GlobalTensor<T> &tensor, int pitch, int height, Site at) const {
        if (TYPE::pos != TPosition::GM)
            mf::emulation::matmul_misused(what, "is in global memory, and its MatmulType is not", at);
        if constexpr (TYPE::format == CubeFormat::NZ)
            return {what, mf::emulation::TypeOf<T>::type, false, false, tensor, {}, whole_rows(height), 32 / sizeof(T)};
        return {what, mf::emulation::TypeOf<T>::type, false, false, tensor, {}, static_cast<uint64_t>(pitch)};
    }
    template <typename TYPE, typename T>
    Matrix make(const char *what, const LocalTensor<T> &tensor, int pitch, int height, Site at) const {
        if (TYPE::pos == TPosition::GM)
            mf::emulation::matmul_misused(what, "is in local memory, and its MatmulType is not", at);
        constexpr uint64_t block = 32 / sizeof(T);
        uint64_t elements = static_cast<uint64_t>(pitch);
        if (TYPE::format == CubeFormat::ND_ALIGN) elements = (elements + block - 1) / block * block;
        if constexpr (TYPE::format == CubeFormat::NZ)
            return {what, mf::emulation::TypeOf<T>::type, true, false, {}, tensor, whole_rows(height), 32 / sizeof(T)};
        return {what, mf::emulation::TypeOf<T>::type, true, false, {}, tensor, elements};
    }
    template <typename TYPE, typename Tensor>
    void set(Matrix &to, const char *what, const Tensor &tensor, bool is_transposed, Site at) {
        if (is_transposed && !TYPE::isTrans)
            mf::emulation::matmul_misused(what, "is given transposed, and its MatmulType does not say ISTRANS", at);
        const bool is_a = &to == &a_, is_local = TYPE::pos != TPosition::GM;
        const int m = is_local ? single_m_ : org_m_, n = is_local ? single_n_ : org_n_;
        const int k = is_local ? single_k_ : is_a ? org_ka_ : org_kb_;
        const int across = is_a ? (is_transposed ? m : k) : (is_transposed ? k : n);
        const int down = is_a ? (is_transposed ? k : m) : (is_transposed ? n : k);
        to = make<TYPE>(what, tensor, across, down, at);
        to.is_transposed = is_transposed;
        begin();
    }
    template <typename Tensor> void set_bias(const Tensor &tensor, Site at) {
        if (tiling_.isBias == 0) mf::emulation::matmul_misused("bias", "is set, and isBias of the tiling is 0", at);
        static_assert(BIAS_TYPE::format != CubeFormat::NZ, "Matmul: the bias is one row");
        static_assert(is_real<SrcAT> ? is_real<BiasT> : std::is_same_v<BiasT, int32_t>,
                      "Matmul: the bias is int32_t for int8_t, else half, bfloat16_t or float");
        bias_ = make<BIAS_TYPE>("bias", tensor, single_n_, 1, at);
    }
    Matrix in_global(const GlobalTensor<DstT> &gm, bool is_sequential) const {
        if constexpr (C_TYPE::format == CubeFormat::NZ)
            return {"C", mf::emulation::TypeOf<DstT>::type, false, false, gm, {},
                    whole_rows(is_sequential ? static_cast<int>(tile_.rows) : org_m_), C_DEPTH};
        return {"C", mf::emulation::TypeOf<DstT>::type, false, false, gm, {},
                static_cast<uint64_t>(is_sequential ? tile_pitch() : org_c_)};
    }
    Matrix in_local(const LocalTensor<DstT> &tensor, int pitch, int height, Site at) const {
        if (C_TYPE::pos == TPosition::GM)
            mf::emulation::matmul_misused("C", "is in local memory, and its MatmulType is not", at);
        if constexpr (C_TYPE::format == CubeFormat::NZ)
            return {"C", mf::emulation::TypeOf<DstT>::type, true, false, {}, tensor, whole_rows(height), C_DEPTH};
        constexpr int block = 32 / static_cast<int>(sizeof(DstT));
        const int elements = C_TYPE::format == CubeFormat::ND_ALIGN ? (pitch + block - 1) / block * block : pitch;
        return {"C", mf::emulation::TypeOf<DstT>::type, true, false, {}, tensor, static_cast<uint64_t>(elements)};
    }

    static void check_factors(Site at) {
        if (!NEEDS_FACTORS) mf::emulation::matmul_misused("factors", "are for C of bytes, and of half if A is of int8_t", at);
    }
    static uint64_t whole_rows(int rows) { return (static_cast<uint64_t>(rows) + 15) / 16 * 16; }
    int tile_pitch() const { return tiling_.baseN < single_n_ ? tiling_.baseN : single_n_; }
    void begin() {
        next_ = 0;
        is_held_ = false;
    }
    static uint32_t parts(int size, int base) { return static_cast<uint32_t>((size + base - 1) / base); }
    bool step(bool accumulates, Site at) {
        if (a_.what == nullptr || b_.what == nullptr)
            mf::emulation::matmul_misused(a_.what == nullptr ? "A" : "B",
                                          "is not set: Init (REGIST_MATMUL_OBJ), SetTensorA and SetTensorB come first", at);
        const uint32_t down = parts(single_m_, tiling_.baseM), across = parts(single_n_, tiling_.baseN);
        if (next_ >= down * across) {
            begin();
            return false;
        }
        if (accumulates && down * across != 1)
            mf::emulation::matmul_misused("C", "is more than one tile, which enPartialSum does not add to", at);
        const bool is_down_first = tiling_.iterateOrder == 0;
        const uint32_t row = is_down_first ? next_ % down : next_ / across;
        const uint32_t column = is_down_first ? next_ / down : next_ % across;
        const auto part = [](int whole, int base, uint32_t index) {
            const uint32_t from = static_cast<uint32_t>(base) * index, left = static_cast<uint32_t>(whole) - from;
            return left < static_cast<uint32_t>(base) ? left : static_cast<uint32_t>(base);
        };
        tile_ = {row * static_cast<uint32_t>(tiling_.baseM), column * static_cast<uint32_t>(tiling_.baseN),
                 part(single_m_, tiling_.baseM, row), part(single_n_, tiling_.baseN, column),
                 static_cast<uint32_t>(single_k_)};
        if (!sums_) sums_ = mf::emulation::matmul_sums();
        mf::emulation::matmul_multiply(sums_, a_, b_, bias_, tile_, accumulates, at);
        ++next_;
        is_held_ = true;
        return true;
    }
    template <bool sync> void need_tile(Site at) {
        if (!sync && !is_held_) step(false, at);
        if (!is_held_)
            mf::emulation::matmul_misused("C", "is asked for, and no call of Iterate has made a tile", at);
        is_held_ = sync;
    }
    void store(const char *name, const Matrix &c, bool in_place, uint64_t row, uint8_t atomic, Site at) {
        if (NEEDS_FACTORS && !factors_.is_set)
            mf::emulation::matmul_misused("C", "is of a type that needs SetQuantScalar or SetQuantVector", at);
        mf::emulation::matmul_store(name, sums_, c, in_place ? tile_.row : row, in_place ? tile_.column : 0, atomic, factors_,
                                    tile_.column, at);
    }

    TCubeTiling tiling_;
    int org_m_ = 0, org_n_ = 0, org_ka_ = 0, org_kb_ = 0, org_c_ = 0;
    int single_m_ = 0, single_n_ = 0, single_k_ = 0;
    Matrix a_, b_, bias_;
    mf::emulation::MatmulFactors factors_;
    uint32_t next_ = 0;
    bool is_held_ = false;
    mf::emulation::MatmulTile tile_ = {};
    std::shared_ptr<mf::emulation::MatmulSums> sums_;
};

template <typename A_TYPE, typename B_TYPE, typename C_TYPE, typename BIAS_TYPE = C_TYPE, const auto &MM_CFG = CFG_NORM,
          typename MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>>
using Matmul = MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB>;

} // namespace AscendC

using AscendC::CubeFormat;

namespace matmul {
using AscendC::CFG_IBSHARE_NORM;
using AscendC::CFG_MDL;
using AscendC::CFG_NORM;
using AscendC::InitOutput;
using AscendC::Matmul;
using AscendC::MatmulConfig;
using AscendC::MatmulImpl;
using AscendC::MatmulType;
} // namespace matmul

namespace mf::emulation {

inline void register_matmul(Site) {}
template <typename Object> inline void register_matmul(Site, Object &) {}
// Objects, each with its tiling.
template <typename Object, typename... Rest>
inline void register_matmul(Site at, Object &object, const AscendC::TCubeTiling *tiling, Rest &&...rest) {
    if (tiling != nullptr || !Object::NEEDS_TILING) object.Init(tiling, nullptr, at);
    register_matmul(at, static_cast<Rest &&>(rest)...);
}

} // namespace mf::emulation

#ifdef ASCENDC_CUBE_ONLY
#define MF_MATMUL_SERVES false
#else
#define MF_MATMUL_SERVES ::mf::emulation::matmul_serves()
#endif
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                                                                       \
    if (MF_MATMUL_SERVES) return;                                                                                      \
    (void)(tpipe), (void)(workspace);                                                                                  \
    ::mf::emulation::register_matmul(MF_HERE, __VA_ARGS__)
#define REGIST_CUBE_OBJ REGIST_MATMUL_OBJ
