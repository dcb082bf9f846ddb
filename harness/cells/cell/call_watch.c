/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/call_watch.h"

#include <errno.h>
#include <sys/time.h>

#include "results/text/refuse.h"

/** Of threads that ended or are new: more than readings of clocks are off. */
static const double SEEN_S = 30e-6;

static struct process_settings settings_now(void)
{
    struct process_settings now = {0};
    struct itimerval timer;
    for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++)
        now.timed |=
            getitimer((__itimer_which_t)which, &timer) == 0 && (timer.it_value.tv_sec || timer.it_value.tv_usec);
    for (int limit = 0; limit < (int)RLIM_NLIMITS; limit++)
        getrlimit((__rlimit_resource_t)limit, &now.limits[limit]);
    return now;
}

static bool has_limits(const struct process_settings *one, const struct process_settings *other)
{
    for (int limit = 0; limit < (int)RLIM_NLIMITS; limit++) {
        if (one->limits[limit].rlim_cur != other->limits[limit].rlim_cur ||
            one->limits[limit].rlim_max != other->limits[limit].rlim_max)
            return false;
    }
    return true;
}

int call_watch_begin(struct call_watch *watch)
{
    *watch = (struct call_watch){.settings = settings_now()};
    return threads_there(&watch->threads);
}

void call_watch_end(struct call_watch *watch)
{
    threads_there_release(&watch->threads);
}

void call_watch_before(struct call_watch *watch, unsigned member)
{
    cpu_state_begin(&watch->state[member]);
}

void call_watch_after(struct call_watch *watch, const struct team *team, unsigned member)
{
    cpu_state_end(&watch->state[member], team_cpus(team)[member]);
}

void call_watch_between(struct call_watch *watch, const struct team *team, unsigned member)
{
    if (watch->sampled[member])
        call_watch_after(watch, team, member);
    call_watch_before(watch, member);
    watch->sampled[member] = true;
}

struct last {
    struct call_watch *watch;
    const struct team *team;
};

static void look_last(void *context, unsigned member)
{
    const struct last *last = context;
    if (last->watch->sampled[member])
        call_watch_after(last->watch, last->team, member);
    last->watch->sampled[member] = false;
}

void call_watch_last(struct call_watch *watch, struct team *team)
{
    struct last last = {watch, team};
    team_run(team, look_last, &last);
}

/** In words, what members found; "" if nothing. */
static void say_states(const struct call_watch *watch, const struct team *team, char *text, size_t size)
{
    text[0] = '\0';
    for (unsigned t = 0; !text[0] && t < team_threads(team); t++)
        cpu_state_describe(&watch->state[t], text, size);
}

int call_watch_judge(const struct call_watch *watch, const struct team *team, struct call_results results, char *why,
                     size_t size)
{
    char text[160];
    struct threads_since since;
    threads_since(&watch->threads, &since);
    say_states(watch, team, text, sizeof text);
    if (text[0])
        return refuse(-EILSEQ, why, size, "%s", text);
    const struct process_settings now = settings_now();
    if (now.timed && !watch->settings.timed)
        return refuse(-EILSEQ, why, size, "leaves a timer running that sends signals (setitimer)");
    if (!has_limits(&now, &watch->settings))
        return refuse(-EILSEQ, why, size, "leaves limits of its process changed (setrlimit)");
    if (since.appeared && since.appeared_s > SEEN_S)
        return refuse(-EILSEQ, why, size, "started %u thread%s of its own, which ran for %.3g ms beside the team",
                      since.appeared, since.appeared == 1 ? "" : "s", 1e3 * since.appeared_s);
    if (since.ended_s > SEEN_S)
        return refuse(-EILSEQ, why, size, "starts threads of its own, which ran for %.3g ms and ended",
                      1e3 * since.ended_s);
    if (results.overran)
        return refuse(-EILSEQ, why, size, "wrote past the end of its results");
    if (results.differ)
        return refuse(-EILSEQ, why, size, "gives other results for the same operands when it is called again");
    return 0;
}

bool call_watch_vectors(const struct call_watch *watch, const struct team *team)
{
    bool any = false;
    for (unsigned t = 0; t < team_threads(team); t++)
        any |= watch->state[t].vectors_in_use;
    return any;
}
