/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What samples of passes say.
 */
#include <stdlib.h>

#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/decode/decode.h"
#include "results/files/need.h"

struct graded decode_tokens(const struct cell *cell)
{
    return summary_per_second(cell, (double)decode_work_given(&decode_cell(cell)->work));
}

static bool roof_of(const struct cell *cell, size_t i, double bytes, double *value, enum sample_grade *grade)
{
    const struct sample *roof = &cell->roof.sample[i];
    double seconds;
    *value = bytes / roof->wall_s;
    return summary_time_of(cell, i, &seconds, grade) && roof->cause == SAMPLE_KEPT;
}

struct graded decode_roof(const struct cell *cell)
{
    return summary_derive_beside(cell, roof_of, (double)cell->roof_bytes, roof_paired_stream(cell));
}

struct graded decode_roof_fraction(const struct cell *cell)
{
    const struct decode_cell *own = decode_cell(cell);
    return roof_paired_fraction(cell, (double)(own->layer_bytes + own->head_bytes + own->cache_bytes));
}

enum { ALL_PARTS = (1 << DECODE_PARTS) - 1 };

static double nanoseconds_of(const struct decode_parts *parts, unsigned set)
{
    uint64_t sum = 0;
    for (int part = 0; part < DECODE_PARTS; part++)
        sum += set >> part & 1 ? parts->ns[part] : 0;
    return (double)sum;
}

/** A value of each kept sample that has parts: seconds of a set of them, or its share. */
static struct graded of_parts(const struct cell *cell, unsigned set, bool share)
{
    const struct decode_cell *own = decode_cell(cell);
    struct graded result = {.grade = "wall"};
    double *values = need(own->timed + 1, sizeof *values);
    size_t kept = 0;
    for (size_t i = 0; values && i < own->timed; i++) {
        double ns = nanoseconds_of(&own->parts[i], set);
        if (cell->samples.sample[own->first_timed + i].cause == SAMPLE_KEPT)
            values[kept++] = share ? ns / nanoseconds_of(&own->parts[i], ALL_PARTS) : 1e-9 * ns;
    }
    stats_summarize(values, values ? kept : 0, &result.summary);
    result.summary.rejected = cell->samples.count - kept;
    free(values);
    return result;
}

struct graded decode_part_time(const struct cell *cell, enum decode_part part)
{
    return of_parts(cell, 1u << part, false);
}

struct graded decode_part_share(const struct cell *cell, enum decode_part part)
{
    return of_parts(cell, 1u << part, true);
}

struct graded decode_alpha(const struct cell *cell)
{
    unsigned set = 0;
    for (int part = 0; part < DECODE_PARTS; part++)
        set |= decode_part_is_gemv((enum decode_part)part) ? 1u << part : 0;
    return of_parts(cell, set, true);
}
