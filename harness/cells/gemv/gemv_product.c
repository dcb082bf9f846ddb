/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/gemv/gemv_product.h"

static int set_schedule(void *gemv, const struct schedule *schedule)
{
    return gemv_set_schedule(gemv, schedule);
}

static void emulate_speed(void *gemv, unsigned member, double speed)
{
    gemv_emulate_speed(gemv, member, speed);
}

static size_t bytes(const void *gemv, unsigned member)
{
    return gemv_member_bytes(gemv, member);
}

static void place(void *context, unsigned member, const uint8_t *weights)
{
    struct gemv *gemv = context;
    gemv->members[member].weights = weights;
}

static void run(void *gemv, unsigned member, unsigned generation)
{
    gemv_run_member(gemv, member, generation);
}

static size_t go_on(void *gemv, unsigned member, const uint8_t *weights, size_t at)
{
    return gemv_multiply_stretch(gemv, member, weights, at);
}

static int verify(const void *gemv, uint64_t seed, struct reference_check *check)
{
    return gemv_verify(gemv, seed, check);
}

static void *results_at(void *gemv, size_t *bytes)
{
    return gemv_results(gemv, bytes);
}

static bool overran(const void *gemv)
{
    return gemv_overran(gemv);
}

static void deal(void *context, bool as_dealt)
{
    struct gemv *gemv = context;
    gemv->as_dealt = as_dealt;
}

static void release_vectors(void *context)
{
    struct gemv *gemv = context;
    gemv->releases_vectors = true;
}

static uint64_t pieces(const void *context, unsigned member)
{
    const struct gemv *gemv = context;
    return gemv->members[member].pieces;
}

static struct schedule_tail tail(const void *context)
{
    const struct gemv *gemv = context;
    return gemv->tail;
}

static const struct product_functions does = {
    .set_schedule = set_schedule,
    .emulate_speed = emulate_speed,
    .bytes = bytes,
    .place = place,
    .run = run,
    .go_on = go_on,
    .verify = verify,
    .results_at = results_at,
    .overran = overran,
    .deal = deal,
    .release_vectors = release_vectors,
    .pieces = pieces,
    .tail = tail,
    .results = "rows",
    .warms_up = true,
};

struct shared_product gemv_product(struct gemv *gemv)
{
    return (struct shared_product){gemv, &does, gemv->k};
}
