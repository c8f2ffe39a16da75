// SPDX-License-Identifier: Apache-2.0 OR MIT
// Host code alone, by the host's compiler: plans of matrix products fit into the chip and cover the product,
// wishes are kept or refused, and tiling structures have the bytes of the kernel's.
#include <cstdio>
#include <cstring>

#include "graph/tensor.h"
#include "opdev/bfloat16.h"
#include "opdev/fp16_t.h"
#include "runtime/rt_ffts.h"
#include "securec.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

using namespace matmul_tiling;
using Plain = AscendC::tiling::TCubeTiling;

static int failures = 0;
#define CHECK(holds)                                                                                                   \
    do {                                                                                                               \
        if (!(holds)) {                                                                                                \
            std::printf("line %d: %s\n", __LINE__, #holds);                                                            \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (false)

static int parts(int whole, int part) { return (whole + part - 1) / part; }

static MultiCoreMatmulTiling plan_of(int cores, DataType type, int m, int n, int k)
{
    MultiCoreMatmulTiling plan(*platform_ascendc::PlatformAscendCManager::GetInstance());
    CHECK(plan.SetDim(cores) == 0);
    CHECK(plan.SetAType(TPosition::GM, CubeFormat::ND, type) == 0 && plan.SetBType(TPosition::GM, CubeFormat::ND, type) == 0);
    CHECK(plan.SetShape(m, n, k) == 0 && plan.SetOrgShape(m, n, k) == 0 && plan.SetBufferSpace(-1, -1, -1) == 0);
    return plan;
}

static void plans_fit_and_cover()
{
    for (const DataType type : {DataType::DT_FLOAT16, DataType::DT_FLOAT, DataType::DT_INT8})
        for (const int cores : {1, 2, 7, 24, 48})
            for (const int m : {1, 15, 100, 1024, 8192})
                for (const int n : {1, 33, 640, 4096})
                    for (const int k : {1, 31, 2048, 100000})
                        for (const bool flag : {false, true}) {
                            MultiCoreMatmulTiling plan = plan_of(cores, type, m, n, k);
                            plan.EnableBias(flag);
                            plan.SetSplitK(flag);
                            Plain t;
                            CHECK(plan.GetTiling(t) == 0);
                            const int size = type == DataType::DT_FLOAT ? 4 : type == DataType::DT_FLOAT16 ? 2 : 1;
                            CHECK(t.usedCoreNum >= 1 && t.usedCoreNum <= cores);
                            CHECK(parts(m, t.singleCoreM) * parts(n, t.singleCoreN) * parts(k, t.singleCoreK) == t.usedCoreNum);
                            CHECK(flag || t.singleCoreK == k);
                            CHECK(t.M == m && t.N == n && t.Ka == k && t.Kb == k && t.isBias == flag);
                            CHECK(t.baseM % 16 == 0 && t.baseN % 16 == 0 && t.baseK * size % 32 == 0);
                            CHECK(t.baseM * t.baseK * size * t.dbL0A <= 65536 && t.baseN * t.baseK * size * t.dbL0B <= 65536);
                            CHECK(t.baseM * t.baseN * 4 * t.dbL0C <= 131072);
                            CHECK(t.depthA1 == t.stepM * t.stepKa || t.depthA1 == 2 * t.stepM * t.stepKa);
                            const int pieces = (t.baseM * t.depthA1 + t.baseN * t.depthB1) * t.baseK * size;
                            CHECK(pieces + (flag ? t.baseN * 4 : 0) <= 512 * 1024 - 256);
                            int used = 0, down = 0, across = 0;
                            plan.GetCoreNum(used, down, across);
                            CHECK(used == t.usedCoreNum && down == parts(m, t.singleCoreM) && across == parts(n, t.singleCoreN));
                            if (m == 1024 && n == 4096 && cores > 1)
                                CHECK(t.usedCoreNum * 10 >= cores * 9); // equal work for nearly all
                        }
}

static void wishes_are_kept_or_refused()
{
    Plain t, before;
    MultiCoreMatmulTiling fixed = plan_of(8, DataType::DT_FLOAT16, 512, 512, 512);
    CHECK(fixed.SetFixSplit(64, 128, 32) == 0 && fixed.SetTraverse(MatrixTraverse::FIRSTN) == 0 && fixed.GetTiling(t) == 0);
    CHECK(t.baseM == 64 && t.baseN == 128 && t.baseK == 32 && t.iterateOrder == 1 && fixed.GetBaseN() == 128);
    CHECK(fixed.SetFixSplit(40, -1, -1) == 0 && fixed.GetTiling(before) == -1 && before.M == 0);
    CHECK(fixed.SetFixSplit(512, 512, 64) == 0 && fixed.GetTiling(before) == -1 && before.M == 0);

    MultiCoreMatmulTiling single = plan_of(8, DataType::DT_FLOAT16, 512, 512, 512);
    CHECK(single.SetSingleShape(128, 256, -1) == 0 && single.GetTiling(t) == 0 && t.usedCoreNum == 8);
    CHECK(t.singleCoreM == 128 && t.singleCoreN == 256 && t.singleCoreK == 512);
    CHECK(single.SetSingleShape(32, 32, -1) == 0 && single.GetTiling(t) == -1);
    CHECK(single.SetSingleShape() == 0 && single.SetAlignSplit(-1, 96, -1) == 0 && single.SetSingleRange(-1, 200, -1) == 0);
    CHECK(single.GetTiling(t) == 0 && t.singleCoreN == 192 && t.singleCoreM == 256 && t.usedCoreNum == 6);

    MultiCoreMatmulTiling small = plan_of(1, DataType::DT_FLOAT16, 512, 512, 512);
    CHECK(small.SetBufferSpace(64 * 1024, 16 * 1024) == 0 && small.GetTiling(t) == 0);
    CHECK(t.shareL1Size <= 64 * 1024 && t.shareL0CSize <= 16 * 1024);
    SysTilingTempBufSize sizes;
    CHECK(MatmulGetTmpBufSizeV2(t, sizes) == 0 && sizes.l1Size == t.shareL1Size && sizes.ubSize == 0);
    CHECK(small.SetBufferSpace(512) == 0 && small.GetTiling(t) == -1);

    CHECK(single.SetDim(0) == -1 && single.SetShape(0, 1, 1) == -1 && single.SetSparse(true) == -1);
    CHECK(single.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_STRING) == -1);
    CHECK(MatmulApiTiling().GetTiling(t) == -1);
    PlatformInfo chip = {platform_ascendc::SocVersion::ASCEND910B, 1 << 19, 1 << 17, 0, 1 << 16, 1 << 16};
    MatmulApiTiling one(chip);
    CHECK(one.SetShape(100, 200, 300) == 0 && one.GetTiling(t) == 0 && t.usedCoreNum == 1 && t.singleCoreM == 100 && t.Ka == 300);
}

namespace optiling {
BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF(uint16_t, small);
TILING_DATA_FIELD_DEF(int64_t, large);
END_TILING_DATA_DEF
BEGIN_TILING_DATA_DEF(Outer)
TILING_DATA_FIELD_DEF(bool, flag);
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
TILING_DATA_FIELD_DEF_STRUCT(SoftMaxTiling, soft);
TILING_DATA_FIELD_DEF_ARR(int16_t, 3, three);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(InnerOfPlans, Inner)
REGISTER_TILING_DATA_CLASS(Plans, Outer)
} // namespace optiling

struct OfKernel {
    bool flag;
    struct {
        uint16_t small;
        int64_t large;
    } inner;
    AscendC::tiling::SoftMaxTiling soft;
    int16_t three[3];
};

static void structures_have_the_bytes_of_the_kernels()
{
    optiling::Outer outer;
    CHECK(outer.GetDataSize() == sizeof(OfKernel) && std::strcmp(outer.GetTilingClassName(), "Outer") == 0);
    CHECK(!outer.get_flag() && outer.inner.get_large() == 0);
    const int16_t three[] = {1, -2, 3};
    outer.set_flag(true);
    outer.inner.set_large(-5);
    outer.set_three(three);
    AscendC::SoftMaxTilingFunc(ge::Shape({4, 8, 64}), 4, 1024, outer.soft);
    const optiling::Outer copy = outer;
    outer.inner.set_large(7);
    OfKernel read;
    std::memset(static_cast<void *>(&read), 0x55, sizeof read);
    copy.SaveToBuffer(&read, sizeof read - 1);
    CHECK(read.three[0] == 0x5555);
    copy.SaveToBuffer(&read, sizeof read);
    CHECK(read.flag && read.inner.large == -5 && read.soft.srcM == 32 && read.soft.srcK == 64 && read.three[1] == -2);
    OfKernel given;
    outer.SetDataPtr(&given);
    outer.inner.set_small(9);
    CHECK(given.inner.small == 9 && !given.flag && outer.inner.get_small() == 9 && outer.get_three()[1] == 0);

    optiling::TCubeTiling described;
    Plain plain, written;
    MultiCoreMatmulTiling plan = plan_of(3, DataType::DT_INT8, 70, 80, 90);
    CHECK(plan.GetTiling(described) == 0 && plan.GetTiling(plain) == 0 && described.GetDataSize() == sizeof plain);
    described.SaveToBuffer(&written, sizeof written);
    CHECK(std::memcmp(&written, &plain, sizeof plain) == 0);

    AscendC::tiling::LayerNormTiling norm;
    AscendC::tiling::RmsNormTiling rms;
    AscendC::GetLayerNormNDTilingInfo(ge::Shape({2, 4, 32, 30}), 1024, 2, false, norm);
    CHECK(norm.bLength == 2 && norm.sLength == 4 && norm.hLength == 32 && norm.originalHLength == 30);
    CHECK(AscendC::GetRmsNormTilingInfo(ge::Shape({1, 2, 32}), ge::Shape({1, 2, 30}), 1024, 4, rms) && rms.originalHLength == 30);
    CHECK(!AscendC::GetRmsNormTilingInfo(ge::Shape({2, 32}), ge::Shape({2, 30}), 1024, 4, rms));
    uint32_t most = 0, least = 0;
    AscendC::GetSinMaxMinTmpSize(ge::Shape({3, 100}), 4, false, most, least);
    CHECK(most == 1216 && least == 256);
}

static void small_headers_work()
{
    CHECK(float(op::fp16_t(0.1f)) == 0.0999755859375f && float(op::bfloat16(1.00390625f)) == 1.0f);
    char text[4] = "abc";
    CHECK(memcpy_s(text, 2, "xyz", 3) == ERANGE && text[0] == 'a' && memcpy_s(text, sizeof text, "xyz", 4) == EOK && text[2] == 'z');
    CHECK(memcpy_s(text, sizeof text, nullptr, 1) == EINVAL && memcpy_s(text + 1, 3, text, 2) == EINVAL);
    CHECK(memmove_s(text + 1, 3, text, 2) == EOK && text[1] == 'x' && strcpy_s(text, 2, "ab") == ERANGE && memset_s(text, 4, 1, 4) == EOK);
    uint64_t address = 1;
    uint32_t bytes = 1;
    CHECK(rtGetC2cCtrlAddr(&address, &bytes) == RT_ERROR_NONE && address == 0 && bytes == 0 && rtGetC2cCtrlAddr(nullptr, &bytes) != 0);
    CHECK(ge::DT_BF16 == 27 && ge::Shape({2, 3, 4}).GetShapeSize() == 24 && ge::Shape().GetDim(1) == 0);
}

int main()
{
    plans_fit_and_cover();
    wishes_are_kept_or_refused();
    structures_have_the_bytes_of_the_kernels();
    small_headers_work();
    return failures == 0 ? 0 : 1;
}
