/* SPDX-License-Identifier: BSD-3-Clause */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platforms/topology/topology.h"

/** CPUs chosen so far. */
struct pool {
    unsigned *cpus;
    size_t count, capacity;
};

static int add(struct pool *pool, unsigned cpu, char *why, size_t size)
{
    if (pool->count == pool->capacity) {
        snprintf(why, size, "a team of more than %zu CPUs; choose fewer by number or by name", pool->capacity);
        return -ENOSPC;
    }
    pool->cpus[pool->count++] = cpu;
    return 0;
}

/* ---------------------------------------------------------------- kinds */

/** @return the kind, -1 for any, -EINVAL for an unknown name or one that no allowed core is of */
static int parse_kind(const struct topology *topology, const char *name, char *why, size_t size)
{
    if (!name)
        return -1;
    bool present[CORE_KIND_LOW_POWER + 1] = {false};
    const struct topology_core *cores = topology_cores(topology);
    for (size_t i = 0; i < topology_core_count(topology); i++)
        present[cores[i].kind] = true;
    for (int kind = 0; kind <= CORE_KIND_LOW_POWER; kind++) {
        if (present[kind] && strcasecmp(name, core_kind_name((enum core_kind)kind)) == 0)
            return kind;
    }
    snprintf(why, size, "no core of kind '%s'; there %s%s%s%s", name, topology_kind_count(topology) > 1 ? "are" : "is",
             present[0] ? " P" : "", present[1] ? " E" : "", present[2] ? " LP" : "");
    return -EINVAL;
}

/* ---------------------------------------------------------------- CPUs named by the user */

/** One unsigned number. @return 0 or -EINVAL */
static int parse_number(const char **text, unsigned *number)
{
    if (!isdigit((unsigned char)**text))
        return -EINVAL;
    char *end;
    errno = 0;
    unsigned long value = strtoul(*text, &end, 10);
    if (errno != 0 || value > INT_MAX)
        return -EINVAL;
    *number = (unsigned)value;
    *text = end;
    return 0;
}

static int check_cpu(const struct topology *topology, int kind, unsigned cpu, char *why, size_t size)
{
    const struct topology_core *core = topology_core_of_cpu(topology, cpu);
    if (!core) {
        char allowed[128];
        topology_allowed_list(topology, allowed, sizeof allowed);
        snprintf(why, size, "cpu %u is not allowed to this process; allowed: %s", cpu, allowed);
        return -EINVAL;
    }
    if (kind >= 0 && core->kind != (enum core_kind)kind) {
        snprintf(why, size, "cpu %u is of kind %s, not %s", cpu, core_kind_name(core->kind),
                 core_kind_name((enum core_kind)kind));
        return -EINVAL;
    }
    return 0;
}

static int add_named(const struct topology *topology, struct pool *pool, int kind, unsigned cpu, char *why, size_t size)
{
    for (size_t i = 0; i < pool->count; i++) {
        if (pool->cpus[i] == cpu) {
            snprintf(why, size, "cpu %u is given twice", cpu);
            return -EINVAL;
        }
    }
    int error = check_cpu(topology, kind, cpu, why, size);
    return error ? error : add(pool, cpu, why, size);
}

/** A list for taskset is written as one of ours. */
static void say_how_to_allow(const char *list, char *why, size_t size)
{
    size_t said = strlen(why);
    if (said < size)
        snprintf(why + said, size - said, "; `taskset -c %s kneepoint ...` allows it", list);
}

static int pool_of_list(const struct topology *topology, const char *list, int kind, struct pool *pool, char *why,
                        size_t size)
{
    const char *text = list;
    for (;;) {
        unsigned first, last;
        int error = parse_number(&text, &first);
        last = first;
        if (error == 0 && *text == '-') {
            text++;
            error = parse_number(&text, &last);
        }
        if (error != 0 || last < first || (*text != '\0' && *text != ',')) {
            snprintf(why, size, "'%s' is not a list of CPUs such as 0,2-5", list);
            return -EINVAL;
        }
        for (unsigned cpu = first; cpu <= last; cpu++) {
            error = add_named(topology, pool, kind, cpu, why, size);
            if (error != 0 && topology_taskset_allows(topology, cpu))
                say_how_to_allow(list, why, size);
            if (error != 0)
                return error;
        }
        if (*text == '\0')
            return 0;
        text++;
    }
}

/* ---------------------------------------------------------------- CPUs chosen by us */

/** First one CPU of every core; with SMT then the second of those that have one, and so on. */
static int pool_of_cores(const struct topology *topology, int kind, bool use_smt, size_t wanted, struct pool *pool,
                         char *why, size_t size)
{
    const struct topology_core *cores = topology_cores(topology);
    unsigned most_siblings = 1;
    for (size_t i = 0; use_smt && i < topology_core_count(topology); i++) {
        if (cores[i].sibling_cpus > most_siblings)
            most_siblings = cores[i].sibling_cpus;
    }
    for (unsigned sibling = 0; sibling < most_siblings; sibling++) {
        for (size_t i = 0; i < topology_core_count(topology); i++) {
            if ((kind >= 0 && cores[i].kind != (enum core_kind)kind) || sibling >= cores[i].sibling_cpus)
                continue;
            if (wanted > 0 && pool->count == wanted)
                return 0;
            int error = add(pool, topology_sibling(topology, &cores[i], sibling), why, size);
            if (error != 0)
                return error;
        }
    }
    return 0;
}

static void explain_shortage(const struct topology *topology, const struct team_request *request, size_t available,
                             char *why, size_t size)
{
    char allowed[128];
    topology_allowed_list(topology, allowed, sizeof allowed);
    if (request->cpus)
        snprintf(why, size, "%u threads asked, but '%s' names %zu CPU%s", request->threads, request->cpus, available,
                 available == 1 ? "" : "s");
    else
        snprintf(why, size, "%u threads asked, but this process has %zu %s%s%s (allowed CPUs: %s)%s", request->threads,
                 available, request->kind ? request->kind : "", request->kind ? " " : "",
                 request->use_smt ? "CPUs" : "cores", allowed,
                 !request->use_smt && topology_joined(topology) ? "; --smt takes all hardware threads of each" : "");
}

int topology_plan_team(const struct topology *topology, const struct team_request *request, unsigned *cpus_out,
                       size_t capacity, char *why, size_t size)
{
    if (size > 0)
        why[0] = '\0';
    struct pool pool = {.cpus = cpus_out, .capacity = capacity};
    int kind = parse_kind(topology, request->kind, why, size);
    if (kind == -EINVAL)
        return kind;
    int error = request->cpus ? pool_of_list(topology, request->cpus, kind, &pool, why, size)
                              : pool_of_cores(topology, kind, request->use_smt, request->threads, &pool, why, size);
    if (error != 0)
        return error;
    if (request->threads > pool.count) {
        explain_shortage(topology, request, pool.count, why, size);
        return -ERANGE;
    }
    return request->threads > 0 ? (int)request->threads : (int)pool.count;
}
