/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/team/product.h"
#include "micro/reference.h"

struct kernel;

/** Called around each call that a member of a pass makes of a kernel: its product, and what makes its operand. */
struct pass_hooks {
    void (*before)(void *context, const struct kernel *kernel, unsigned member);
    void (*after)(void *context, const struct kernel *kernel, unsigned member);
    /** By the first member, when all rows of a product are there: in the same order in every pass. */
    void (*results)(void *context, const void *results, size_t bytes);
    void *context;
};

/** The results of a pass: those of each role, and as the role DECODE_ROLES those of the head. */
struct pass_results {
    /** Where the room begins that follows the results of a role and that nothing may write to. */
    uint8_t *(*guard)(const void *pass, int role);
    /** Compare the last product of a role with the scalar reference. @return 0 or -ENOMEM */
    int (*verify)(const void *pass, int role, uint64_t seed, struct reference_check *check);
    /** From now on all passes give the same, or need not: no pieces are drawn. NULL: they always do */
    void (*deal)(void *pass, bool as_dealt);
};

/** What a pass of a token and one of a prompt have in common for whoever checks the kernels that they call. */
struct watched_pass {
    void *pass;
    const struct pass_results *results;
    const struct pass_hooks *around; /* each call of a kernel; NULL: nothing */
    bool releases_vectors; /* after each call of a kernel, which leaves upper halves of vector registers in use */
};

/** From now on these are called, the memory after results is marked, and all passes give the same; NULL: no longer. */
void watched_pass_watch(struct watched_pass *watched, const struct pass_hooks *around);

/** Whether the marked memory was written to. */
bool watched_pass_overran(const struct watched_pass *watched);

/**
 * Compare the results that the last pass left, of the last matrix of each role and of the head, with the scalar reference, as
 * gemv_verify and gemm_verify do, until one is wrong.
 * @param check  receives how many rows were compared, and how many are wrong
 * @param role   receives which one was compared last, DECODE_ROLES for the head
 * @return       0 or -ENOMEM
 */
int watched_pass_verify(const struct watched_pass *watched, uint64_t seed, struct reference_check *check, int *role);

/* ---- for the pass itself ---- */

static inline void watched_pass_before(const struct watched_pass *watched, const struct kernel *kernel, unsigned member)
{
    if (watched->around)
        watched->around->before(watched->around->context, kernel, member);
}

static inline void watched_pass_after(const struct watched_pass *watched, const struct kernel *kernel, unsigned member)
{
    if (watched->around)
        watched->around->after(watched->around->context, kernel, member);
    if (watched->releases_vectors)
        release_vectors();
}

/** By all members, after the barrier that ends a product. */
static inline void watched_pass_show(const struct watched_pass *watched, unsigned member, const void *results,
                                     size_t bytes)
{
    if (watched->around && member == 0)
        watched->around->results(watched->around->context, results, bytes);
}
