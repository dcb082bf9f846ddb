/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_COMPARE_LIVE_OFFERS_H
#define HARNESS_COMPARE_LIVE_OFFERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "results/gate/compare.h"

/** A cell that a subject offers. */
struct live_offer {
    char *name, *label;
    enum compare_class class;
    unsigned threads;
    bool cold;
};

struct live_offers {
    struct live_offer *offer;
    size_t count;
};

/**
 * Those among the records of a process that was asked what it offers, added to none.
 * @return 0 or -ENOMEM; to be released either way
 */
int live_offers_take(const json_t *records, struct live_offers *offers);
void live_offers_release(struct live_offers *offers);

/** NULL: it offers no such cell. */
const struct live_offer *live_offers_find(const struct live_offers *offers, const char *label);

/**
 * Whether the sides have something to compare: not a kernel that has only a GEMM and one that has only a GEMV, of whom gamma alone has one
 * name, but counts different work.
 * @return 0; -EINVAL with one line in why
 */
int live_offers_check(const struct live_offers sides[2], const char *const given[2], char *why, size_t size);

#endif
