/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/plan_axes.h"

#include <stdio.h>
#include <string.h>

/** Append one more name, after a separator. */
static void join(char *list, size_t size, const char *separator, const char *name)
{
    size_t length = strlen(list);
    snprintf(list + length, size - length, "%s%s", length ? separator : "", name);
}

/** Add the places "[paper, figure]" that are not there yet. */
static void join_places(struct shape *shape, const char *places)
{
    for (const char *at = strchr(places, '['); at; at = strchr(at + 1, '[')) {
        char place[SHAPE_TIMED_BY];
        snprintf(place, sizeof place, "%.*s", (int)strcspn(at, "]") + 1, at);
        if (!strstr(shape->timed_by, place))
            join(shape->timed_by, sizeof shape->timed_by, " ", place);
    }
}

size_t plan_distinct_shapes(struct shape *shapes, size_t capacity, char (*models)[CELL_NAMES],
                            char (*roles)[CELL_NAMES])
{
    struct shape all[SHAPES_MAX];
    size_t count = 0, total = shapes_all(all, SHAPES_MAX);
    for (size_t i = 0; i < total; i++) {
        size_t j = 0;
        while (j < count && (shapes[j].m != all[i].m || shapes[j].k != all[i].k))
            j++;
        if (j == count && count == capacity)
            continue;
        if (j == count) {
            shapes[count] = all[i];
            models[count][0] = roles[count][0] = 0;
            count++;
        }
        join(models[j], CELL_NAMES, ",", all[i].model);
        join(roles[j], CELL_NAMES, ",", all[i].roles);
        join_places(&shapes[j], all[i].timed_by);
    }
    return count;
}

size_t plan_team_sizes(unsigned widest, unsigned sizes[16])
{
    size_t count = 0;
    for (unsigned size = 1; size < widest && count < 15; size *= 2)
        sizes[count++] = size;
    sizes[count++] = widest;
    return count;
}
