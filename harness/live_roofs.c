/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/live_roofs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results/stats.h"

/** Samples of every stream while the roof is looked for, and of the roof at each moment. */
enum { FINDING_SAMPLES = 6, READING_SAMPLES = 45 };

static const char *level_of(enum compare_class class)
{
    return class == COMPARE_CORE ? "L1" : "memory";
}

static int find_one(struct session *session, enum compare_class class, unsigned team, struct live_roofs *roofs,
                    char *why, size_t size)
{
    struct execution execution = {.roof_samples = FINDING_SAMPLES};
    size_t failed = 0, first = roofs->plan.cells.count;
    int error = plan_add_beta(&roofs->plan, session, level_of(class), team);
    if (!error)
        error = plan_find_roof(session, &roofs->plan, first, roofs->plan.cells.count, &execution, &failed);
    if (error) {
        snprintf(why, size, "%s", error == -ENOMEM ? "no memory for the roofs" : roofs->plan.cells.cell[failed].why);
        return error;
    }
    const struct cell *roof = summary_roof(&roofs->plan.cells, level_of(class), team);
    if (!roof) {
        snprintf(
            why, size,
            "no sample of the read roof of %u thread%s was kept: the machine is too busy (`kneepoint selftest` shows "
            "what disturbs); try again",
            team, team == 1 ? "" : "s");
        return -ENODATA;
    }
    roofs->cell[class] = (size_t)(roof - roofs->plan.cells.cell);
    roofs->measured[class] = true;
    return 0;
}

int live_roofs_find(struct session *session, const unsigned teams[COMPARE_CLASSES], struct live_roofs *roofs, char *why,
                    size_t size)
{
    int error = 0;
    *roofs = (struct live_roofs){0};
    for (int class = 0; !error && class < COMPARE_CLASSES; class ++) {
        bool known = class != COMPARE_CORE || session->level_bytes[1]; /* a guest may hide its caches */
        if (teams[class] && known)
            error = find_one(session, (enum compare_class) class, teams[class], roofs, why, size);
    }
    session_rest(session);
    return error;
}

/** Median cost of the samples from `first` on: kept, and of cycles those whose clock holds. */
static double cost_since(const struct cell *cell, size_t first, enum compare_class class)
{
    double cost[READING_SAMPLES];
    size_t count = 0;
    for (size_t i = first; i < cell->samples.count && count < READING_SAMPLES; i++) {
        const struct sample *sample = &cell->samples.sample[i];
        if (sample->cause != SAMPLE_KEPT || (class == COMPARE_CORE && sample->grade == SAMPLE_WALL))
            continue;
        cost[count++] = class == COMPARE_CORE ? sample->wall_s * sample->core_hz : sample->wall_s;
    }
    return stats_median(cost, count);
}

int live_roofs_read(struct session *session, struct live_roofs *roofs, struct live_roof_reading *reading)
{
    int error = 0;
    for (int class = 0; !error && class < COMPARE_CLASSES; class ++) {
        reading->cost[class] = NAN;
        if (!roofs->measured[class])
            continue;
        struct cell *cell = &roofs->plan.cells.cell[roofs->cell[class]];
        size_t first = cell->samples.count;
        error = cell_visit(session, cell, READING_SAMPLES);
        if (!error)
            reading->cost[class] = cost_since(cell, first, (enum compare_class) class);
    }
    session_rest(session);
    return error;
}

void live_roofs_release(struct live_roofs *roofs)
{
    plan_release(&roofs->plan);
}

bool live_roof_moved(const struct live_roofs *roofs, const struct live_roof_reading *before,
                     const struct live_roof_reading *after, enum compare_class class, bool shared)
{
    if (!roofs->measured[class])
        return false;
    double change = fabs(log(after->cost[class] / before->cost[class]));
    return !(change <= log1p(compare_threshold(class, shared)));
}
