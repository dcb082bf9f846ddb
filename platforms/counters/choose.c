/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "platforms/counters/counters.h"
#include "platforms/counters/reason.h"

struct choice {
    bool system_calls;
    const struct counters_probe *probes;
    size_t count;
};

static enum counter_grade eligible_grade(const struct choice *choice, const struct counters_support *support)
{
    return support->system_call && !choice->system_calls ? COUNTER_UNAVAILABLE : support->grade;
}

/* Best grade, first in order among equals. NULL if no probe can count the quantity. */
static const struct counters_probe *best_probe(const struct choice *choice, int quantity)
{
    const struct counters_probe *best = NULL;
    enum counter_grade best_grade = COUNTER_UNAVAILABLE;
    for (size_t p = 0; p < choice->count; p++) {
        enum counter_grade grade = eligible_grade(choice, &choice->probes[p].of[quantity]);
        if (grade > best_grade) {
            best_grade = grade;
            best = &choice->probes[p];
        }
    }
    return best;
}

/* No back end counts it: one could with a system call, or the first back end says why it cannot. */
static void explain_absence(const struct choice *choice, int quantity, char *line, size_t size)
{
    for (size_t p = 0; p < choice->count; p++) {
        if (choice->probes[p].of[quantity].grade == COUNTER_UNAVAILABLE)
            continue;
        snprintf(line, size, "%s reads it with a system call, which is not made around this sample",
                 choice->probes[p].backend->name);
        return;
    }
    if (choice->count > 0)
        reason_line(&choice->probes[0].of[quantity].reason, line, size);
}

static void plan_quantity(struct counters_plan *plan, int quantity, const struct choice *choice)
{
    const struct counters_probe *best = best_probe(choice, quantity);
    plan->of[quantity].backend = best ? best->backend : NULL;
    plan->of[quantity].grade = best ? best->of[quantity].grade : COUNTER_UNAVAILABLE;
    plan->of[quantity].reason[0] = '\0';
    if (!best)
        explain_absence(choice, quantity, plan->of[quantity].reason, sizeof plan->of[quantity].reason);
}

static int choose_named(const struct choice *choice, struct counters_plan *plan, char *why, size_t size)
{
    const struct counters_probe *probe = choice->probes;
    if (!probe->works) {
        char line[2 * COUNTERS_TEXT + 2];
        reason_line(&probe->reason, line, sizeof line);
        snprintf(why, size, "counters '%s' do not work here: %s", probe->backend->name, line);
        return -ENOTSUP;
    }
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        plan_quantity(plan, q, choice);
    return 0;
}

static void list_names(const struct counters_probe *probes, size_t count, const char *name, char *why, size_t size)
{
    int used = snprintf(why, size, "no counters '%s': choose auto", name);
    for (size_t p = 0; p < count && used >= 0 && (size_t)used < size; p++)
        used += snprintf(why + used, size - (size_t)used, ", %s", probes[p].backend->name);
}

int counters_choose(const char *name, bool system_calls, const struct counters_probe *probes, size_t count,
                    struct counters_plan *plan, char *why, size_t size)
{
    *plan = (struct counters_plan){0};
    snprintf(why, size, "%s", "");
    if (strcmp(name, "auto") == 0) {
        struct choice all = {system_calls, probes, count};
        for (int q = 0; q < COUNTER_QUANTITIES; q++)
            plan_quantity(plan, q, &all);
        return 0;
    }
    for (size_t p = 0; p < count; p++) {
        struct choice one = {system_calls, &probes[p], 1};
        if (strcmp(name, probes[p].backend->name) == 0)
            return choose_named(&one, plan, why, size);
    }
    list_names(probes, count, name, why, size);
    return -EINVAL;
}
