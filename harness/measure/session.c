/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/measure/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/measure/hidden_siblings.h"
#include "platforms/clock/clock.h"
#include "platforms/system/others.h"

static const double CALIBRATION_S = 0.05;

static void read_caches(struct session *session)
{
    struct topology_cache caches[8];
    size_t count = topology_caches(session->machine.topology, caches, 8);
    for (size_t i = 0; i < count; i++) {
        if (caches[i].level >= 1 && caches[i].level <= 3)
            session->level_bytes[caches[i].level] = caches[i].bytes;
    }
}

static void find_llc(struct session *session)
{
    const struct topology_core *cores[SESSION_CPUS_MAX];
    for (unsigned i = 0; i < session->threads; i++)
        cores[i] = topology_core_of_cpu(session->machine.topology, session->cpus[i]);
    session->llc_bytes = topology_llc_bytes(session->machine.topology, cores, session->threads);
}

static int plan_team(struct session *session, const struct team_request *team, char *why, size_t size)
{
    int threads = topology_plan_team(session->machine.topology, team, session->cpus, SESSION_CPUS_MAX, why, size);
    if (threads < 0)
        return threads;
    session->threads = (unsigned)threads;
    find_llc(session);
    return 0;
}

static int read_machine(struct session *session, const struct session_request *request, char *why, size_t size)
{
    int error = machine_open(&session->machine, why, size);
    if (error)
        return error;
    read_caches(session);
    return plan_team(session, &request->team, why, size);
}

/** A team of several that we choose has one member a core, even if a hypervisor shows one core as two. */
static int join_hidden_siblings(struct session *session, const struct team_request *team, char *why, size_t size)
{
    if (session->threads < 2 || team->cpus || !session->machine.identity.hypervisor[0])
        return 0;
    int joined = hidden_siblings_join(session->machine.topology, &session->instruments.chain.clock,
                                      session->issue_width, why, size);
    return joined > 0 ? plan_team(session, team, why, size) : joined;
}

int session_open(const struct session_request *request, struct session **result, char *why, size_t size)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session) {
        snprintf(why, size, "no memory");
        return -ENOMEM;
    }
    struct others others;
    session->random = request->seed ? request->seed : seed_from_clock();
    session->plugins.seed = session->random;
    int error = read_machine(session, request, why, size);
    if (!error)
        error = session_add_plugins(session, &request->plugins, why, size);
    if (!error) {
        session->pool = calloc(session->threads, sizeof *session->pool);
        session->pool_at = calloc(session->threads, sizeof *session->pool_at);
        session->pool_held = calloc(session->threads, sizeof *session->pool_held);
        if (!session->pool || !session->pool_at || !session->pool_held) {
            snprintf(why, size, "no memory");
            error = -ENOMEM;
        }
    }
    others_begin("", &others); /* after plug-ins, whose processes would be others */
    if (!error)
        error = instruments_open(&request->instruments, session->cpus[0], tsc_calibrate_hz(CALIBRATION_S),
                                 &session->instruments, why, size);
    if (!error) {
        session->issue_width = clock_issue_width(&session->instruments.chain.clock);
        error = join_hidden_siblings(session, &request->team, why, size);
    }
    session->others_cpus = others_cpus("", &others);
    if (error) {
        session_close(session);
        return error;
    }
    *result = session;
    return 0;
}

void session_close(struct session *session)
{
    if (!session)
        return;
    team_destroy(session->team);
    for (unsigned i = 0; session->pool && i < session->threads; i++)
        memory_release(&session->pool[i]);
    for (unsigned i = 0; session->pool_held && i < session->threads; i++)
        free(session->pool_held[i].chunk);
    free(session->pool);
    free(session->pool_at);
    free(session->pool_held);
    free(session->pool_drawn.stretch);
    free(session->distances);
    plugins_close(&session->plugins);
    instruments_close(&session->instruments);
    if (session->machine.topology)
        machine_close(&session->machine);
    free(session);
}

const struct session_distance *session_distance_of(const struct session *session, const struct kernel *kernel,
                                                   unsigned threads)
{
    for (size_t i = 0; i < session->distance_count; i++) {
        const struct session_distance *known = &session->distances[i];
        if (known->kernel == kernel && known->threads == threads)
            return known;
    }
    return NULL;
}

int session_keep_distance(struct session *session, const struct kernel *kernel, unsigned threads, size_t bytes)
{
    if (session_distance_of(session, kernel, threads))
        return 0;
    struct session_distance *more =
        realloc(session->distances, (session->distance_count + 1) * sizeof *session->distances);
    if (!more)
        return -ENOMEM;
    session->distances = more;
    more[session->distance_count++] = (struct session_distance){kernel, threads, bytes};
    return 0;
}

void session_narrow(struct session *session, const unsigned *cpus, unsigned threads, double undisturbed_asked,
                    double undisturbed_chosen)
{
    session->narrowed.asked = session->threads;
    session->narrowed.undisturbed_asked = undisturbed_asked;
    session->narrowed.undisturbed_chosen = undisturbed_chosen;
    memmove(session->cpus, cpus, threads * sizeof *cpus);
    session->threads = threads;
    find_llc(session);
}

int session_add_plugins(struct session *session, const struct plugins_request *request, char *why, size_t size)
{
    return plugins_add(&session->plugins, request, session->machine.features, why, size);
}

bool session_runs(const struct session *session, const char *isa)
{
    const struct isa *row = isa_find(isa);
    return row && isa_runs(row, session->machine.features);
}

struct team *session_team(struct session *session, unsigned threads, char *why, size_t size)
{
    return session_team_from(session, 0, threads, why, size);
}

struct team *session_team_from(struct session *session, unsigned first, unsigned threads, char *why, size_t size)
{
    const unsigned *cpus = &session->cpus[first];
    if (session->team && team_threads(session->team) == threads && team_cpus(session->team)[0] == cpus[0])
        return session->team;
    team_destroy(session->team);
    session->team = NULL;
    return team_create(session->machine.topology, cpus, threads, &session->team, why, size) ? NULL : session->team;
}

enum core_kind session_kind(const struct session *session, unsigned member)
{
    return topology_core_of_cpu(session->machine.topology, session->cpus[member])->kind;
}

bool session_leads_kind(const struct session *session, unsigned member)
{
    for (unsigned former = 0; former < member; former++) {
        if (session_kind(session, former) == session_kind(session, member))
            return false;
    }
    return true;
}

void session_dissolve_team(struct session *session)
{
    team_destroy(session->team);
    session->team = NULL;
}

uint64_t session_random(struct session *session)
{
    uint64_t x = session->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    session->random = x;
    return x * 0x2545f4914f6cdd1du;
}
