/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/comparable.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Huge pages from this fraction on behave as if all were. */
static const double HUGE_FRACTION = 0.9;

const char *comparable_fact_name(enum comparable_fact fact)
{
    static const char *const name[] = {"cpu", "pages", "flags", "clock", "cells"};
    return name[fact];
}

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    if (length && length + 3 < size) {
        strcpy(text + length, ", ");
        length += 2;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

/* ---- facts in meta.json ---- */

/** The fact at "outer.inner", or of the meta itself without outer. */
static const json_t *fact_of(const struct blocks *side, const char *outer, const char *inner)
{
    const json_t *object = outer ? json_object_get(side->meta, outer) : side->meta;
    const json_t *fact = json_object_get(object, inner);
    return json_is_null(fact) ? NULL : fact;
}

static void in_words(const json_t *fact, char *text, size_t size)
{
    char *dumped = fact ? json_dumps(fact, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    if (json_is_string(fact))
        snprintf(text, size, "'%s'", json_string_value(fact));
    else
        snprintf(text, size, "%s", dumped ? dumped : "unknown");
    free(dumped);
}

static void hold(const struct blocks *base, const struct blocks *head, const char *outer, const char *inner,
                 bool unknown_differs, char *how, size_t size)
{
    const json_t *there = fact_of(base, outer, inner), *here = fact_of(head, outer, inner);
    bool same = there && here ? json_equal(there, here) : !unknown_differs && there == here;
    if (same || (!unknown_differs && (!there || !here)))
        return;
    char before[200], after[200];
    in_words(there, before, sizeof before);
    in_words(here, after, sizeof after);
    add(how, size, "%s %s in BASE, %s in HEAD", inner, before, after);
}

static void look_at_facts(const struct blocks *base, const struct blocks *head, struct comparable *comparable)
{
    static const struct {
        enum comparable_fact fact;
        const char *outer, *inner;
    } needed[] = {
        {COMPARABLE_CPU, "cpu", "name"},     {COMPARABLE_CPU, "cpu", "family"},    {COMPARABLE_CPU, "cpu", "model"},
        {COMPARABLE_CPU, "cpu", "stepping"}, {COMPARABLE_FLAGS, NULL, "compiler"}, {COMPARABLE_FLAGS, NULL, "flags"},
    };
    static const struct {
        const char *outer, *inner;
    } foreign[] = {{"cpu", "name"}, {"cpu", "num_cpus"}, {"cpu", "caches"}, {"cpu", "backends"}, {"cpu", "gpu"}};
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
    bool ours = !base->source[0] && !head->source[0];
    for (size_t i = 0; !ours && i < sizeof foreign / sizeof *foreign; i++) {
        char *how = comparable->how[COMPARABLE_CPU];
        hold(base, head, foreign[i].outer, foreign[i].inner, false, how, sizeof comparable->how[0]);
        comparable->differs[COMPARABLE_CPU] = how[0] != 0;
    }
    for (size_t i = 0; ours && i < sizeof needed / sizeof *needed; i++) {
        char *how = comparable->how[needed[i].fact];
        hold(base, head, needed[i].outer, needed[i].inner, true, how, sizeof comparable->how[0]);
        comparable->differs[needed[i].fact] = how[0] != 0;
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
    add(comparable->how[COMPARABLE_PAGES], sizeof comparable->how[0],
        "cold pool on %s of huge pages in BASE, on %s in HEAD", base->pages, head->pages);
}

static void look_at_clock(const struct blocks *base, const struct blocks *head, struct comparable *comparable)
{
    if (!base->clock[0] || !head->clock[0] || strcmp(base->clock, head->clock) == 0)
        return;
    comparable->differs[COMPARABLE_CLOCK] = true;
    add(comparable->how[COMPARABLE_CLOCK], sizeof comparable->how[0], "core cycles by %s in BASE, by %s in HEAD",
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
        add(how, sizeof comparable->how[0], "BASE is of %s, HEAD of %s", base->source[0] ? base->source : "kneepoint",
            head->source[0] ? head->source : "kneepoint");
    size_t count = alone(base, head, takes, context, &first);
    if (count)
        add(how, sizeof comparable->how[0], "%zu cell%s only in BASE (%s%s)", count, count == 1 ? "" : "s", first,
            count == 1 ? "" : ", …");
    count = alone(head, base, takes, context, &first);
    if (count)
        add(how, sizeof comparable->how[0], "%zu cell%s only in HEAD (%s%s)", count, count == 1 ? "" : "s", first,
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
