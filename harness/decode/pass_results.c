/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/pass_results.h"

#include "harness/decode/decode.h"
#include "harness/team/result_guard.h"

void pass_results_guard(const struct pass_results *results, const void *pass)
{
    for (int role = 0; role <= DECODE_ROLES; role++)
        result_guard_set(results->guard(pass, role));
}

bool pass_results_overran(const struct pass_results *results, const void *pass)
{
    bool whole = true;
    for (int role = 0; role <= DECODE_ROLES; role++)
        whole &= result_guard_is_whole(results->guard(pass, role));
    return !whole;
}

int pass_results_verify(const struct pass_results *results, const void *pass, uint64_t seed,
                        struct reference_check *check, int *wrong_role)
{
    *check = (struct reference_check){0};
    for (int role = 0; !check->wrong && role <= DECODE_ROLES; role++) {
        struct reference_check one;
        int error = results->verify(pass, role, seed, &one);
        if (error)
            return error;
        check->rows += one.rows;
        check->wrong += one.wrong;
        *wrong_role = role;
    }
    return 0;
}
