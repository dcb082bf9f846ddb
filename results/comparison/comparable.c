/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/comparison/comparable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/records/cpu_key.h"
#include "results/text/words.h"

/** Huge pages from this fraction on behave as if all were. */
static const double HUGE_FRACTION = 0.9;

const char *comparable_fact_name(enum comparable_fact fact)
{
    static const char *const name[] = {"cpu", "pages", "flags", "clock", "cells"};
    return name[fact];
}

/* ---- facts in meta.json ---- */

/** The fact at "outer.inner", or of the meta itself without outer. */
static const json_t *fact_of(const struct blocks *side, const char *outer, const char *inner)
{
    const json_t *object = outer ? json_object_get(side->meta, outer) : side->meta;
    const json_t *fact = json_object_get(object, inner);
    return json_is_null(fact) ? NULL : fact;
}

static void hold(const struct blocks *base, const struct blocks *head, const char *outer, const char *inner,
                 bool unknown_differs, char *how, size_t size)
{
    const json_t *there = fact_of(base, outer, inner), *here = fact_of(head, outer, inner);
    bool same = there && here ? json_equal(there, here) : !unknown_differs && there == here;
    if (same || (!unknown_differs && (!there || !here)))
        return;
    char before[200], after[200];
    words_of_fact(there, before, sizeof before);
    words_of_fact(here, after, sizeof after);
    words_add(how, size, "%s %s in BASE, %s in HEAD", inner, before, after);
}

/** Of other benchmarks, which state few facts. */
static void look_at_foreign_cpu(const struct blocks *base, const struct blocks *head, struct comparable *comparable)
{
    static const char *const stated[] = {"name", "num_cpus", "caches", "backends", "gpu"};
    char *how = comparable->how[COMPARABLE_CPU];
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++)
        hold(base, head, "cpu", stated[i], false, how, sizeof comparable->how[0]);
    comparable->differs[COMPARABLE_CPU] = how[0] != 0;
}

/** A CPU that is named differs where both say so; what older records do not state is only noted. */
static void look_at_cpu(const struct blocks *base, const struct blocks *head, struct comparable *comparable)
{
    char how[480];
    enum cpu_key_match match =
        cpu_key_match(base->meta, head->meta, (const char *const[]){"in BASE", "in HEAD"}, how, sizeof how);
    comparable->differs[COMPARABLE_CPU] = match == CPU_KEY_OTHER || match == CPU_KEY_NAMELESS;
    if (comparable->differs[COMPARABLE_CPU])
        words_add(comparable->how[COMPARABLE_CPU], sizeof comparable->how[0], "%s", how);
    else if (match == CPU_KEY_UNSTATED)
        words_add(comparable->notes, sizeof comparable->notes, "%s", how);
}

static void look_at_facts(const struct blocks *base, const struct blocks *head, struct comparable *comparable)
{
    static const char *const noted[][2] = {
        {"cpu", "microcode"},
        {"host", "hostname"},
        {"host", "kernel"},
        {"host", "governor"},
        {"host", "turbo"},
        {"host", "smt"},
        {"host", "hypervisor"},
        {"host", "cpu_scaling_enabled"},
        {"host", "library_build_type"},
    };
    if (base->source[0] || head->source[0]) {
        look_at_foreign_cpu(base, head, comparable);
    } else {
        char *how = comparable->how[COMPARABLE_FLAGS];
        look_at_cpu(base, head, comparable);
        hold(base, head, NULL, "compiler", true, how, sizeof comparable->how[0]);
        hold(base, head, NULL, "flags", true, how, sizeof comparable->how[0]);
        comparable->differs[COMPARABLE_FLAGS] = how[0] != 0;
    }
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++)
        hold(base, head, noted[i][0], noted[i][1], false, comparable->notes, sizeof comparable->notes);
}

/* ---- pages and clock ---- */

static void split_pages(const char *pages, char kind[40], bool *huge)
{
    double fraction = 0;
    kind[0] = 0;
    sscanf(pages, "%39s %lf", kind, &fraction);
    *huge = fraction >= HUGE_FRACTION;
}

static void look_at_pages(const struct blocks *base, const struct blocks *head, struct comparable *comparable)
{
    char before[40], after[40];
    bool huge_before, huge_after;
    if (!base->pages[0] || !head->pages[0])
        return;
    split_pages(base->pages, before, &huge_before);
    split_pages(head->pages, after, &huge_after);
    if (strcmp(before, after) == 0 && huge_before == huge_after)
        return;
    comparable->differs[COMPARABLE_PAGES] = true;
    words_add(comparable->how[COMPARABLE_PAGES], sizeof comparable->how[0],
              "cold pool on %s of huge pages in BASE, on %s in HEAD", base->pages, head->pages);
}

static void look_at_clock(const struct blocks *base, const struct blocks *head, struct comparable *comparable)
{
    if (!base->clock[0] || !head->clock[0] || strcmp(base->clock, head->clock) == 0)
        return;
    comparable->differs[COMPARABLE_CLOCK] = true;
    words_add(comparable->how[COMPARABLE_CLOCK], sizeof comparable->how[0], "core cycles by %s in BASE, by %s in HEAD",
              base->clock, head->clock);
}

/* ---- cells ---- */

bool comparable_cell(const struct blocks_cell *base, const struct blocks_cell *head)
{
    return base->class == head->class && base->cycles == head->cycles;
}

/** Cells of one side that the other cannot be held against. @return how many; *first is one of them */
static size_t alone(const struct blocks *side, const struct blocks *other,
                    bool (*takes)(const void *context, const char *cell), const void *context, const char **first)
{
    size_t count = 0;
    for (size_t i = 0; i < side->cells; i++) {
        const struct blocks_cell *cell = &side->cell[i];
        if (cell->control || (takes && !takes(context, cell->name)))
            continue;
        const struct blocks_cell *partner = blocks_find(other, cell->name);
        if (partner && comparable_cell(cell, partner))
            continue;
        if (count++ == 0)
            *first = cell->name;
    }
    return count;
}

static void look_at_cells(const struct blocks *base, const struct blocks *head,
                          bool (*takes)(const void *context, const char *cell), const void *context,
                          struct comparable *comparable)
{
    const char *first;
    char *how = comparable->how[COMPARABLE_CELLS];
    if (strcmp(base->source, head->source) != 0)
        words_add(how, sizeof comparable->how[0], "BASE is of %s, HEAD of %s",
                  base->source[0] ? base->source : "kneepoint", head->source[0] ? head->source : "kneepoint");
    size_t count = alone(base, head, takes, context, &first);
    if (count)
        words_add(how, sizeof comparable->how[0], "%zu cell%s only in BASE (%s%s)", count, count == 1 ? "" : "s", first,
                  count == 1 ? "" : ", …");
    count = alone(head, base, takes, context, &first);
    if (count)
        words_add(how, sizeof comparable->how[0], "%zu cell%s only in HEAD (%s%s)", count, count == 1 ? "" : "s", first,
                  count == 1 ? "" : ", …");
    comparable->differs[COMPARABLE_CELLS] = how[0] != 0;
}

void comparable_make(const struct blocks *base, const struct blocks *head,
                     bool (*takes)(const void *context, const char *cell), const void *context,
                     struct comparable *comparable)
{
    memset(comparable, 0, sizeof *comparable);
    look_at_facts(base, head, comparable);
    look_at_pages(base, head, comparable);
    look_at_clock(base, head, comparable);
    look_at_cells(base, head, takes, context, comparable);
}
