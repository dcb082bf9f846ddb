/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemm/gemm_product.h"

static int set_schedule(void *gemm, const struct schedule *schedule)
{
    return gemm_set_schedule(gemm, schedule);
}

static void emulate_speed(void *gemm, unsigned member, double speed)
{
    gemm_emulate_speed(gemm, member, speed);
}

static int touch(void *gemm, unsigned member)
{
    return gemm_touch(gemm, member);
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

static int verify(const void *gemm, uint64_t seed, struct reference_check *check)
{
    return gemm_verify(gemm, seed, check);
}

static void *results_at(void *gemm, size_t *bytes)
{
    return gemm_results(gemm, bytes);
}

static bool overran(const void *gemm)
{
    return gemm_overran(gemm);
}

static void release_vectors(void *context)
{
    struct gemm *gemm = context;
    gemm->releases_vectors = true;
}

static uint64_t pieces(const void *context, unsigned member)
{
    const struct gemm *gemm = context;
    return gemm->members[member].pieces;
}

static struct schedule_tail tail(const void *context)
{
    const struct gemm *gemm = context;
    return gemm->tail;
}

static const struct product_functions does = {
    .set_schedule = set_schedule,
    .emulate_speed = emulate_speed,
    .touch = touch,
    .bytes = bytes,
    .place = place,
    .run = run,
    .verify = verify,
    .results_at = results_at,
    .overran = overran,
    .release_vectors = release_vectors,
    .pieces = pieces,
    .tail = tail,
    .results = "results",
};

struct shared_product gemm_product(struct gemm *gemm)
{
    return (struct shared_product){gemm, &does, gemm->k};
}
