/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product/product_watch.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** More calls, and the time for them; generations, other than those of samples. */
enum { CALLS_MOST = 128, POISON = 0xa5 };
static const double CALLS_S = 20e-3;
static const unsigned AGAIN = 0x40000000u, TIMED_AGAIN = 0xc0000000u;

/** Whether the calls from now on are to give the same results every time, rounding included. */
static void deal(const struct product_watch *watch, bool as_dealt)
{
    if (watch->product)
        shared_deal(watch->product, as_dealt);
}

int product_watch_begin(struct product_watch *watch, struct session *session, const struct shared_product *product)
{
    *watch = (struct product_watch){.session = session, .product = product};
    void *results = shared_results(product, &watch->bytes);
    memset(results, POISON, watch->bytes);
    deal(watch, true);
    watch->results = malloc(watch->bytes);
    watch->timed = malloc(watch->bytes);
    return watch->results && watch->timed ? call_watch_begin(&watch->calls_made) : -ENOMEM;
}

void product_watch_end(struct product_watch *watch)
{
    free(watch->results);
    free(watch->timed);
    call_watch_end(&watch->calls_made);
    watch->results = watch->timed = NULL;
}

void product_watch_call(struct product_watch *watch, unsigned member, unsigned generation)
{
    call_watch_before(&watch->calls_made, member);
    shared_run(watch->product, member, generation);
    call_watch_after(&watch->calls_made, watch->session->team, member);
}

void product_watch_keep(struct product_watch *watch)
{
    memcpy(watch->results, shared_results(watch->product, &watch->bytes), watch->bytes);
    deal(watch, false);
}

void product_watch_samples(struct product_watch *watch, unsigned samples, bool cold, double call_s)
{
    watch->cold = cold;
    watch->stride = cold ? (unsigned)fmax(1, fmin(samples, ceil(samples * call_s / CALLS_S))) : 1;
    if (watch->stride > 1)
        watch->offset = (unsigned)(session_random(watch->session) % watch->stride);
}

/** The first member compares, while the others wait. */
void product_watch_sample(struct product_watch *watch, unsigned member, unsigned sample)
{
    struct team *team = watch->session->team;
    size_t bytes;
    void *results = shared_results(watch->product, &bytes);
    const void *wanted = watch->cold ? watch->timed : watch->results;
    if (sample % watch->stride != watch->offset)
        return;
    if (watch->cold) {
        if (member == 0) {
            memcpy(watch->timed, results, bytes);
            memset(results, POISON, bytes);
        }
        team_barrier(team);
        shared_run(watch->product, member, TIMED_AGAIN + sample);
        team_barrier(team);
    }
    if (member == 0)
        watch->differs |= memcmp(results, wanted, bytes) != 0;
    team_barrier(team);
}

/** All members, in step; the first looks at the results of all. */
static void call_again(void *context, unsigned member)
{
    struct product_watch *watch = context;
    struct team *team = watch->session->team;
    for (unsigned i = 0; i < watch->calls; i++) {
        size_t bytes;
        void *results = shared_results(watch->product, &bytes);
        if (member == 0) {
            worker_beat(watch->session->instruments.heart);
            memset(results, POISON, bytes);
        }
        team_barrier(team);
        product_watch_call(watch, member, AGAIN + i);
        team_barrier(team);
        if (member == 0)
            watch->differs |= memcmp(results, watch->results, bytes) != 0;
        team_barrier(team);
    }
}

int product_watch_again(struct product_watch *watch, double call_s, unsigned least, char *why, size_t size)
{
    watch->calls = (unsigned)fmax(fmax(1, least), fmin(CALLS_MOST, CALLS_S / fmax(call_s, 1e-9)));
    deal(watch, true);
    team_run(watch->session->team, call_again, watch);
    deal(watch, false);
    const struct call_results results = {shared_overran(watch->product), watch->differs};
    return call_watch_judge(&watch->calls_made, watch->session->team, results, why, size);
}

bool product_watch_vectors(const struct product_watch *watch)
{
    return call_watch_vectors(&watch->calls_made, watch->session->team);
}
