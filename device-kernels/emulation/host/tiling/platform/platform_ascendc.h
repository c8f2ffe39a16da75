// SPDX-License-Identifier: Apache-2.0 OR MIT
// Facts of the chip, for host code that divides work: numbers of cores and sizes of their memories.
//
// libascendcl.so answers for the first device of the process; on the simulator by its SoC (`mf sim --soc`).
#ifndef MF_HOST_TILING_PLATFORM_PLATFORM_ASCENDC_H
#define MF_HOST_TILING_PLATFORM_PLATFORM_ASCENDC_H

#include <csignal>
#include <cstdint>
#include <cstring>

#include "../../platform/soc_spec.h"

// In a source with kernels the kernel's own takes its place.
#if !defined(MF_FRONT) && !defined(ASCENDC_ASSERT)
#define ASCENDC_ASSERT(cond, behavior) \
    do { \
        if (!(cond)) { \
            behavior; \
            ::std::raise(SIGABRT); \
        } \
    } while (false)
#endif

namespace fe {
// Facts of an operator build.
class PlatFormInfos;
} // namespace fe

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B = 1, L0_C = 2, L1 = 3, L2 = 4, UB = 5, HBM = 6, FB = 7, BT = 8, RESERVED };

enum class SocVersion {
    ASCEND910 = 0,
    ASCEND910B = 1, // Ascend910_93 as well
    ASCEND310P = 2,
    ASCEND310B = 3,
    ASCEND950 = 4,
    ASCEND910_55 = 5,
    ASCEND910_95 = 4,
    AS31XM1,
    ASCEND031,
    ASCEND035,
    ASCEND310,
    ASCEND610,
    ASCEND610Lite,
    ASCEND910_93,
    BS9SX1A,
    BS9SX2A,
    HI3796CV300CS,
    HI3796CV300ES,
    MC61AM21A,
    MC62,
    SD3403,
    KIRINX90,
    KIRIN9030,
    MC32DM11A,
    ASCEND350,
    RESERVED_VERSION = 99999,
};

enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };

// The functions of acl/acl.h under names of our own, so that both headers may be in one file.
extern "C" const char *mf_platform_soc_name() __asm__("aclrtGetSocName");
extern "C" int mf_platform_device_info(uint32_t device, uint32_t attribute, int64_t *value)
    __asm__("aclrtGetDeviceInfo");

// None of the functions blocks. Reading is for any thread; ReserveLocalMemory is for one at a time.
class PlatformAscendC {
  public:
    // The infos of an operator build have no effect here.
    explicit PlatformAscendC(fe::PlatFormInfos *) {}

    uint32_t GetCoreNum() const { return static_cast<uint32_t>(fact(AI_CORES)); }
    // Cube cores of a device.
    uint32_t GetCoreNumAic() const { return static_cast<uint32_t>(fact(CUBE_CORES)); }
    // Vector cores of a device.
    uint32_t GetCoreNumAiv() const { return static_cast<uint32_t>(fact(VECTOR_CORES)); }
    // Vector cores of the 310P besides its AI cores: here none.
    uint32_t GetCoreNumVector() const { return 0; }

    // Blocks for `sliceNum` slices on vector cores: a block has as many of them as there are for each cube
    // core. 0: more than there are cube cores.
    uint32_t CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const {
        if (aicCoreNum == 0 || aivCoreNum == 0 || aicCoreNum > aivCoreNum) return sliceNum;
        const uint32_t ratio = aivCoreNum / aicCoreNum;
        const uint32_t blocks = (sliceNum + ratio - 1) / ratio;
        return ratio == 2 && blocks > aicCoreNum ? 0 : blocks;
    }
    uint32_t CalcTschBlockDim(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const {
        return CalcTschNumBlocks(sliceNum, aicCoreNum, aivCoreNum);
    }

    // Bytes of the workspace that the library takes; all ones for an unknown chip.
    uint32_t GetLibApiWorkSpaceSize() const {
        return GetCurNpuArch() == NpuArch::DAV_RESV ? UINT32_MAX : 16u << 20;
    }
    uint32_t GetResCubeGroupWorkSpaceSize() const {
        return GetSocVersion() == SocVersion::ASCEND910B ? 1u << 20 : UINT32_MAX;
    }
    uint32_t GetResGroupBarrierWorkSpaceSize() const { return GetResCubeGroupWorkSpaceSize(); }

    // Bytes that a kernel may use. FB and BT: 0, not known here.
    void GetCoreMemSize(const CoreMemType &memType, uint64_t &size) const {
        const bool is_950 = GetCurNpuArch() == NpuArch::DAV_3510;
        // Kept by the system.
        const uint64_t kept = GetSocVersion() == SocVersion::ASCEND910B ? 256 : 0;
        switch (memType) {
        case CoreMemType::L0_A:
        case CoreMemType::L0_B: size = 64u << 10; break;
        case CoreMemType::L0_C: size = (is_950 ? 256u : 128u) << 10; break;
        case CoreMemType::L1: size = (512u << 10) - kept; break;
        case CoreMemType::L2: size = fact(L2_BYTES); break;
        case CoreMemType::UB: size = fact(UB_BYTES) - kept - reserved_; break;
        case CoreMemType::HBM: size = fact(HBM_BYTES); break;
        default: size = 0;
        }
    }
    // 0: not known here.
    void GetCoreMemBw(const CoreMemType &, uint64_t &bwSize) const { bwSize = 0; }
    // Takes so much of the unified buffer from GetCoreMemSize; the last call counts.
    void ReserveLocalMemory(ReservedSize size) { reserved_ = uint64_t{8192} << static_cast<int>(size); }

    SocVersion GetSocVersion() const {
        switch (GetCurNpuArch()) {
        case NpuArch::DAV_2201: return SocVersion::ASCEND910B;
        case NpuArch::DAV_3510: return SocVersion::ASCEND950;
        default: return SocVersion::RESERVED_VERSION;
        }
    }
    NpuArch GetCurNpuArch() const {
        switch (fact(NPU_ARCH)) {
        case 2201: return NpuArch::DAV_2201;
        case 3510: return NpuArch::DAV_3510;
        default: return NpuArch::DAV_RESV;
        }
    }
    // Bytes of a vector register; 0 without them.
    uint32_t GetVecRegLen() const { return GetCurNpuArch() == NpuArch::DAV_3510 ? 256 : 0; }

  private:
    // Attributes of aclrtGetDeviceInfo.
    enum Fact : uint32_t {
        AI_CORES = 101,
        CUBE_CORES = 102,
        VECTOR_CORES = 201,
        UB_BYTES = 204,
        HBM_BYTES = 301,
        L2_BYTES = 302,
        NPU_ARCH = 601,
    };
    // 0 if there is no device.
    static uint64_t fact(Fact number) {
        int64_t value = 0;
        return mf_platform_device_info(0, number, &value) == 0 ? static_cast<uint64_t>(value) : 0;
    }

    uint64_t reserved_ = 0;
};

class PlatformAscendCManager {
  public:
    // The one of this process; null without a device, or for an unknown chip.
    static PlatformAscendC *GetInstance() {
        static PlatformAscendC platform(nullptr);
        const bool is_known = mf_platform_soc_name() != nullptr &&
                              platform.GetSocVersion() != SocVersion::RESERVED_VERSION;
        return is_known ? &platform : nullptr;
    }
    // The name is for builds without a device: here the device's own counts.
    static PlatformAscendC *GetInstance(const char *customSocVersion) {
        (void)customSocVersion;
        return GetInstance();
    }
};

} // namespace platform_ascendc

#endif
