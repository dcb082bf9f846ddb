/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdbool.h>

#include "harness/cells/cell/call_watch.h"
#include "harness/cells/cell/cell.h"
#include "harness/cells/product/shared_product.h"

/**
 * A product of a plug-in's kernel called in the way that it is measured, and watched: what it leaves behind in the threads of the team,
 * threads of its own, whether the same operands give the same results in every call, whether the memory after its results stays as it
 * was. It may be right in the first call and wrong in the hundredth, or in one of a thousand.
 *
 * Results are never looked at while a call is timed. A sample leaves those of its last call. Where it is one call, each timed call is
 * seen. Where it is many, as many calls are made once more after the samples and all of them seen: a kernel that is wrong in one of
 * 1000 calls, now and then, passes n timed calls with a probability of 0.999^n, 2% of 4000.
 */
struct product_watch {
    struct session *session;
    const struct shared_product *product;
    struct call_watch calls_made;
    void *results; /* of the first call */
    void *timed;   /* room for those of a timed call */
    size_t bytes;
    bool cold;
    unsigned stride, offset; /* which timed calls of a cold cell are made again */
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
 * Before this many samples are taken, of calls that take call_s each. A sample of a cold cell is one call, with weights of its own: it
 * is made again to be compared, all of them or as many as there is time for, drawn at random.
 */
void product_watch_samples(struct product_watch *watch, unsigned samples, bool cold, double call_s);

/**
 * After a sample and before the next one is prepared, by all members: its last call gave the results that the same operands gave in
 * another call. Nothing of this is timed.
 */
void product_watch_sample(struct product_watch *watch, unsigned member, unsigned sample);

/**
 * More calls at the place of the first one: `least`, and up to a hundred or as many as there is time for.
 * @param call_s  what one takes
 * @return 0; -EILSEQ what it did wrong here or before, with a line in why that continues after the kernel's name
 */
int product_watch_again(struct product_watch *watch, double call_s, unsigned least, char *why, size_t size);

/** Whether a member found the upper halves of its vector registers in use. */
bool product_watch_vectors(const struct product_watch *watch);
