/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CELLS_PRODUCT_PRODUCT_WATCH_H
#define HARNESS_CELLS_PRODUCT_PRODUCT_WATCH_H

#include <stdbool.h>

#include "harness/cells/cell/call_watch.h"
#include "harness/cells/cell/cell.h"
#include "harness/cells/product/shared_product.h"

/**
 * A product of a plug-in's kernel called in the way that it is measured, and watched: what it leaves behind in the threads of the team,
 * threads of its own, whether the same operands give the same results in every call, whether the memory after its results stays as it
 * was. It may be right in the first call and wrong in the hundredth.
 */
struct product_watch {
    struct session *session;
    const struct shared_product *product;
    struct call_watch calls_made;
    void *results; /* of the first call */
    size_t bytes;
    unsigned calls;
    bool differs;
};

/** Before the first call, with the team that will make it. 0 or -ENOMEM */
int product_watch_begin(struct product_watch *watch, struct session *session, const struct shared_product *product);
void product_watch_end(struct product_watch *watch);

/** A call, by each member: its state is looked at. */
void product_watch_call(struct product_watch *watch, unsigned member, unsigned generation);

/** Keep the results of the first call, which were found to be right. */
void product_watch_keep(struct product_watch *watch);

/**
 * Some more calls at the place of the first one: a hundred, or as many as there is time for.
 * @param call_s  what one takes
 * @return 0; -EILSEQ what it did wrong here or before, with a line in why that continues after the kernel's name
 */
int product_watch_again(struct product_watch *watch, double call_s, char *why, size_t size);

/** Whether a member found the upper halves of its vector registers in use. */
bool product_watch_vectors(const struct product_watch *watch);

#endif
