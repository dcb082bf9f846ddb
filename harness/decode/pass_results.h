/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_DECODE_PASS_RESULTS_H
#define HARNESS_DECODE_PASS_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "micro/reference.h"

/** The results of a pass, of a token or a prompt: those of each role, and as the role DECODE_ROLES those of the head. */
struct pass_results {
    /** Where the room begins that follows the results of a role and that nothing may write to. */
    uint8_t *(*guard)(const void *pass, int role);
    /** Compare the last product of a role with the scalar reference. @return 0 or -ENOMEM */
    int (*verify)(const void *pass, int role, uint64_t seed, struct reference_check *check);
};

void pass_results_guard(const struct pass_results *results, const void *pass);

/** Whether something wrote after results since they were guarded. */
bool pass_results_overran(const struct pass_results *results, const void *pass);

/**
 * Compare one role after the other until one is wrong.
 * @param wrong_role  which one was compared last
 * @return            0 or -ENOMEM
 */
int pass_results_verify(const struct pass_results *results, const void *pass, uint64_t seed,
                        struct reference_check *check, int *wrong_role);

#endif
