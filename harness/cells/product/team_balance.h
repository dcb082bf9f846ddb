/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdatomic.h>

#include "harness/cells/cell/weights_read.h"
#include "harness/cells/product/product_schedule.h"
#include "harness/cells/product/shared_product.h"

/**
 * Measure what each member of a team gets done while all of them work, bytes per second: e_bw x clock of this kernel on
 * this shape and protocol. All begin with equal shares, and then with shares by what was seen, until no share moves
 * by more than some percent, or some looks later; looks at nearly the same shares are averaged. A member that is done
 * leaves the memory to the others, so that a look at shares far off flatters the slow ones. Weights of a schedule that has
 * some are where it begins. The weights go into the schedule.
 * @param product  touched by its members, its pool filled; its schedule is changed
 * @param granule  at which weights begin in the pool
 * @return 0; -ENOMEM; -ENODATA: too few samples were kept; with one line in the cell's why
 */
int team_balance_measure(struct session *session, struct cell *cell, struct product_schedule *schedule,
                         const struct shared_product *product, size_t granule);

/**
 * What the members of a team attain while all of them are at work. Each multiplies its share and takes its own time of it, then
 * goes on with other weights, untimed, until the last member has done its share. So no share is read while another
 * core has the memory to itself, and none waits for another: where members share what the memory gives, the sum of their
 * rates is what a schedule can attain at most, whatever they attain alone. The time of a sample is what a matrix takes at
 * that sum, each rate the bytes of a share over the member's own time of it.
 */
struct contended_member {
    _Alignas(64) const uint8_t *more; /* laid out as its own weights: what it goes on with */
    uint64_t calls;
};

struct contended {
    _Alignas(64) atomic_uint_fast64_t done; /* shares of all calls */
    unsigned threads, samples;
    struct contended_member *members;
    uint64_t *ticks; /* [threads][samples] */
};

/** For this many samples, reads of the roof among them. NULL without memory. Freed by contended_close. */
struct contended *contended_open(unsigned threads, unsigned samples);
void contended_close(struct contended *contended);

/**
 * A member's share, as shared_run, and more until all members have done theirs. What is computed is right only
 * until members go on.
 */
void contended_run(struct contended *contended, const struct shared_product *product, unsigned member, unsigned sample,
                   unsigned generation);

/** Put the times of the cell's last `count` samples in place of those from the first start to the last end. */
void contended_settle(const struct contended *contended, const struct shared_product *product, struct cell *cell,
                      unsigned count, double tsc_hz);
