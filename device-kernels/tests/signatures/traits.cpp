// SPDX-License-Identifier: Apache-2.0 OR MIT
// Properties of types, names of older kernels, and the compiler's own functions. Compiled against the
// emulation, as further.cpp is.
#include "ascendc/host_api/tiling/template_argument.h"
#include "basic_api/kernel_basic_intf.h"
#include "basic_api/kernel_operator_block_sync_intf.h"
#include "impl/dav_c220/kernel_operator_reg_others_impl.h"
#include "kernel_basic_intf.h"
#include "kernel_cube_intf.h"
#include "kernel_macros.h"
#include "kernel_operator_block_sync_intf.h"
#include "kernel_operator_intf.h"
#include "kernel_tensor.h"
#include "kernel_tensor_impl.h"
#include "kernel_vec_intf.h"
#include "simt_api/asc_simt.h"
#include "utils/debug/asc_assert.h"
#include "utils/debug/asc_dump.h"
#include "utils/debug/asc_printf.h"

using namespace AscendC;

// Tables for the build of operators are nothing to a compiler.
ASCENDC_TPL_ARGS_DECL(Sample, ASCENDC_TPL_BOOL_DECL(IS_PAGED, 0, 1), );
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_BOOL_SEL(IS_PAGED, 1), ), );

static_assert(IsSameType<half, half>::value && !IsSameType<half, float>::value);
static_assert(Std::is_same_v<Conditional<true, half, float>::type, half>);
static_assert(Std::is_same_v<Conditional<false, half, float>::type, float>);
static_assert(Std::is_same<int, int>::value && Std::IsSame<int, int>::value && !Std::IsSame<int, long>::value);
static_assert(Std::is_one_of_v<half, float, half> && !Std::is_one_of_v<half, float> && !Std::is_one_of<int>::value);
static_assert(Std::is_convertible<int, float>::value && Std::is_integral<int>::value && Std::is_pointer<int *>::value);
static_assert(Std::is_floating_point<float>::value && Std::is_void<void>::value && Std::is_const<const int>::value);
static_assert(Std::is_same_v<Std::enable_if_t<true, int>, int> && Std::is_same_v<Std::conditional_t<true, int, half>, int>);
static_assert(Std::is_same_v<Std::remove_cvref_t<const int &>, int> && Std::is_same_v<Std::decay<int &>::type, int>);
static_assert(Std::is_same_v<Std::true_type, Std::bool_constant<true>> && Std::integral_constant<int, 3>::value == 3);
static_assert(Std::tuple_size_v<Std::tuple<int, float>> == 2 && Std::is_tuple_v<Std::tuple<int>> && !Std::is_tuple_v<int>);
static_assert(Std::get<1>(Std::make_tuple(1, 2)) == 2 && Std::make_index_sequence<3>::size() == 3);
static_assert(Std::Int<4>::value == 4 && Std::is_constant<Std::Int<4>>::value && !Std::is_constant<int>::value);
static_assert(Ceil(7, 2) == 4 && DivCeil(7, uint64_t{2}) == 4 && ConstCeil(8, 2) == 4 && AlignUp(7, 2) == 8);
static_assert(min(uint32_t{2}, 1) == 1 && max(2.5f, 1) == 2.5f && min(int64_t{-1}, 7) == -1 && clz(1) == 63);
static_assert(Std::min(2, 1) == 1 && Std::max(2, 1) == 2 && Std::abs(-3) == 3);
static_assert(BLOCK_CUBE == 16 && ONE_BLK_SIZE == 32 && DEFAULT_C0_SIZE == 32 && HALF_MASK_LEN == 64);
static_assert(CACHELINE_OUT == 2 && ENTIRE_DATA_CACHE == 1 && DSB_SEQ == 3 && get_imm(5) == 5);
static_assert(Std::is_same_v<float32_t, float> && static_cast<uint8_t>(RoundMode::UNKNOWN) == 0xff);

