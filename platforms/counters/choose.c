/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "platforms/counters/counters.h"
#include "platforms/counters/reason.h"

/* Best grade, first in order among equals. NULL if no probe can count the quantity. */
static const struct counters_probe *best_probe(const struct counters_probe *probes, size_t count, int quantity)
{
    const struct counters_probe *best = NULL;
    for (size_t p = 0; p < count; p++)
        if (probes[p].of[quantity].grade > (best ? best->of[quantity].grade : COUNTER_UNAVAILABLE))
            best = &probes[p];
    return best;
}

static void plan_quantity(struct counters_plan *plan, int quantity, const struct counters_probe *probes, size_t count)
{
    const struct counters_probe *best = best_probe(probes, count, quantity);
    plan->of[quantity].backend = best ? best->backend : NULL;
    plan->of[quantity].grade = best ? best->of[quantity].grade : COUNTER_UNAVAILABLE;
    plan->of[quantity].reason[0] = '\0';
    if (!best && count > 0) /* the first back end is the one that should have counted it */
        reason_line(&probes[0].of[quantity].reason, plan->of[quantity].reason, sizeof plan->of[quantity].reason);
}

static int choose_named(const struct counters_probe *probe, struct counters_plan *plan, char *why, size_t size)
{
    if (!probe->works) {
        char line[2 * COUNTERS_TEXT + 2];
        reason_line(&probe->reason, line, sizeof line);
        snprintf(why, size, "counters '%s' do not work here: %s", probe->backend->name, line);
        return -ENOTSUP;
    }
    for (int q = 0; q < COUNTER_QUANTITIES; q++)
        plan_quantity(plan, q, probe, 1);
    return 0;
}

static void list_names(const struct counters_probe *probes, size_t count, const char *name, char *why, size_t size)
{
    int used = snprintf(why, size, "no counters '%s': choose auto", name);
    for (size_t p = 0; p < count && used >= 0 && (size_t)used < size; p++)
        used += snprintf(why + used, size - (size_t)used, ", %s", probes[p].backend->name);
}

int counters_choose(const char *name, const struct counters_probe *probes, size_t count, struct counters_plan *plan,
                    char *why, size_t size)
{
    *plan = (struct counters_plan){0};
    snprintf(why, size, "%s", "");
    if (strcmp(name, "auto") == 0) {
        for (int q = 0; q < COUNTER_QUANTITIES; q++)
            plan_quantity(plan, q, probes, count);
        return 0;
    }
    for (size_t p = 0; p < count; p++)
        if (strcmp(name, probes[p].backend->name) == 0)
            return choose_named(&probes[p], plan, why, size);
    list_names(probes, count, name, why, size);
    return -EINVAL;
}
