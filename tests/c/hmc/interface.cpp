// SPDX-License-Identifier: Apache-2.0 OR MIT
// Numbers, layouts, defaults and signatures of the headers, which programs rely on; compiled, not run.
#include <hmc.h>
#include <mem.h>
#include <status.h>

#include "../src/memories/mem_type.h"
#include "../src/resource_manager/gpu_interface.h"

// Upstream's programs open the namespace themselves.
namespace hmc {

static_assert(static_cast<int>(status_t::SUCCESS) == 0 && static_cast<int>(status_t::ERROR) == 1, "");
static_assert(static_cast<int>(status_t::UNSUPPORT) == 2 && static_cast<int>(status_t::INVALID_CONFIG) == 3, "");
static_assert(static_cast<int>(status_t::TIMEOUT) == 4 && static_cast<int>(status_t::NOT_FOUND) == 5, "");
static_assert(static_cast<int>(ConnType::RDMA) == 0 && static_cast<int>(ConnType::UCX) == 1, "");
static_assert(static_cast<int>(MemoryType::DEFAULT) == 0 && static_cast<int>(MemoryType::CPU) == 1, "");
static_assert(static_cast<int>(MemoryType::NVIDIA_GPU) == 2 && static_cast<int>(MemoryType::AMD_GPU) == 3, "");
static_assert(static_cast<int>(MemoryType::CAMBRICON_MLU) == 4 && static_cast<int>(MemoryType::MOORE_GPU) == 5, "");
static_assert(static_cast<int>(MemoryType::HUAWEI_ASCEND_NPU) == 6, "");
static_assert(CTRL_INT == 1 && CTRL_STRUCT == 2 && sizeof(CtrlMsgType) == 2, "");
static_assert(static_cast<int>(Communicator::CtrlTransport::TCP) == 0 && static_cast<int>(Communicator::CtrlTransport::UDS) == 1, "");
static_assert(sizeof(Communicator::CtrlTransport) == 1, "");
static_assert(sizeof(CtrlMsgHeader) == 8 && std::is_trivially_copyable<CtrlMsgHeader>::value, "");
static_assert(ACCEL_PAGE_SIZE == 65536 && ::ACCEL_PAGE_SIZE == 65536, "");
static_assert(std::is_same<CNaddr, std::uint64_t>::value && std::is_same<::CNaddr, CNaddr>::value, "");

template <class Expected, class Given>
constexpr bool same(Given)
{
    return std::is_same<Expected, Given>::value;
}
using String = std::string;
using std::size_t;
using Ref = const std::string &;

static_assert(same<const char *(*)(status_t)>(&status_to_string), "");
static_assert(same<MemoryType (*)()>(&memory_supported) && same<bool (*)()>(&memory_dmabuf_supported), "");

static_assert(same<status_t (*)()>(&gpuInit) && same<status_t (*)(std::string *, int)>(&gpuGetPcieBusId), "");
static_assert(same<status_t (*)(int *)>(&gpuGetDeviceCount) && same<status_t (*)(int)>(&gpuSetDevice), "");
static_assert(same<status_t (*)(std::uint64_t *, std::uint64_t *)>(&gpuGetDeviceMemory), "");

static_assert(std::is_abstract<MemoryBase>::value && std::has_virtual_destructor<MemoryBase>::value, "");
static_assert(std::is_constructible<Memory, int>::value && std::is_constructible<Memory, int, MemoryType>::value, "");
static_assert(same<status_t (Memory::*)(void **, size_t)>(&Memory::allocateBuffer), "");
static_assert(same<status_t (Memory::*)(void **, size_t)>(&Memory::allocatePeerableBuffer), "");
static_assert(same<status_t (Memory::*)(void *)>(&Memory::freeBuffer), "");
static_assert(same<status_t (Memory::*)(void *, const void *, size_t)>(&Memory::copyHostToDevice), "");
static_assert(same<status_t (Memory::*)(void *, const void *, size_t)>(&Memory::copyDeviceToHost), "");
static_assert(same<status_t (Memory::*)(void *, const void *, size_t)>(&Memory::copyDeviceToDevice), "");
static_assert(same<std::unique_ptr<MemoryBase> (Memory::*)(MemoryType)>(&Memory::createMemoryClass), "");
static_assert(same<status_t (Memory::*)(int, MemoryType)>(&Memory::setDeviceIdAndMemoryType), "");
static_assert(same<status_t (Memory::*)()>(&Memory::init) && same<status_t (Memory::*)()>(&Memory::free), "");
static_assert(same<MemoryType (Memory::*)()>(&Memory::getMemoryType) && same<int (Memory::*)()>(&Memory::getDeviceId), "");
static_assert(same<status_t (Memory::*)()>(&Memory::getInitStatus), "");

static_assert(std::is_constructible<ConnBuffer, int, size_t>::value && !std::is_copy_constructible<ConnBuffer>::value, "");
static_assert(std::is_constructible<ConnBuffer, int, size_t, MemoryType>::value, "");
static_assert(same<void *ConnBuffer::*>(&ConnBuffer::ptr) && same<size_t ConnBuffer::*>(&ConnBuffer::buffer_size), "");
static_assert(same<Memory *ConnBuffer::*>(&ConnBuffer::mem_ops) && same<int ConnBuffer::*>(&ConnBuffer::device_id), "");
static_assert(same<MemoryType ConnBuffer::*>(&ConnBuffer::mem_type), "");
static_assert(same<status_t (ConnBuffer::*)(void *, size_t, size_t)>(&ConnBuffer::writeFromCpu), "");
static_assert(same<status_t (ConnBuffer::*)(void *, size_t, size_t)>(&ConnBuffer::readToCpu), "");
static_assert(same<status_t (ConnBuffer::*)(void *, size_t, size_t)>(&ConnBuffer::writeFromGpu), "");
static_assert(same<status_t (ConnBuffer::*)(void *, size_t, size_t)>(&ConnBuffer::readToGpu), "");
static_assert(same<status_t (ConnBuffer::*)(size_t, size_t, size_t)>(&ConnBuffer::copyWithin), "");

static_assert(std::is_constructible<Communicator, std::shared_ptr<ConnBuffer>>::value, "");
static_assert(std::is_constructible<Communicator, std::shared_ptr<ConnBuffer>, size_t>::value, "");
static_assert(!std::is_convertible<std::shared_ptr<ConnBuffer>, Communicator>::value, "");
using Transfer = status_t (Communicator::*)(String, std::uint16_t, size_t, size_t, size_t, ConnType);
static_assert(same<Transfer>(&Communicator::put) && same<Transfer>(&Communicator::get), "");
using Begun = status_t (Communicator::*)(String, std::uint16_t, size_t, size_t, size_t, std::uint64_t *, ConnType);
static_assert(same<Begun>(&Communicator::putNB) && same<Begun>(&Communicator::getNB), "");
using Pipeline = status_t (Communicator::*)(String, std::uint16_t, size_t, size_t, size_t, size_t, size_t, ConnType);
static_assert(same<Pipeline>(&Communicator::putPipeline) && same<Pipeline>(&Communicator::getPipeline), "");
using CtrlId = Communicator::CtrlId;
static_assert(std::is_same<CtrlId, std::uint32_t>::value && std::is_same<CtrlSocketManager::CtrlId, CtrlId>::value, "");
static_assert(same<status_t (Communicator::*)(CtrlId, std::uint64_t)>(&Communicator::ctrlSend), "");
static_assert(same<status_t (Communicator::*)(CtrlId, std::uint64_t *)>(&Communicator::ctrlRecv), "");
static_assert(same<status_t (Communicator::*)(Ref, std::uint16_t, Ref)>(&Communicator::initCtrlServer), "");
static_assert(same<status_t (Communicator::*)(CtrlId, CtrlId, const Communicator::CtrlLink &)>(&Communicator::connectCtrl), "");
static_assert(same<String (*)(Ref, CtrlId)>(&Communicator::udsPathFor), "");

// Both generations are overloads of the same names.
template <class Type>
Type overload(Type function)
{
    return function;
}
using C = Communicator;
const auto serve = overload<status_t (C::*)(Ref, std::uint16_t, std::uint16_t, Ref, ConnType)>(&C::initServer);
const auto serve_a = overload<status_t (C::*)(String, std::uint16_t, ConnType)>(&C::initServer);
const auto connect = overload<status_t (C::*)(CtrlId, CtrlId, Ref, std::uint16_t, const C::CtrlLink &, ConnType)>(&C::connectTo);
const auto connect_a = overload<status_t (C::*)(String, std::uint16_t, ConnType)>(&C::connectTo);
const auto leave = overload<status_t (C::*)(Ref, std::uint16_t, ConnType)>(&C::disConnect);
const auto leave_a = overload<status_t (C::*)(String, ConnType)>(&C::disConnect);
const auto ask = overload<status_t (C::*)(Ref, std::uint16_t, ConnType)>(&C::checkConn);
const auto ask_a = overload<status_t (C::*)(String, ConnType)>(&C::checkConn);
const auto stream = overload<status_t (C::*)(String, std::uint16_t, void *, size_t, MemoryType, ConnType)>(&C::sendDataTo);
const auto stream_a = overload<status_t (C::*)(String, void *, size_t, MemoryType, ConnType)>(&C::sendDataTo);
const auto from = overload<status_t (C::*)(String, std::uint16_t, void *, size_t, MemoryType, size_t *, ConnType)>(&C::recvDataFrom);
const auto from_a = overload<status_t (C::*)(String, void *, size_t, MemoryType, size_t *, ConnType)>(&C::recvDataFrom);
const auto one = overload<status_t (C::*)(std::uint64_t)>(&C::wait);
const auto all = overload<status_t (C::*)(const std::vector<std::uint64_t> &)>(&C::wait);
using Same = status_t (C::*)(String, size_t, size_t, ConnType);
static_assert(same<Same>(&C::writeTo) && same<Same>(&C::readFrom) && same<Same>(&C::send) && same<Same>(&C::recv), "");

using M = CtrlSocketManager;
static_assert(same<M &(*)()>(&M::instance), "");
static_assert(same<bool (M::*)(Ref, std::uint16_t, Ref)>(&M::start) && same<bool (M::*)(Ref, std::uint16_t)>(&M::startServer), "");
static_assert(same<bool (M::*)() const>(&M::isServer) && same<void (M::*)()>(&M::stop), "");
static_assert(same<bool (M::*)(CtrlId, Ref, std::uint16_t, CtrlId)>(&M::connectTcp), "");
static_assert(same<bool (M::*)(CtrlId, Ref, CtrlId)>(&M::connectUds), "");
static_assert(same<bool (M::*)(CtrlId, CtrlMsgType, const void *, size_t, std::uint16_t)>(&M::send), "");
static_assert(same<bool (M::*)(CtrlId, CtrlMsgHeader &, std::vector<std::uint8_t> &)>(&M::recv), "");
static_assert(same<int (M::*)(Ref, std::uint16_t)>(&M::getCtrlSockFd), "");
static_assert(same<bool (M::*)(Ref, CtrlMsgType, const void *, size_t, std::uint16_t)>(&M::sendCtrlMsg), "");
static_assert(same<bool (M::*)(Ref, CtrlMsgHeader &, std::vector<std::uint8_t> &)>(&M::recvCtrlMsg), "");

} // namespace hmc

int main()
{
    // Other contents of hmc.h.
    std::atomic<int> number{0};
    std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    std::queue<int> queue;
    std::unordered_map<int, int> map;
    const hmc::Communicator::CtrlLink link;
    std::cout << number << queue.size() << map.size() << ::getpid() << link.port << std::endl;
    static_cast<void>(std::signal(SIGPIPE, SIG_DFL));
    std::this_thread::sleep_for(std::chrono::milliseconds(0));
    logInfo("%d", 1);
    return std::atoi("0");
}
