// SPDX-License-Identifier: Apache-2.0 OR MIT
// HMC in C++ on simulated GPUs of four vendors in one process: memory, pointers of the program, buffers, a
// full device, and every call of a driver failing once. No call changes the thread's current device.
#include "gpus.hpp"

#include "../src/resource_manager/gpu_interface.h"

namespace {

constexpr std::size_t BYTES = 100001;
const char *const HERE = "127.0.0.1";

void start_drivers()
{
    for (const Vendor &vendor : VENDORS) CHECK(of_driver<int(unsigned)>(vendor.start)(0) == 0);
}

// Makes a device current, as programs do that use it themselves.
void select()
{
    void *context = nullptr;
    std::uint64_t cambricon = 0;
    CHECK(of_driver<int(void **, int)>("cuDevicePrimaryCtxRetain")(&context, 1) == 0);
    CHECK(of_driver<int(void *)>("cuCtxSetCurrent")(context) == 0);
    CHECK(of_driver<int(int)>("hipSetDevice")(0) == 0);
    CHECK(of_driver<int(void **, int)>("muDevicePrimaryCtxRetain")(&context, 0) == 0);
    CHECK(of_driver<int(void *)>("muCtxSetCurrent")(context) == 0);
    CHECK(of_driver<int(std::uint64_t *, int)>("cnDeviceGet")(&cambricon, 0) == 0);
    CHECK(of_driver<int(void **, std::uint64_t)>("cnSharedContextAcquire")(&context, cambricon) == 0);
    CHECK(of_driver<int(void *)>("cnCtxSetCurrent")(context) == 0);
}

void memory(const Vendor &vendor, int device)
{
    Memory it(device, vendor.type);
    CHECK(it.getMemoryType() == vendor.type && it.getDeviceId() == device);
    KEEPS(SUCCESS, it.init());
    void *plain = nullptr, *peerable = nullptr;
    KEEPS(SUCCESS, it.allocateBuffer(&plain, BYTES));
    KEEPS(SUCCESS, it.allocatePeerableBuffer(&peerable, BYTES));
    std::int32_t type = 0, number = -1;
    for (void *address : {plain, peerable}) {
        CHECK(mfx_hmc_memory_kind(address, &type, &number) == 0);
        CHECK(type == static_cast<std::int32_t>(vendor.type) && number == device);
    }
    const std::vector<char> sent = bytes_of(BYTES, 3);
    std::vector<char> got(BYTES);
    KEEPS(SUCCESS, it.copyHostToDevice(plain, sent.data(), BYTES));
    KEEPS(SUCCESS, it.copyDeviceToDevice(peerable, plain, BYTES));
    KEEPS(SUCCESS, it.copyDeviceToHost(got.data(), peerable, BYTES));
    CHECK(got == sent);
    // The next copy reads the last one's output, in either direction.
    for (std::size_t round = 0; round < 20; round++) {
        std::vector<char> next = bytes_of(999, round);
        IS(SUCCESS, it.copyHostToDevice(peerable, next.data(), next.size()));
        IS(SUCCESS, it.copyDeviceToDevice(plain, peerable, next.size()));
        std::fill(next.begin(), next.end(), 'x');
        IS(SUCCESS, it.copyDeviceToHost(next.data(), plain, next.size()));
        CHECK(next == bytes_of(999, round));
    }
    KEEPS(ERROR, it.copyHostToDevice(nullptr, sent.data(), 1));
    KEEPS(ERROR, it.copyDeviceToHost(got.data(), nullptr, 1));
    KEEPS(SUCCESS, it.copyDeviceToDevice(peerable, plain, 0));
    KEEPS(ERROR, it.copyHostToDevice(plain, sent.data(), std::size_t{1} << 40));
    KEEPS(SUCCESS, it.freeBuffer(plain));
    KEEPS(ERROR, it.freeBuffer(plain));
    KEEPS(SUCCESS, it.freeBuffer(peerable));
    KEEPS(SUCCESS, it.freeBuffer(nullptr));
    KEEPS(ERROR, it.allocateBuffer(&plain, std::size_t{1} << 40));
    KEEPS(ERROR, it.allocateBuffer(&plain, 0));
    KEEPS(SUCCESS, it.free());
}

// Memory that the program has from the driver is as good as the library's own.
void pointers_of_the_program(const Vendor &vendor, int device)
{
    std::uint64_t address = 0;
    CHECK(of_driver<int(std::uint64_t *, std::size_t)>(vendor.allocate)(&address, BYTES) == 0);
    void *const own = reinterpret_cast<void *>(address);
    std::int32_t type = 0, number = -1;
    CHECK(mfx_hmc_memory_kind(static_cast<char *>(own) + BYTES - 1, &type, &number) == 0);
    CHECK(type == static_cast<std::int32_t>(vendor.type) && number == device);
    Memory it(device, vendor.type);
    ConnBuffer buffer(device, BYTES, vendor.type);
    const std::vector<char> sent = bytes_of(BYTES, 7);
    KEEPS(SUCCESS, it.copyHostToDevice(own, sent.data(), BYTES));
    KEEPS(SUCCESS, buffer.writeFromGpu(own, BYTES - 5, 5));
    CHECK(has(buffer, std::vector<char>(sent.begin(), sent.end() - 5), 5));
    KEEPS(SUCCESS, buffer.readToGpu(own, 1000, 5));
    KEEPS(ERROR, buffer.readToGpu(own, 1000, BYTES - 999));
    KEEPS(SUCCESS, it.freeBuffer(own));
}

void buffer(const Vendor &vendor, int device)
{
    ConnBuffer it(device, BYTES, vendor.type);
    CHECK(it.ptr != nullptr && it.device_id == device && it.mem_type == vendor.type && it.mem_ops->getMemoryType() == vendor.type);
    std::vector<char> there = bytes_of(BYTES, 1);
    KEEPS(SUCCESS, it.writeFromCpu(there.data(), BYTES));
    const std::size_t moves[][3] = {{0, 5, 3000}, {5, 0, 3000}, {40000, 0, 60001}, {0, 99, 99000}, {99, 0, 7}, {3, 3, 10}};
    for (const auto &move : moves) {
        KEEPS(SUCCESS, it.copyWithin(move[0], move[1], move[2]));
        std::memmove(there.data() + move[0], there.data() + move[1], move[2]);
        CHECK(has(it, there));
    }
    KEEPS(ERROR, it.copyWithin(1, 0, BYTES));
    KEEPS(ERROR, it.writeFromCpu(there.data(), 5, ~std::size_t{0} - 2));
    KEEPS(ERROR, it.writeFromCpu(nullptr, 1));
    CHECK(has(it, there));
    try {
        ConnBuffer large(device, std::size_t{1} << 40, vendor.type);
        CHECK(!"a device has no room for a TiB");
    } catch (const Error &error) {
        CHECK(error.status() == status_t::ERROR);
    }
    try {
        Memory none(vendor.devices, vendor.type);
        CHECK(!"no such device");
    } catch (const Error &error) {
        CHECK(error.status() == status_t::UNSUPPORT);
    }
}

// Number, place and room of a vendor's devices; selecting one is the only call that changes the current
// device.
void devices(const Vendor &vendor)
{
    const std::int32_t type = static_cast<std::int32_t>(vendor.type);
    std::int32_t count = -1;
    KEEPS(SUCCESS, static_cast<status_t>(mfx_hmc_device_count(type, &count)));
    CHECK(count == vendor.devices);
    for (int device = 0; device < vendor.devices; device++) {
        char where[32] = "", shorter[13] = "";
        KEEPS(SUCCESS, static_cast<status_t>(mfx_hmc_device_bus(device, type, where, sizeof where)));
        CHECK(std::strlen(where) == sizeof shorter - 1 && std::strchr(where, ':') != nullptr);
        KEEPS(SUCCESS, static_cast<status_t>(mfx_hmc_device_bus(device, type, shorter, sizeof shorter)));
        CHECK(std::strcmp(where, shorter) == 0);
        KEEPS(ERROR, static_cast<status_t>(mfx_hmc_device_bus(device, type, shorter, sizeof shorter - 1)));
        std::uint64_t before = 0, free = 0, total = 0, room = 0;
        KEEPS(SUCCESS, static_cast<status_t>(mfx_hmc_device_memory(device, type, &before, &total)));
        Memory memory(device, vendor.type);
        void *address = nullptr;
        IS(SUCCESS, memory.allocateBuffer(&address, 1 << 20));
        KEEPS(SUCCESS, static_cast<status_t>(mfx_hmc_device_memory(device, type, &free, nullptr)));
        CHECK(before <= total && free + (1 << 20) <= before);
        // Of the current one: only one of them has less now.
        const std::array<std::uint64_t, 4> others = current();
        IS(SUCCESS, static_cast<status_t>(mfx_hmc_device_select(device, type)));
        KEEPS(SUCCESS, static_cast<status_t>(mfx_hmc_device_memory(-1, type, &room, nullptr)));
        CHECK(room == free);
        const std::array<std::uint64_t, 4> chosen = current();
        int changed = 0;
        for (std::size_t at = 0; at < chosen.size(); at++) changed += chosen[at] != others[at];
        CHECK(changed <= 1 && (device == 0 || changed == 1));
        IS(SUCCESS, memory.freeBuffer(address));
    }
    for (int device : {vendor.devices, -2}) {
        char where[32] = "";
        std::uint64_t room = 0;
        KEEPS(UNSUPPORT, static_cast<status_t>(mfx_hmc_device_bus(device, type, where, sizeof where)));
        KEEPS(UNSUPPORT, static_cast<status_t>(mfx_hmc_device_memory(device, type, &room, &room)));
        KEEPS(UNSUPPORT, static_cast<status_t>(mfx_hmc_device_select(device, type)));
    }
}

// The same as programs of HMC have it, of the first vendor.
void interface_of_gpus()
{
    int count = 0;
    std::string zero, one = "kept";
    std::uint64_t free = 0, total = 0;
    IS(SUCCESS, gpuInit());
    IS(SUCCESS, gpuGetDeviceCount(&count));
    CHECK(count == VENDORS[0].devices);
    IS(UNSUPPORT, gpuGetPcieBusId(&one, count));
    CHECK(one == "kept");
    IS(SUCCESS, gpuGetPcieBusId(&zero, 0));
    IS(SUCCESS, gpuGetPcieBusId(&one, 1));
    CHECK(!zero.empty() && zero != one);
    IS(UNSUPPORT, gpuSetDevice(-1));
    // Device 0, without a current one.
    IS(SUCCESS, gpuGetDeviceMemory(&free, &total));
    CHECK(free > 0 && free <= total);
    IS(SUCCESS, gpuSetDevice(1));
    int device = 0;
    CHECK(of_driver<int(int *)>("cuCtxGetDevice")(&device) == 0 && device == 1);
    IS(SUCCESS, gpuGetDeviceMemory(&free, &total));
    IS(ERROR, gpuGetDeviceCount(nullptr));
    IS(ERROR, gpuGetPcieBusId(nullptr, 0));
    IS(ERROR, gpuGetDeviceMemory(nullptr, &total));
}

// Allowed outcome of a call when a driver refuses something.
struct Attempt {
    bool is_right = true;

