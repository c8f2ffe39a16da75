// SPDX-License-Identifier: Apache-2.0 OR MIT
// The second source of statics.cpp: the headers are in both, and both have objects of their own.
#include <hmc.h>

hmc::status_t other_round(hmc::ConnBuffer &buffer);

namespace {

std::shared_ptr<hmc::ConnBuffer> own = std::make_shared<hmc::ConnBuffer>(0, 32, hmc::MemoryType::DEFAULT);
hmc::Communicator comm(own);

} // namespace

hmc::status_t other_round(hmc::ConnBuffer &buffer)
{
    char word[4] = {'w', 'o', 'r', 'd'};
    const hmc::status_t written = buffer.writeFromCpu(word, sizeof word);
    return written == hmc::status_t::SUCCESS ? comm.wait(0) : written;
}
