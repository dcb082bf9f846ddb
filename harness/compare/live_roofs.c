/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/compare/live_roofs.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/measure/session_level.h"
#include "harness/measure/session_pool.h"
#include "harness/plan/protocol.h"
#include "results/statistics/stats.h"

/** Samples of every stream while the roof is looked for. */
enum { FINDING_SAMPLES = 6 };

/** Places that two readings of a roof must both have kept. */
enum { PLACES_LEAST = 5 };

static const char *level_of(enum compare_class class)
{
    return class == COMPARE_CORE ? "L1" : "memory";
}

static int find_one(struct session *session, enum compare_class class, unsigned team, const volatile int *stop,
                    struct live_roofs *roofs, char *why, size_t size)
{
    struct execution execution = {.roof_samples = FINDING_SAMPLES, .stop = stop};
    size_t failed = 0;
    int error = protocol_roof(session, &roofs->cells, level_of(class), team, &execution, &failed);
    if (error) {
        snprintf(why, size, "%s",
                 error == -ENOMEM  ? "no memory for the roofs"
                 : error == -EINTR ? "interrupted"
                                   : roofs->cells.cell[failed].why);
        return error;
    }
    const struct cell *roof = beta_roof(&roofs->cells, level_of(class), team);
    if (!roof) {
        session_roof_missing(session, level_of(class), team, why, size);
        return -ENODATA;
    }
    roofs->cell[class] = (size_t)(roof - roofs->cells.cell);
    roofs->measured[class] = true;
    return 0;
}

int live_roofs_find(struct session *session, const unsigned teams[COMPARE_CLASSES], const volatile int *stop,
                    struct live_roofs *roofs, char *why, size_t size)
{
    int error = 0;
    *roofs = (struct live_roofs){0};
    for (int class = 0; !error && class < COMPARE_CLASSES; class ++) {
        bool known = class != COMPARE_CORE || session->level_bytes[1]; /* a guest may hide its caches */
        if (teams[class] && known)
            error = find_one(session, (enum compare_class) class, teams[class], stop, roofs, why, size);
    }
    session_dissolve_team(session);
    return error;
}

static double cost_of(const struct sample *sample, enum compare_class class)
{
    if (sample->cause != SAMPLE_KEPT || (class == COMPARE_CORE && sample->grade == SAMPLE_WALL))
        return NAN;
    return class == COMPARE_CORE ? sample->wall_s * sample->core_hz : sample->wall_s;
}

/** Once round the pool, or more often where it has few places. */
static unsigned samples_of(const struct session *session, const struct cell *cell)
{
    const struct beta_cell *own = beta_cell(cell);
    size_t lap =
        cell->cold ? session_cold_places(session, cell->threads, session_stream_span(&own->stream, own->bytes)) : 0;
    return lap < LIVE_ROOF_SAMPLES        ? LIVE_ROOF_SAMPLES
           : lap > LIVE_ROOF_SAMPLES_MOST ? LIVE_ROOF_SAMPLES_MOST
                                          : (unsigned)lap;
}

static int read_one(struct session *session, struct cell *cell, enum compare_class class,
                    struct live_roof_reading *reading)
{
    size_t first = cell->samples.count;
    session_cold_rewind(session);
    int error = cell_visit(session, cell, samples_of(session, cell));
    for (size_t i = first; !error && i < cell->samples.count; i++)
        reading->cost[class][reading->count[class]++] = cost_of(&cell->samples.sample[i], class);
    return error;
}

int live_roofs_read(struct session *session, struct live_roofs *roofs, struct live_roof_reading *reading)
{
    int error = 0;
    memset(reading->count, 0, sizeof reading->count);
    for (int class = 0; !error && class < COMPARE_CLASSES; class ++) {
        if (roofs->measured[class])
            error = read_one(session, &roofs->cells.cell[roofs->cell[class]], (enum compare_class) class, reading);
    }
    session_dissolve_team(session);
    return error;
}

void live_roofs_release(struct live_roofs *roofs)
{
    cells_release(&roofs->cells);
}

double live_roof_level(const struct live_roof_reading *reading, enum compare_class class)
{
    double cost[LIVE_ROOF_SAMPLES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < reading->count[class]; i++) {
        if (reading->cost[class][i] > 0)
            cost[count++] = reading->cost[class][i];
    }
    return stats_median(cost, count);
}

/** Median over the places of what each changed by; NaN of too few. */
static double change_of_places(const struct live_roof_reading *before, const struct live_roof_reading *after,
                               enum compare_class class)
{
    double change[LIVE_ROOF_SAMPLES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < before->count[class] && i < after->count[class]; i++) {
        double ratio = after->cost[class][i] / before->cost[class][i];
        if (ratio > 0)
            change[count++] = log(ratio);
    }
    return count < PLACES_LEAST ? NAN : stats_median(change, count);
}

bool live_roof_moved(const struct live_roofs *roofs, const struct live_roof_reading *before,
                     const struct live_roof_reading *after, enum compare_class class, bool shared)
{
    if (!roofs->measured[class])
        return false;
    double change = class == COMPARE_CORE ? log(live_roof_level(after, class) / live_roof_level(before, class))
                                          : change_of_places(before, after, class);
    return !(fabs(change) <= log1p(compare_threshold(class, shared)));
}
