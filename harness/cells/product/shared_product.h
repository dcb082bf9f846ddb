/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PRODUCT_SHARED_PRODUCT_H
#define HARNESS_CELLS_PRODUCT_SHARED_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/cells/product/product_cell.h"
#include "harness/cells/product/product_work.h"
#include "harness/team/gemm.h"
#include "harness/team/gemv.h"
#include "harness/team/schedule.h"
#include "micro/reference.h"

/** What is done with a product of a packed matrix that a team shares, be it a GEMV or a GEMM. */
struct product_functions {
    /* before there is one */
    size_t struct_bytes;
    size_t (*largest_share)(const struct product_work *work,
                            const struct schedule *schedule);   /* as gemv_largest_share */
    uint64_t (*working_bytes)(const struct product_work *work); /* that it allocates */
    unsigned (*repeats)(const struct product_work *work,
                        size_t largest_share); /* so that a warm sample lasts some 50 us */

    /** Allocate, draw the activations from the seed, and set what the settings say. 0 or -ENOMEM */
    int (*prepare)(void *product, const struct product_work *work, const struct product_settings *settings,
                   uint64_t seed);
    void (*release)(void *product); /* one that is zeroed, too */

    int (*set_schedule)(void *product, const struct schedule *schedule); /* 0 or negative errno */
    void (*emulate_speed)(void *product, unsigned member, double speed);
    int (*touch)(void *product, unsigned member); /* by each member before it first runs, 0 or -ENOMEM; NULL: nothing */
    uint64_t (*scratch_bytes)(const void *product);        /* of all members; NULL: none */
    size_t (*bytes)(const void *product, unsigned member); /* of weights that lie in a member's memory */
    void (*place)(void *product, unsigned member, const uint8_t *weights); /* where they are */
    void (*run)(void *product, unsigned member, unsigned generation);      /* once, without a barrier */
    /**
     * Multiply a stretch of the member's share, from `at` on, with weights that lie elsewhere as its own do; results of it are
     * then of those. Where the next stretch begins is returned, 0 after the last. NULL: it does not.
     */
    size_t (*go_on)(void *product, unsigned member, const uint8_t *weights, size_t at);
    int (*verify)(const void *product, uint64_t seed, struct reference_check *check); /* 0 or -ENOMEM */
    void *(*results_at)(void *product, size_t *bytes);                                /* all of them */
    bool (*overran)(const void *product); /* whether something was written after them */
    /** From now on members do not draw from the tail, so that results are the same every time, or they do again. NULL: they never draw. */
    void (*deal)(void *product, bool as_dealt);
    void (*release_vectors)(void *product); /* after each call from now on: the kernel leaves them in use */
    uint64_t (*pieces)(const void *product, unsigned member); /* of the tail that it has drawn */
    struct schedule_tail (*tail)(const void *product);
    const char *results; /* what verify counts, in words */
    bool warms_up;       /* it takes so little time that each warm sample has a call of its own before it */
};
extern const struct product_functions product_functions_gemv, product_functions_gemm;

static inline const struct product_functions *product_functions_of(const struct product_work *work)
{
    return work->tokens ? &product_functions_gemm : &product_functions_gemv;
}

/** One of them, prepared. */
struct shared_product {
    void *product;
    const struct product_functions *ops;
    size_t k; /* columns of the packed matrix */
};

/** A prepared GEMV or GEMM of harness/team as one; it must live as long. */
static inline struct shared_product shared_gemv(struct gemv *gemv)
{
    return (struct shared_product){gemv, &product_functions_gemv, gemv->k};
}

static inline struct shared_product shared_gemm(struct gemm *gemm)
{
    return (struct shared_product){gemm, &product_functions_gemm, gemm->k};
}

#endif
