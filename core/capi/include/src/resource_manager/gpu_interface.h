// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Included by programs of HMC as "../src/resource_manager/gpu_interface.h": the accelerators of the kind that
// MemoryType::DEFAULT is on this machine. All are local; UNSUPPORT where it has none, with the reason in
// smem_get_last_err_msg; ERROR: a null pointer, or the driver refuses.
#ifndef HMC_GPU_INTERFACE_H
#define HMC_GPU_INTERFACE_H

#include <cstdint>
#include <string>

#include "../../hmc/hmc.h"

namespace hmc {

// Number of devices, 0 behind an error.
inline status_t gpuGetDeviceCount(int *count)
{
    std::int32_t number = 0;
    const status_t status = detail::status_of(mfx_hmc_device_count(MFX_HMC_DEFAULT, &number));
    if (count == nullptr) return status_t::ERROR;
    *count = number;
    return status;
}

// Opens the driver, which stays for the life of the process; again is nothing. The others do it, too.
inline status_t gpuInit()
{
    int count = 0;
    return gpuGetDeviceCount(&count);
}

// PCI bus id of a device, as its driver writes it (0000:3b:00.0). UNSUPPORT: also of NPUs.
inline status_t gpuGetPcieBusId(std::string *bus_id, int device_id)
{
    char text[128] = "";
    if (bus_id == nullptr) return status_t::ERROR;
    const status_t status = detail::status_of(mfx_hmc_device_bus(device_id, MFX_HMC_DEFAULT, text, sizeof text));
    if (status == status_t::SUCCESS) *bus_id = text;
    return status;
}

// Bytes of the current device of this thread, of device 0 where none is.
inline status_t gpuGetDeviceMemory(std::uint64_t *free_size, std::uint64_t *total_size)
{
    if (free_size == nullptr || total_size == nullptr) return status_t::ERROR;
    return detail::status_of(mfx_hmc_device_memory(-1, MFX_HMC_DEFAULT, free_size, total_size));
}

// Makes a device the current one of this thread, for the program's own calls of the driver. UNSUPPORT: also
// of NPUs.
inline status_t gpuSetDevice(int device_id)
{
    return detail::status_of(mfx_hmc_device_select(device_id, MFX_HMC_DEFAULT));
}

} // namespace hmc

#endif
