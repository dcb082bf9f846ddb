/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/product_watch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/refuse.h"

/** More calls, and the time for them; generations, other than those of samples. */
enum { CALLS_MOST = 128, POISON = 0xa5 };
static const double CALLS_S = 20e-3;
static const unsigned AGAIN = 0x40000000u;

/** Of threads that ended or are new: more than readings of clocks are off. */
static const double SEEN_S = 30e-6;

int product_watch_begin(struct product_watch *watch, struct session *session, const struct shared_product *product)
{
    *watch = (struct product_watch){.session = session, .product = product};
    void *results = product->does->results_at(product->product, &watch->bytes);
    memset(results, POISON, watch->bytes);
    watch->results = malloc(watch->bytes);
    return watch->results ? threads_there(&watch->threads) : -ENOMEM;
}

void product_watch_end(struct product_watch *watch)
{
    free(watch->results);
    threads_there_release(&watch->threads);
    watch->results = NULL;
}

void product_watch_call(struct product_watch *watch, unsigned member, unsigned generation)
{
    left_state_begin(&watch->state[member]);
    watch->product->does->run(watch->product->product, member, generation);
    left_state_end(&watch->state[member], team_cpus(watch->session->team)[member]);
}

void product_watch_keep(struct product_watch *watch)
{
    memcpy(watch->results, watch->product->does->results_at(watch->product->product, &watch->bytes), watch->bytes);
}

/** All members, in step; the first looks at the results of all. */
static void call_again(void *context, unsigned member)
{
    struct product_watch *watch = context;
    struct team *team = watch->session->team;
    for (unsigned i = 0; i < watch->calls; i++) {
        size_t bytes;
        void *results = watch->product->does->results_at(watch->product->product, &bytes);
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

/** In words, what members found; "" if nothing. */
static void say_states(const struct product_watch *watch, char *text, size_t size)
{
    text[0] = '\0';
    for (unsigned t = 0; !text[0] && t < team_threads(watch->session->team); t++)
        left_state_say(&watch->state[t], text, size);
}

int product_watch_again(struct product_watch *watch, double call_s, char *why, size_t size)
{
    const struct shared_product *product = watch->product;
    watch->calls = (unsigned)fmin(CALLS_MOST, fmax(1, CALLS_S / fmax(call_s, 1e-9)));
    team_run(watch->session->team, call_again, watch);
    char text[160];
    struct threads_since since;
    threads_since(&watch->threads, &since);
    say_states(watch, text, sizeof text);
    if (text[0])
        return refuse(-EILSEQ, why, size, "%s", text);
    if (since.appeared && since.appeared_s > SEEN_S)
        return refuse(-EILSEQ, why, size, "started %u thread%s of its own, which ran for %.3g ms beside the team",
                      since.appeared, since.appeared == 1 ? "" : "s", 1e3 * since.appeared_s);
    if (since.ended_s > SEEN_S)
        return refuse(-EILSEQ, why, size, "starts threads of its own, which ran for %.3g ms and ended",
                      1e3 * since.ended_s);
    if (product->does->overran(product->product))
        return refuse(-EILSEQ, why, size, "wrote past the end of its results");
    if (watch->differs)
        return refuse(-EILSEQ, why, size, "gives other results for the same operands when it is called again");
    return 0;
}

bool product_watch_vectors(const struct product_watch *watch)
{
    bool any = false;
    for (unsigned t = 0; t < team_threads(watch->session->team); t++)
        any |= watch->state[t].vectors_in_use;
    return any;
}
