/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/shared_product.h"

/* A GEMV of harness/team as a product. */

static size_t largest_share(const struct product_work *work, const struct schedule *schedule)
{
    return gemv_largest_share(work->kernel, work->m, work->k, work->threads, schedule);
}

static uint64_t working_bytes(const struct product_work *work)
{
    return gemv_working_bytes(work->kernel, work->m, work->k, work->threads);
}

/** At 40 GB/s a core reads 2 MB in 50 microseconds. */
static unsigned repeats(const struct product_work *work, size_t largest)
{
    size_t repeats_wanted = work->cold ? 1 : (2u << 20) / (largest + 1) + 1;
    return (unsigned)(repeats_wanted > PRODUCT_REPEATS_MOST ? PRODUCT_REPEATS_MOST : repeats_wanted);
}

static int prepare(void *context, const struct product_work *work, const struct product_settings *settings,
                   uint64_t seed)
{
    struct gemv *gemv = context;
    int error = gemv_prepare(gemv, work->kernel, work->m, work->k, work->threads, seed);
    if (!error && settings->prefetch_given)
        gemv->prefetch_bytes = settings->prefetch_bytes;
    return error;
}

static void release(void *context)
{
    struct gemv *gemv = context;
    if (gemv->kernel)
        gemv_release(gemv);
}

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

const struct product_functions product_functions_gemv = {
    .struct_bytes = sizeof(struct gemv),
    .largest_share = largest_share,
    .working_bytes = working_bytes,
    .repeats = repeats,
    .prepare = prepare,
    .release = release,
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
