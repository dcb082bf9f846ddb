/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemm_weights.h"

#include "harness/cells/share_weights.h"

static int set(void *gemm, const struct schedule *schedule)
{
    return gemm_set_schedule(gemm, schedule);
}

static size_t bytes(const void *gemm, unsigned member)
{
    return gemm_member_bytes(gemm, member);
}

static void place(void *context, unsigned member, const uint8_t *weights)
{
    struct gemm *gemm = context;
    gemm->members[member].weights = weights;
}

static void run(void *gemm, unsigned member, unsigned generation)
{
    gemm_run_member(gemm, member, generation);
}

int gemm_weights_measure(struct session *session, struct cell *cell, struct gemm *gemm, size_t granule)
{
    const struct shared_work work = {gemm, gemm->k, set, bytes, place, run};
    return share_weights_measure(session, cell, gemm_cell(cell)->schedule, &work, granule);
}
