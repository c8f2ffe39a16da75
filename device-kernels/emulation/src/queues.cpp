// SPDX-License-Identifier: Apache-2.0 OR MIT
// Queues of local tensors: allowed operations by state (K11), and the order between the two pipes.
#include <deque>

#include "../include/ascendc/buffers.h"
#include "core.h"

namespace mf::emulation {

// Members of QueueState, which other files name: so this and Slot are in no unnamed namespace.
enum class Stage { Free, Allocated, Queued, Taken };

static const char *stage_name(Stage stage) {
    switch (stage) {
    case Stage::Free:
        return "free";
    case Stage::Allocated:
        return "allocated";
    case Stage::Queued:
        return "in the queue";
    case Stage::Taken:
        break;
    }
    return "taken out";
}

struct Slot {
    Stage stage = Stage::Free;
    Site site{"", 0}; // of the call that brought it there
    // When the last pipe was through with it: the producer when it was queued, the consumer when it was
    // freed.
    Moment since{};
    bool was_used = false;
};

struct QueueState {
    Pipe producer;
    Pipe consumer;
    uint32_t depth;
    LocalRange memory;
    uint32_t bytes;
    Limit limit;
    Site site;
    std::vector<Slot> slots;
    std::deque<uint32_t> queued;
    uint32_t next = 0;
    bool is_gone = false; // TPipe took the memory back

