/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/characterize/pace.h"

#include <math.h>

#include "harness/cells/cell/kind.h"
#include "harness/plan/characterize/parts.h"

/** Less of a kind does not tell its pace. Seconds. */
static const double SEEN_S = 0.1;

/** An estimate is never so far off; a machine that stood still for a moment is. */
static const double SLOWEST = 20, FASTEST = 0.05;

/** As many samples as the first estimate stands for. */
enum { ASSUMED_SAMPLES = 100 };

enum { SAMPLES_LEAST = 3, SAMPLES_MOST = 60 };

void pace_note(struct pace *pace, unsigned kind, double estimated_s, double seconds, size_t samples, size_t kept)
{
    unsigned place = kind < PACE_KINDS ? kind : PACE_KINDS - 1;
    pace->estimated_s[place] += estimated_s;
    pace->taken_s[place] += seconds;
    pace->taken += samples;
    pace->kept += kept;
}

static double within(double ratio)
{
    return fmin(fmax(ratio, FASTEST), SLOWEST);
}

double pace_of(const struct pace *pace, unsigned kind)
{
    unsigned place = kind < PACE_KINDS ? kind : PACE_KINDS - 1;
    if (pace->taken_s[place] >= SEEN_S && pace->estimated_s[place] > 0)
        return within(pace->taken_s[place] / pace->estimated_s[place]);
    double estimated_s = 0, taken_s = 0;
    for (unsigned i = 0; i < PACE_KINDS; i++) {
        estimated_s += pace->estimated_s[i];
        taken_s += pace->taken_s[i];
    }
    return taken_s >= SEEN_S && estimated_s > 0 ? within(taken_s / estimated_s) : 1;
}

json_t *pace_record(const struct pace *pace)
{
    const struct cell_kind *const *kind = cell_kind_all();
    json_t *record = json_object();
    for (unsigned i = 0; kind[i] && i < PACE_KINDS; i++) {
        if (pace->taken_s[i] > 0)
            json_object_set_new(
                record, kind[i]->name,
                json_pack("{s:f, s:f}", "estimated_s", pace->estimated_s[i], "taken_s", pace->taken_s[i]));
    }
    return record;
}

double pace_kept_share(const struct pace *pace)
{
    return ((double)pace->kept + PARTS_KEPT_SHARE * ASSUMED_SAMPLES) / ((double)pace->taken + ASSUMED_SAMPLES);
}

unsigned pace_samples(const struct pace *pace, size_t wanted)
{
    double samples = ceil((double)wanted / pace_kept_share(pace));
    return samples < SAMPLES_LEAST ? SAMPLES_LEAST : samples > SAMPLES_MOST ? SAMPLES_MOST : (unsigned)samples;
}
