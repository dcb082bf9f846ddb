/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/shared_product.h"

/* A GEMM of harness/team as a product. */

static size_t largest_share(const struct product_work *work, const struct schedule *schedule)
{
    return gemm_largest_share(work->kernel, work->m, work->k, work->tokens, work->threads, schedule);
}

static uint64_t working_bytes(const struct product_work *work)
{
    return gemm_working_bytes(work->kernel, work->m, work->k, work->tokens, work->threads);
}

/** At 40 GB/s and 200 billion multiplications a second of a core. */
static unsigned repeats(const struct product_work *work, size_t largest)
{
    static const double SAMPLE_S = 50e-6, BYTES = 40e9, MULTIPLICATIONS = 2e11;
    double reading_s = (double)largest / BYTES;
    double computing_s = (double)work->m * (double)work->k * (double)work->tokens / work->threads / MULTIPLICATIONS;
    double repeats_wanted = SAMPLE_S / (reading_s > computing_s ? reading_s : computing_s) + 1;
    return work->cold ? 1 : repeats_wanted > PRODUCT_REPEATS_MOST ? PRODUCT_REPEATS_MOST : (unsigned)repeats_wanted;
}

/** A schedule of the cell's own comes later, and shares panels. */
static int prepare(void *context, const struct product_work *work, const struct product_settings *settings,
                   uint64_t seed)
{
    struct gemm *gemm = context;
    const struct schedule by_tokens = {.kind = SCHEDULE_STATIC, .shares_tokens = true};
    int error = gemm_prepare(gemm, work->kernel, work->m, work->k, work->tokens, work->threads, seed);
    if (error)
        return error;
    if (settings->prefetch_given)
        gemm->prefetch_bytes = settings->prefetch_bytes;
    if (settings->run)
        gemm->run = settings->run;
    return settings->shares_tokens ? gemm_set_schedule(gemm, &by_tokens) : 0;
}

static void release(void *context)
{
    struct gemm *gemm = context;
    if (gemm->kernel)
        gemm_release(gemm);
}

static uint64_t scratch_bytes(const void *gemm)
{
    return gemm_scratch_bytes(gemm);
}

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

const struct product_functions product_functions_gemm = {
    .struct_bytes = sizeof(struct gemm),
    .largest_share = largest_share,
    .working_bytes = working_bytes,
    .repeats = repeats,
    .prepare = prepare,
    .release = release,
    .scratch_bytes = scratch_bytes,
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
