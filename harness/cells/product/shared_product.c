/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/shared_product.h"

size_t shared_largest_share(const struct product_work *work, const struct schedule *schedule)
{
    return work->tokens ? gemm_largest_share(work->kernel, work->m, work->k, work->tokens, work->threads, schedule)
                        : gemv_largest_share(work->kernel, work->m, work->k, work->threads, schedule);
}

uint64_t shared_working_bytes(const struct product_work *work)
{
    return work->tokens ? gemm_working_bytes(work->kernel, work->m, work->k, work->tokens, work->threads)
                        : gemv_working_bytes(work->kernel, work->m, work->k, work->threads);
}

/** At 40 GB/s a core reads 2 MB in 50 microseconds; of a GEMM it makes 200 billion multiplications a second. */
unsigned shared_repeats(const struct product_work *work, size_t largest)
{
    static const double SAMPLE_S = 50e-6, BYTES = 40e9, MULTIPLICATIONS = 2e11;
    double wanted = (double)((2u << 20) / (largest + 1) + 1);
    if (work->cold)
        return 1;
    if (work->tokens) {
        double reading_s = (double)largest / BYTES;
        double computing_s = (double)work->m * (double)work->k * (double)work->tokens / work->threads / MULTIPLICATIONS;
        wanted = SAMPLE_S / (reading_s > computing_s ? reading_s : computing_s) + 1;
    }
    return wanted > PRODUCT_REPEATS_MOST ? PRODUCT_REPEATS_MOST : (unsigned)wanted;
}

/** A schedule of the cell's own comes later, and shares panels. */
static int prepare_gemm(struct gemm *gemm, const struct product_work *work, const struct product_settings *settings,
                        uint64_t seed)
{
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

int shared_prepare(const struct shared_product *product, const struct product_work *work,
                   const struct product_settings *settings, uint64_t seed)
{
    if (product->gemm)
        return prepare_gemm(product->gemm, work, settings, seed);
    int error = gemv_prepare(product->gemv, work->kernel, work->m, work->k, work->threads, seed);
    if (!error && (settings->prefetch_given || settings->self_tuned))
        product->gemv->prefetch_bytes = settings->prefetch_bytes;
    return error;
}

void shared_release(const struct shared_product *product)
{
    if (product->gemm && product->gemm->kernel)
        gemm_release(product->gemm);
    if (product->gemv && product->gemv->kernel)
        gemv_release(product->gemv);
}

int shared_set_schedule(const struct shared_product *product, const struct schedule *schedule)
{
    return product->gemm ? gemm_set_schedule(product->gemm, schedule) : gemv_set_schedule(product->gemv, schedule);
}

void shared_emulate_speed(const struct shared_product *product, unsigned member, double speed)
{
    if (product->gemm)
        gemm_emulate_speed(product->gemm, member, speed);
    else
        gemv_emulate_speed(product->gemv, member, speed);
}

int shared_touch(const struct shared_product *product, unsigned member)
{
    return product->gemm ? gemm_touch(product->gemm, member) : 0;
}

uint64_t shared_scratch_bytes(const struct shared_product *product)
{
    return product->gemm ? gemm_scratch_bytes(product->gemm) : 0;
}

size_t shared_bytes(const struct shared_product *product, unsigned member)
{
    return product->gemm ? gemm_member_bytes(product->gemm, member) : gemv_member_bytes(product->gemv, member);
}

void shared_place(const struct shared_product *product, unsigned member, const uint8_t *weights)
{
    *(product->gemm ? &product->gemm->members[member].weights : &product->gemv->members[member].weights) = weights;
}

void shared_run(const struct shared_product *product, unsigned member, unsigned generation)
{
    if (product->gemm)
        gemm_run_member(product->gemm, member, generation);
    else
        gemv_run_member(product->gemv, member, generation);
}

size_t shared_go_on(const struct shared_product *product, unsigned member, const uint8_t *weights, size_t at)
{
    return product->gemv ? gemv_multiply_stretch(product->gemv, member, weights, at) : 0;
}

int shared_verify(const struct shared_product *product, uint64_t seed, struct reference_check *check)
{
    return product->gemm ? gemm_verify(product->gemm, seed, check) : gemv_verify(product->gemv, seed, check);
}

void *shared_results(const struct shared_product *product, size_t *bytes)
{
    return product->gemm ? gemm_results(product->gemm, bytes) : gemv_results(product->gemv, bytes);
}

bool shared_overran(const struct shared_product *product)
{
    return product->gemm ? gemm_overran(product->gemm) : gemv_overran(product->gemv);
}

void shared_deal(const struct shared_product *product, bool as_dealt)
{
    if (product->gemv)
        product->gemv->as_dealt = as_dealt;
}

void shared_release_vectors(const struct shared_product *product)
{
    *(product->gemm ? &product->gemm->releases_vectors : &product->gemv->releases_vectors) = true;
}

struct schedule_tail shared_tail(const struct shared_product *product)
{
    return product->gemm ? product->gemm->tail : product->gemv->tail;
}

uint64_t shared_pieces(const struct shared_product *product, unsigned member)
{
    return product->gemm ? product->gemm->members[member].pieces : product->gemv->members[member].pieces;
}
