/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/machines/outliers.h"

#include <stdlib.h>

#include "reports/select/kernels/cells.h"

static bool always(const json_t *row)
{
    (void)row;
    return true;
}

static bool is_usable(const json_t *gamma)
{
    return view_flag(gamma, "usable");
}

static bool is_roof_or_faster(const json_t *row, const json_t *than)
{
    if (view_flag(row, "roof") != view_flag(than, "roof"))
        return view_flag(row, "roof");
    return view_median(row, "bytes_per_s") > view_median(than, "bytes_per_s");
}

/* The number of accumulators was chosen where it was measured. */
static bool is_chosen_or_cheaper(const json_t *row, const json_t *than)
{
    if (view_flag(row, "best") != view_flag(than, "best"))
        return view_flag(row, "best");
    return view_median(row, "gamma") < view_median(than, "gamma");
}

const struct shared_rows shared_rows_kinds[SHARED_ROWS_KINDS] = {
    [SHARED_ROWS_BETA] = {.id = "beta",
                          .title = "β: read bandwidth",
                          .about = "The roof of each level and team, GB/s. A ratio above 1 is more bandwidth.",
                          .example = "memory",
                          .type = VIEW_BETA,
                          .field = "bytes_per_s",
                          .unit = "GB/s",
                          .format = "%.2f",
                          .scale = 1e-9,
                          .keys = {{"level", "level"}, {"threads", "#threads"}},
                          .counts = always,
                          .better = is_roof_or_faster},
    [SHARED_ROWS_GAMMA] = {.id = "gamma",
                           .title = "γ: up-convert and multiply",
                           .about = "The lowest γ of each sequence with enough accumulators for a kernel, core cycles "
                                    "per vector of 32 weights. A ratio below 1 is fewer cycles; clocks do not count.",
                           .example = "int2 paper",
                           .type = VIEW_GAMMA,
                           .field = "gamma",
                           .unit = "cycles",
                           .format = "%.3f",
                           .scale = 1,
                           .keys = {{"name", "sequence"}},
                           .counts = is_usable,
                           .better = is_chosen_or_cheaper},
    [SHARED_ROWS_GEMV] = {.id = "gemv",
                          .title = "GEMV cells",
                          .about = "Weights read per second, GB/s, of valid cells. A ratio above 1 is a faster "
                                   "product; cells of another packing compare by bytes, not by time.",
                          .example = "int1 4096 cold",
                          .type = VIEW_GEMV,
                          .field = "bytes_per_s",
                          .unit = "GB/s",
                          .format = "%.2f",
                          .scale = 1e-9,
                          .keys = {{"name", "kernel"},
                                   {"m", "#rows"},
                                   {"k", "#columns"},
                                   {"n", "#n"},
                                   {"threads", "#threads"},
                                   {"protocol", "weights"}},
                          .counts = cells_is_valid,
                          .better = is_roof_or_faster},
};

/* The keys of a row as one string. Caller frees. */
static char *key_of(const struct shared_rows *kind, const json_t *row)
{
    json_auto_t *parts = json_array();
    for (size_t i = 0; i < SHARED_ROWS_KEYS && kind->keys[i].field; i++) {
        json_t *value = json_object_get(row, kind->keys[i].field);
        json_array_append_new(parts, json_is_number(value) ? json_real(json_number_value(value))
                                     : value               ? json_incref(value)
                                                           : json_null());
    }
    return json_dumps(parts, JSON_COMPACT);
}

json_t *shared_rows_of(const struct shared_rows *kind, const struct view *view)
{
    json_t *index = json_object();
    for (size_t i = 0; index && i < view->of[kind->type].count; i++) {
        const json_t *row = view->of[kind->type].rows[i];
        if (!kind->counts(row) || !(view_median(row, kind->field) > 0))
            continue;
        char *key = key_of(kind, row);
        const json_t *known = key ? json_object_get(index, key) : NULL;
        if (key && (!known || kind->better(row, known)))
            json_object_set(index, key, (json_t *)row);
        free(key);
    }
    return index;
}
