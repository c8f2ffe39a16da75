/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Kernel that the released package launches on an AI CPU to make copies on channels, for the simulator. The
 * package ships a binary for the device alone; this one has its name and arguments. Each group goes to one
 * peer: its transfers, then a last one that records the notify of the stream.
 */
#include "ascend_sim_kernel.h"

#include "hcomm/hcomm_res.h"

static const struct mfk_host *host;

struct arguments {
    uint32_t groups;
    uint32_t reserved;
    uint64_t peers;    /* a number for each group */
    uint64_t starts;   /* first transfer of each group */
    uint64_t counts;   /* transfers of each group */
    uint64_t threads;  /* a handle for each group */
    uint64_t channels; /* a handle for each group */
    uint64_t total;
    uint64_t transfers;
    uint64_t lasts; /* one transfer for each group */
};

int mfk_attach(const struct mfk_host *table)
{
    host = table;
    return 0;
}

static const void *table_at(uint64_t address, uint64_t entries, uint64_t bytes)
{
    return host->translate(address, entries * bytes, MFK_READ);
}

static int run(const struct arguments *args)
{
    const uint32_t *starts = table_at(args->starts, args->groups, sizeof *starts);
    const uint32_t *counts = table_at(args->counts, args->groups, sizeof *counts);
    const ThreadHandle *threads = table_at(args->threads, args->groups, sizeof *threads);
    const ChannelHandle *channels = table_at(args->channels, args->groups, sizeof *channels);
    const HcommBatchTransferDesc *transfers = table_at(args->transfers, args->total, sizeof *transfers);
    const HcommBatchTransferDesc *lasts = table_at(args->lasts, args->groups, sizeof *lasts);
    uint32_t group;

    if (!starts || !counts || !threads || !channels || !transfers || !lasts)
        return 1;
    for (group = 0; group < args->groups; group++) {
        const HcommBatchTransferDesc *first = transfers + starts[group];

        if ((uint64_t)starts[group] + counts[group] > args->total)
            return 1;
        if (HcommBatchTransferOnThread(threads[group], channels[group], first, counts[group]) ||
            HcommBatchTransferOnThread(threads[group], channels[group], lasts + group, 1))
            return 1;
        host->progress();
    }
    return 0;
}

void mfk_launch_HybmBatchTransfer(const void *args, size_t bytes)
{
    if (bytes != sizeof(struct arguments) || run(args))
        host->report_fault("HybmBatchTransfer: a transfer was refused", 0);
}