#if __NPU_ARCH__ == 2201
static_assert(sizeof(LoadData2dTransposeParams) == 12 && PAD_SIZE == 4 && static_cast<int>(FmatrixMode::FMATRIX_RIGHT) == 1);
__aicore__ inline void loads(const LocalTensor<half> &l1, const LocalTensor<half> &a2)
{
    const uint8_t pads[PAD_SIZE] = {};
    static constexpr IsResetLoad3dConfig AS_SET(false, false);
    SetFmatrix(1, 16, pads, FmatrixMode::FMATRIX_LEFT);
    SetLoadDataPaddingValue(half(0.0F));
    LoadData<half, AS_SET>(a2, l1, LoadData3DParamsV2<half>());
    LoadData<half, IS_RESER_LOAD3D_DEFAULT_CONFIG>(a2, l1, LoadData3DParamsV2<half>());
    LoadDataWithTranspose(a2, l1, LoadData2dTransposeParams());
}
static_assert(sizeof(&loads) != 0);
#endif
__aicore__ inline void constants(const LocalTensor<half> &l1)
{
    InitConstValue(l1, InitConstValueParams<half>(1, half(0.0F)));
    Fill(l1, InitConstValueParams<half>(1, 1, 0, half(0.0F)));
}
static_assert(sizeof(&constants) != 0);

// Only compiled.
__aicore__ inline void older(__kfc_workspace__ GM_ADDR workspace, __local_mem__ float *local, GlobalTensor<float> &global)
{
    if (g_coreType == AIV && block_idx < block_num && get_block_idx() < get_block_num()) pipe_barrier(PIPE_ALL);
    if (get_subblockid() < get_subblockdim()) (void)get_sys_cnt();
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    set_mask_norm();
    set_vector_mask(0, 1);
    set_atomic_add();
    set_atomic_f32();
    set_atomic_none();
    dcci(workspace, SINGLE_CACHE_LINE);
    dsb(DSB_ALL);
    copy_gm_to_ubuf(local, workspace, 0, 1, 1, 0, 0);
    copy_ubuf_to_gm(workspace, local, 0, 1, 1, 0, 0);
    st_dev(ld_dev(workspace, 0), workspace, 1);
    if (block_num == 0) trap();
    set_ffts_base_addr(0);
    ffts_cross_core_sync(PIPE_MTE3, 1 + (2 << 4) + (3 << 8));
    wait_flag_dev(3);
    set_mask_count();
    set_atomic_max();
    set_atomic_min();
    set_atomic_f16();
    set_atomic_bf16();
    set_atomic_s32();
    set_atomic_s16();
    set_atomic_s8();
    copy_gm_to_ubuf_align_b8(local, workspace, 0, 1, 3, 0, 0, 0, 0);
    copy_gm_to_ubuf_align_b16(local, workspace, 0, 1, 2, 0, 1, 0, 0);
    copy_ubuf_to_gm_align_b8(workspace, local, 0, 1, 3, 0, 0, 0, 0);
    copy_ubuf_to_gm_align_b16(workspace, local, 0, 1, 4, 0, 0, 0, 0);
    InitGlobalMemory(global, 8, 0.0F);
    Fill(global, 8, 0.0F);
    RepeatReduceSum(LocalTensor<float>(), LocalTensor<float>(), 1, 64, 0, 1, 1, 8);
    SetMMLayoutTransform(true);
    SetHF32Mode(false);
    SetHF32Mode(HF32Mode::DISABLE);
    SetHF32TransMode(true);
    SetHF32TransMode(HF32TransMode::NEAREST_EVEN);
    SetMMRowMajor();
    SetMMColumnMajor();
    OOMCheckAddrRange(workspace, 32);
    ASSERT(workspace != nullptr && "a workspace");
    KERNEL_LOG(KERNEL_ERROR, "%d", 3);
    TPipe *pipe = ::GetTPipePtr();
    pipe->Destroy();
}
static_assert(sizeof(&older) != 0);

int main() { return 0; }