    void operator()(status_t status)
    {
        CHECK(status == status_t::SUCCESS || status == status_t::ERROR || status == status_t::UNSUPPORT || status == status_t::NOT_FOUND);
        is_right = is_right && status == status_t::SUCCESS;
    }
};

// Memory, a buffer and transfers; whether all of it went well.
bool everything(const Vendor &vendor, std::uint16_t port)
{
    Attempt attempt;
    std::unique_ptr<Memory> memory;
    void *address = nullptr;
    try {
        memory.reset(new Memory(0, vendor.type));
        std::vector<char> sent = bytes_of(5000, 2), got(5000);
        attempt(memory->allocateBuffer(&address, sent.size()));
        if (address == nullptr) return false;
        attempt(memory->copyHostToDevice(address, sent.data(), sent.size()));
        {
            const auto near = std::make_shared<ConnBuffer>(0, 10000, vendor.type);
            const auto far = std::make_shared<ConnBuffer>(0, 10000, MemoryType::CPU);
            Communicator client(near), server(far);
            IS(SUCCESS, until_success([&] { return server.initServer(HERE, port, 0, "", ConnType::UCX); }));
            attempt(near->writeFromGpu(address, sent.size()));
            attempt(near->copyWithin(9, 0, 4000));
            attempt(near->copyWithin(0, 9, 4000));
            attempt(static_cast<status_t>(mfx_hmc_comm_connect(client.handle(), HERE, port, static_cast<std::int32_t>(ConnType::UCX))));
            std::uint64_t id = 0;
            attempt(client.put(HERE, port, 0, 5000, 5000, ConnType::UCX));
            attempt(client.getNB(HERE, port, 5000, 5000, 5000, &id, ConnType::UCX));
            attempt(client.wait(id));
            attempt(near->readToCpu(got.data(), got.size(), 5000));
            std::copy(sent.begin() + 4000, sent.begin() + 4009, got.begin() + 4000);
            CHECK(!attempt.is_right || got == sent);
        }
    } catch (const Error &error) {
        attempt(error.status());
    }
    if (address != nullptr) attempt(memory->freeBuffer(address));
    return attempt.is_right;
}

// Every nth call of a driver fails once: an error, no crash, and nothing is kept that can be given back.
void failures(const Vendor &vendor, std::uint16_t port)
{
    bool is_right = everything(vendor, port);
    CHECK(is_right);
    std::uint64_t kept = leaks();
    const std::uint64_t step = getenv("MF_TEST_FAULTS") != nullptr ? 1 : 3;
    std::uint64_t nth = 1, failed = 0;
    for (;; nth += step) {
        const std::uint64_t start = driver_calls();
        // A separate thread: its current device may be lost if restoring it fails.
        std::thread([&] {
            fail_call(nth);
            is_right = everything(vendor, port);
        }).join();
        if (driver_calls() - start < nth) break;
        fail_call(0);
        // The failed call may have been part of a release; only that object leaks then.
        const std::string name = failed_call();
        bool may_lose = false;
        for (const char *part : {"Free", "Destroy", "Unregister", "Ctx", "Device", "Wait", "Sync"})
            may_lose = may_lose || name.find(part) != name.npos;
        if (leaks() > kept + (may_lose ? 1 : 0)) std::printf("call %u, %s:\n", static_cast<unsigned>(nth), name.c_str());
        CHECK(leaks() <= kept + (may_lose ? 1 : 0));
        kept = leaks();
        if (!is_right) failed++;
    }
    fail_call(0);
    CHECK(is_right && failed > 0 && nth > 30);
    CHECK(everything(vendor, port));
}

} // namespace

int main()
{
    start_drivers();
    std::thread([] {
        for (const Vendor &vendor : VENDORS)
            for (int device = 0; device < vendor.devices; device++) {
                memory(vendor, device);
                buffer(vendor, device);
            }
    }).join();
    CHECK(leaks() == 0);
    std::thread([] {
        for (const Vendor &vendor : VENDORS) devices(vendor);
    }).join();
    std::thread(interface_of_gpus).join();
    CHECK(leaks() == 0);
    select();
    for (const Vendor &vendor : VENDORS) {
        memory(vendor, 0);
        pointers_of_the_program(vendor, vendor.devices - 1);
    }
    CHECK(memory_supported() == MemoryType::NVIDIA_GPU && Memory(0).getMemoryType() == MemoryType::NVIDIA_GPU);
    const std::uint16_t port = free_ports(0);
    for (const Vendor &vendor : VENDORS) failures(vendor, port);
    return check_failures == 0 ? 0 : 1;
}
