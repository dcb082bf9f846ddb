/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/team_balance.h"

#include <stdlib.h>
#include <string.h>

#include "platforms/clock/clock.h"

static void *zeroed_lines(size_t bytes)
{
    size_t rounded = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    if (memory)
        memset(memory, 0, rounded);
    return memory;
}

struct contended *contended_open(unsigned threads, unsigned samples)
{
    struct contended *contended = zeroed_lines(sizeof *contended);
    if (!contended)
        return NULL;
    contended->threads = threads;
    contended->samples = samples;
    contended->members = zeroed_lines(threads * sizeof *contended->members);
    contended->ticks = calloc((size_t)threads * samples, sizeof *contended->ticks);
    if (contended->members && contended->ticks)
        return contended;
    contended_close(contended);
    return NULL;
}

void contended_close(struct contended *contended)
{
    if (!contended)
        return;
    free(contended->members);
    free(contended->ticks);
    free(contended);
}

void contended_run(struct contended *contended, const struct shared_product *product, unsigned member, unsigned sample,
                   unsigned generation)
{
    struct contended_member *own = &contended->members[member];
    uint64_t all = ++own->calls * contended->threads, begin = tsc_begin().ticks;
    shared_run(product, member, generation);
    contended->ticks[(size_t)member * contended->samples + sample] += tsc_end().ticks - begin;
    atomic_fetch_add_explicit(&contended->done, 1, memory_order_release);
    size_t at = 0;
    while (atomic_load_explicit(&contended->done, memory_order_acquire) < all)
        at = shared_go_on(product, member, own->more, at);
}

/** Bytes a tick of all members in a sample of some calls. */
static double rate_of(const struct contended *contended, const struct shared_product *product, unsigned sample,
                      unsigned calls)
{
    double rate = 0;
    for (unsigned t = 0; t < contended->threads; t++) {
        double bytes = (double)shared_bytes(product, t) * calls;
        rate += bytes / (double)contended->ticks[(size_t)t * contended->samples + sample];
    }
    return rate;
}

void contended_settle(const struct contended *contended, const struct shared_product *product, struct cell *cell,
                      unsigned count, double tsc_hz)
{
    struct sample *sample = cell->samples.sample + cell->samples.count - count;
    double bytes = 0;
    for (unsigned t = 0; t < contended->threads; t++)
        bytes += (double)shared_bytes(product, t) * cell->repeats;
    for (unsigned i = 0; i < count; i++)
        sample[i].wall_s = bytes / rate_of(contended, product, cell->cold ? 2 * i + 1 : i, cell->repeats) / tsc_hz;
}