    LocalRange range(uint32_t index) const {
        LocalRange one = memory;
        one.offset = one.buffer_begin = memory.offset + index * bytes;
        one.buffer_end = one.offset + bytes;
        return one;
    }
    Slot &slot_of(const char *name, const LocalRange &tensor, Site at) {
        const uint32_t from = tensor.offset - memory.offset, index = from / bytes;
        if (tensor.space != memory.space || tensor.buffer_end == 0 || tensor.offset < memory.offset || index >= slots.size())
            fault("K11", at, "%s: the tensor is not one of the queue's that InitBuffer made at %s", name, text_of(site).c_str());
        if (from % bytes != 0)
            fault("K11", at, "%s: the tensor begins %u bytes behind the one that AllocTensor gave", name, from % bytes);
        return slots[index];
    }
    void check_all_free(const char *when) const {
        for (const Slot &slot : slots)
            if (!is_gone && slot.stage != Stage::Free)
                warn("K11", slot.site, "a tensor of the queue of %s is still %s %s", text_of(site).c_str(),
                     stage_name(slot.stage), when);
    }
};

QueueState &Queue::state(const char *name, Site at) const {
    if (!has_memory())
        fault("K11", at, "%s: the queue has no buffers: InitBuffer comes first", name);
    return *state_;
}

bool Queue::has_memory() const { return state_ != nullptr && !state_->is_gone; }

void Queue::init(Pipe producer, Pipe consumer, uint32_t depth, const LocalRange &memory, uint32_t count, uint32_t bytes,
                 const Limit &limit, Site at) {
    if (core().leaving)
        return;
    if (has_memory())
        fault("K11", at, "InitBuffer: the queue has buffers already, since %s", text_of(state_->site).c_str());
    state_ = std::make_shared<QueueState>();
    state_->producer = producer;
    state_->consumer = consumer;
    state_->depth = depth;
    state_->memory = memory;
    state_->bytes = bytes;
    state_->limit = limit;
    state_->site = at;
    state_->slots.resize(count);
    at_end([state = state_] { state->check_all_free("when the kernel ends"); });
}

LocalRange Queue::allocate(uint32_t *bytes, Site at) {
    if (core().leaving)
        return {};
    QueueState &queue = state("AllocTensor", at);
    const uint32_t count = static_cast<uint32_t>(queue.slots.size());
    for (uint32_t tried = 0; tried < count; tried++) {
        const uint32_t index = (queue.next + tried) % count;
        Slot &slot = queue.slots[index];
        if (slot.stage != Stage::Free)
            continue;
        uint32_t &allocated = core().tensors[static_cast<size_t>(queue.limit.position)];
        if (queue.limit.tensors != 0 && allocated >= queue.limit.tensors)
            fault("K11", at, "AllocTensor: %u tensors of queues at this position are allocated; on A2 and A3 that is the most",
                  allocated);
        allocated++;
        if (slot.was_used)
            await(queue.producer, slot.since);
        slot.stage = Stage::Allocated;
        slot.site = at;
        slot.was_used = true;
        queue.next = (index + 1) % count;
        *bytes = queue.bytes;
        return queue.range(index);
    }
    const Slot &oldest = queue.slots[queue.next];
    fault("K11", at, "AllocTensor: none of the queue's %u buffers is free: the next one is %s since %s", count,
          stage_name(oldest.stage), text_of(oldest.site).c_str());
}

void Queue::enqueue(const LocalRange &tensor, Site at) {
    if (core().leaving)
        return;
    QueueState &queue = state("EnQue", at);
    const Slot &slot = queue.slot_of("EnQue", tensor, at);
    if (slot.stage != Stage::Allocated)
        fault("K11", at, "EnQue: the tensor is %s since %s", stage_name(slot.stage), text_of(slot.site).c_str());
    enqueue(tensor, queue.producer, at);
}

void Queue::enqueue(const LocalRange &tensor, Pipe producer, Site at) {
    if (core().leaving)
        return;
    QueueState &queue = state("EnQue", at);
    Slot &slot = queue.slot_of("EnQue", tensor, at);
    if (slot.stage == Stage::Free || slot.stage == Stage::Queued)
        fault("K11", at, "EnQue: the tensor is %s since %s", stage_name(slot.stage), text_of(slot.site).c_str());
    if (queue.queued.size() >= queue.depth)
        fault("K11", at, "EnQue: %zu tensors are in the queue, whose depth is %u", queue.queued.size(), queue.depth);
    slot.stage = Stage::Queued;
    slot.site = at;
    slot.since = moment(producer);
    queue.queued.push_back(static_cast<uint32_t>(&slot - queue.slots.data()));
}

LocalRange Queue::dequeue(uint32_t *bytes, Site at) {
    if (core().leaving)
        return {};
    return dequeue(bytes, state("DeQue", at).consumer, at);
}

LocalRange Queue::dequeue(uint32_t *bytes, Pipe consumer, Site at) {
    if (core().leaving)
        return {};
    QueueState &queue = state("DeQue", at);
    if (queue.queued.empty())
        fault("K11", at, "DeQue: the queue is empty");
    const uint32_t index = queue.queued.front();
    queue.queued.pop_front();
    Slot &slot = queue.slots[index];
    await(consumer, slot.since);
    slot.stage = Stage::Taken;
    slot.site = at;
    *bytes = queue.bytes;
    return queue.range(index);
}

void Queue::release(const LocalRange &tensor, Site at) {
    if (core().leaving)
        return;
    QueueState &queue = state("FreeTensor", at);
    Slot &slot = queue.slot_of("FreeTensor", tensor, at);
    if (slot.stage == Stage::Free || slot.stage == Stage::Queued)
        fault("K11", at, "FreeTensor: the tensor is %s since %s", stage_name(slot.stage), text_of(slot.site).c_str());
    slot.stage = Stage::Free;
    slot.site = at;
    core().tensors[static_cast<size_t>(queue.limit.position)]--;
    slot.since = moment(queue.consumer);
}

uint32_t Queue::queued() const { return has_memory() ? static_cast<uint32_t>(state_->queued.size()) : 0; }

bool Queue::has_queued() const { return queued() != 0; }

bool Queue::has_free() const {
    if (has_memory())
        for (const Slot &slot : state_->slots)
            if (slot.stage == Stage::Free)
                return true;
    return false;
}

void Queue::await_free() const {
    if (!has_memory() || core().leaving)
        return;
    for (const Slot &slot : state_->slots)
        if (slot.stage == Stage::Free && slot.was_used)
            await(state_->producer, slot.since);
}

void Queue::forget(Site) const {
    if (has_memory()) {
        await_free();
        state_->check_all_free("when TPipe takes its memory back");
        state_->is_gone = true;
    }
}

} // namespace mf::emulation
