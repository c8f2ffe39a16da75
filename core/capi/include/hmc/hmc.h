// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// HMC: transfers between buffers of two processes, each in host memory or on an accelerator of any vendor,
// and a control channel, which delivers messages after the data. For C++14 and newer; headers alone: link
// with -lhmc, which is libmf_smem.so. No header or library of a vendor is needed: the libraries of a machine
// are opened at run time.
//
//     auto buffer = std::make_shared<hmc::ConnBuffer>(0, 128 << 20, hmc::MemoryType::CPU);
//     hmc::Communicator comm(buffer);
//     comm.connectTo(0, 1, "192.0.2.1", 2025, link, hmc::ConnType::UCX);
//     buffer->writeFromCpu(data, bytes);
//     comm.put("192.0.2.1", 2025, 0, 0, bytes, hmc::ConnType::UCX);
//     comm.ctrlSend(0, 1);    // arrives behind the bytes
//
// | header | what |
// |---|---|
// | status.h, hmc_error.h | how calls end; what constructors throw, and the text of the last failure |
// | mem.h, hmc_memory.h | Memory: allocations and copies of one kind of memory |
// | hmc_buffer.h | ConnBuffer: the buffer that peers read and write |
// | hmc_communicator.h, hmc_by_address.h | Communicator: connections and transfers |
// | hmc_ctrl.h | CtrlSocketManager: the control channel of the process |
//
// Objects may be made before main and ended after it. No call ends the process or sets handlers of signals. A
// forked child uses objects of its own. See docs/hmc-cpp.md.
#ifndef HMC_H
#define HMC_H

// Programs written for this header rely on its includes.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include "hmc_communicator.h"
#include "mem.h"
#include "status.h"

#endif
