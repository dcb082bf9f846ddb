/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/team/team.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/topology/affinity.h"

enum { CACHE_LINE = 64 };

struct member {
    struct team *team;
    unsigned index;
    pthread_t thread;
};

struct team {
    const struct topology *topology;
    unsigned threads;
    unsigned *cpus;
    struct member *members;
    struct affinity *former_affinity; /* NULL: it could not be told */

    /* jobs: members other than 0 sleep on work until job_number changes */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    unsigned job_number, running;
    bool ending;
    int bind_error;
    char bind_why[160];
    void (*job)(void *context, unsigned member);
    void *context;

    /* the spinning barrier, each word on a line of its own */
    _Alignas(CACHE_LINE) atomic_uint arrived;
    _Alignas(CACHE_LINE) atomic_uint phase;
};

void team_barrier(struct team *team)
{
    if (team->threads == 1)
        return;
    unsigned phase = atomic_load_explicit(&team->phase, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1 == team->threads) {
        atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&team->phase, phase + 1, memory_order_release);
        return;
    }
    while (atomic_load_explicit(&team->phase, memory_order_acquire) == phase)
        team_relax();
}

static void *member_main(void *argument)
{
    struct member *member = argument;
    struct team *team = member->team;
    char why[sizeof team->bind_why];
    int error = topology_bind_thread(team->topology, team->cpus[member->index], why, sizeof why);

    pthread_mutex_lock(&team->lock);
    if (error && !team->bind_error) {
        team->bind_error = error;
        memcpy(team->bind_why, why, sizeof why);
    }
    unsigned seen = 0;
    if (--team->running == 0)
        pthread_cond_signal(&team->done);
    for (;;) {
        while (team->job_number == seen && !team->ending)
            pthread_cond_wait(&team->work, &team->lock);
        if (team->ending)
            break;
        seen = team->job_number;
        pthread_mutex_unlock(&team->lock);
        team->job(team->context, member->index);
        pthread_mutex_lock(&team->lock);
        if (--team->running == 0)
            pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

static void wait_until_idle(struct team *team)
{
    while (team->running)
        pthread_cond_wait(&team->done, &team->lock);
}

static struct team *team_allocate(const struct topology *topology, const unsigned *cpus, unsigned threads)
{
    struct team *team = aligned_alloc(CACHE_LINE, (sizeof *team + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
    if (!team)
        return NULL;
    memset(team, 0, sizeof *team);
    team->topology = topology;
    team->threads = threads;
    team->cpus = calloc(threads, sizeof *team->cpus);
    team->members = calloc(threads, sizeof *team->members);
    if (!team->cpus || !team->members || affinity_keep(&team->former_affinity)) {
        free(team->cpus);
        free(team->members);
        free(team);
        return NULL;
    }
    memcpy(team->cpus, cpus, threads * sizeof *cpus);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->work, NULL);
    pthread_cond_init(&team->done, NULL);
    return team;
}

int team_create(const struct topology *topology, const unsigned *cpus, unsigned threads, struct team **result,
                char *why, size_t size)
{
    struct team *team = team_allocate(topology, cpus, threads);
    if (!team) {
        snprintf(why, size, "no memory for a team of %u threads", threads);
        return -ENOMEM;
    }
    int error = topology_bind_thread(topology, cpus[0], why, size);
    unsigned started = 1;
    pthread_mutex_lock(&team->lock);
    team->running = threads - 1;
    for (; !error && started < threads; started++) {
        team->members[started] = (struct member){.team = team, .index = started};
        int code = pthread_create(&team->members[started].thread, NULL, member_main, &team->members[started]);
        if (code) {
            snprintf(why, size, "cannot start thread %u of %u: %s; raise `ulimit -u`", started + 1, threads,
                     strerror(code));
            error = -code;
            break;
        }
    }
    team->running -= threads - started;
    wait_until_idle(team);
    pthread_mutex_unlock(&team->lock);
    team->threads = started;
    if (!error && team->bind_error) {
        snprintf(why, size, "%s", team->bind_why);
        error = team->bind_error;
    }
    if (error) {
        team_destroy(team);
        return error;
    }
    *result = team;
    return 0;
}

void team_destroy(struct team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    team->ending = true;
    pthread_cond_broadcast(&team->work);
    pthread_mutex_unlock(&team->lock);
    for (unsigned i = 1; i < team->threads; i++)
        pthread_join(team->members[i].thread, NULL);
    affinity_restore(team->former_affinity);
    pthread_mutex_destroy(&team->lock);
    pthread_cond_destroy(&team->work);
    pthread_cond_destroy(&team->done);
    free(team->cpus);
    free(team->members);
    free(team);
}

unsigned team_threads(const struct team *team)
{
    return team->threads;
}

const unsigned *team_cpus(const struct team *team)
{
    return team->cpus;
}

void team_run(struct team *team, void (*job)(void *context, unsigned member), void *context)
{
    pthread_mutex_lock(&team->lock);
    team->job = job;
    team->context = context;
    team->running = team->threads - 1;
    team->job_number++;
    pthread_cond_broadcast(&team->work);
    pthread_mutex_unlock(&team->lock);

    job(context, 0);

    pthread_mutex_lock(&team->lock);
    wait_until_idle(team);
    pthread_mutex_unlock(&team->lock);
}
