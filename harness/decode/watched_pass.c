/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/watched_pass.h"

#include "harness/decode/decode.h"
#include "harness/team/product.h"

void watched_pass_watch(struct watched_pass *watched, const struct pass_hooks *around)
{
    watched->around = around;
    if (watched->results->deal)
        watched->results->deal(watched->pass, around != NULL);
    for (int role = 0; around && role <= DECODE_ROLES; role++)
        result_guard_set(watched->results->guard(watched->pass, role));
}

bool watched_pass_overran(const struct watched_pass *watched)
{
    bool whole = true;
    for (int role = 0; role <= DECODE_ROLES; role++)
        whole &= result_guard_is_whole(watched->results->guard(watched->pass, role));
    return !whole;
}

int watched_pass_verify(const struct watched_pass *watched, uint64_t seed, struct reference_check *check, int *role)
{
    *check = (struct reference_check){0};
    for (int at = 0; !check->wrong && at <= DECODE_ROLES; at++) {
        struct reference_check one;
        int error = watched->results->verify(watched->pass, at, seed, &one);
        if (error)
            return error;
        check->rows += one.rows;
        check->wrong += one.wrong;
        *role = at;
    }
    return 0;
}
