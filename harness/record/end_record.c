/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/end_record.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/kind.h"
#include "harness/record/recorder.h"

size_t end_skipped(const struct cells *cells)
{
    size_t without = 0;
    for (size_t i = 0; i < cells->count; i++)
        without += !cells->cell[i].samples.count && !cells->cell[i].left_out && !cells->cell[i].needless;
    return without;
}

static size_t count_planned(const struct cells *cells)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++)
        count += !cells->cell[i].left_out && !cells->cell[i].needless;
    return count;
}

static json_t *reason(const char *name, const char *why)
{
    return json_pack("{s:s, s:s}", "name", name, "reason", why);
}

static json_t *skipped_array(const struct run_end *end, const struct cells *cells)
{
    json_t *skipped = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!cell->samples.count && !cell->left_out && !cell->needless)
            json_array_append_new(skipped,
                                  reason(cell->name, cell->why[0] || !end->unreached ? cell->why : end->unreached));
    }
    return skipped;
}

static json_t *causes_object(const size_t rejected[SAMPLE_CAUSES])
{
    json_t *causes = json_object();
    for (int cause = SAMPLE_KEPT + 1; cause < SAMPLE_CAUSES; cause++)
        json_object_set_new(causes, sample_cause_name((enum sample_cause)cause),
                            json_integer((json_int_t)rejected[cause]));
    return causes;
}

static json_t *withheld_array(const struct plugins *plugins)
{
    json_t *withheld = json_array();
    for (size_t i = 0; i < plugins->faults; i++)
        json_array_append_new(withheld, reason(plugins->fault[i].name, plugins->fault[i].why));
    return withheld;
}

/** What happened to the machine since; nothing where the system does not tell. */
static void set_disturbance(json_t *record, const struct host_disturbance *before)
{
    struct host_disturbance after = {0};
    if (host_disturbance_read("", &after) != 0)
        return;
    json_object_set_new(record, "disturbance",
                        json_pack("{s:I, s:I, s:I}", "steal_ticks",
                                  (json_int_t)(after.steal_ticks - before->steal_ticks), "interrupts",
                                  (json_int_t)(after.interrupts - before->interrupts), "context_switches",
                                  (json_int_t)(after.context_switches - before->context_switches)));
}

/** Whether a planned cell was not come to, for no reason of its own. */
static bool any_unreached(const struct cells *cells)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (!cell->samples.count && !cell->left_out && !cell->why[0])
            return true;
    }
    return false;
}

/** Where the last `parts` parts of a name begin; its beginning if it has no more. */
static size_t last_parts(const char *name, unsigned parts)
{
    size_t at = strlen(name);
    while (at && (name[at - 1] != '/' || --parts))
        at--;
    return at;
}

/** {"gemv/f16.dot.avx2/4096x4096/": ["t1/cold", …]}: names by what they begin with, since they may be many. */
static json_t *dropped_names(const struct cells *cells, size_t *count)
{
    json_t *names = json_object();
    *count = 0;
    for (size_t i = 0; i < cells->count; i++) {
        const char *name = cells->cell[i].name;
        if (!cells->cell[i].left_out || cells->cell[i].needless || !cells->cell[i].dropped)
            continue;
        char begin[sizeof cells->cell[i].name];
        size_t length = last_parts(name, cells->cell[i].kind->halves ? 1 : 2);
        snprintf(begin, sizeof begin, "%.*s", (int)length, name);
        json_t *ends = json_object_get(names, begin);
        if (!ends) {
            ends = json_array();
            json_object_set_new(names, begin, ends);
        }
        json_array_append_new(ends, json_string(name + length));
        ++*count;
    }
    return names;
}

static size_t count_left_out(const struct cells *cells)
{
    size_t count = 0;
    for (size_t i = 0; i < cells->count; i++)
        count += cells->cell[i].left_out && !cells->cell[i].needless && !cells->cell[i].dropped;
    return count;
}

/** The plan for that budget lists what was never planned; what was planned and then dropped is listed only here. */
static void set_left_out(json_t *record, const struct run_end *end, const struct cells *cells)
{
    size_t left_out = count_left_out(cells), dropped;
    json_auto_t *names = dropped_names(cells, &dropped);
    json_object_set_new(record, "cells_left_out", json_integer((json_int_t)left_out));
    if (left_out)
        json_object_set_new(record, "left_out",
                            json_pack("{s:s, s:O*}", "reason", end->left_out ? end->left_out : "not planned",
                                      "least_budgets_s",
                                      json_object_size(end->least_budgets) ? end->least_budgets : NULL));
    json_object_set_new(record, "cells_dropped", json_integer((json_int_t)dropped));
    if (dropped)
        json_object_set_new(record, "dropped",
                            json_pack("{s:s, s:O}", "reason",
                                      end->budget_bytes > 0 && isfinite(end->budget_bytes)
                                          ? "dropped: the machine was slower or records were longer than estimated"
                                          : "dropped: the machine was slower than estimated",
                                      "cells", names));
}

/** Cells whose samples were rejected too often. */
static void set_unsettled(json_t *record, const struct run_end *end, const struct cells *cells)
{
    json_auto_t *unsettled = json_array();
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        size_t kept = cell->samples.count && !cell->left_out ? cell_kept(cell) : SIZE_MAX;
        if (kept < end->kept_least)
            json_array_append_new(unsettled, json_pack("{s:s, s:I}", "name", cell->name, "kept", (json_int_t)kept));
    }
    json_object_set_new(record, "cells_unsettled", json_integer((json_int_t)json_array_size(unsettled)));
    if (json_array_size(unsettled))
        json_object_set(record, "unsettled", unsettled);
}

/** What was estimated before anything was measured, and of each kind what its visits were estimated to take and took. */
static void set_estimate(json_t *record, const struct run_end *end)
{
    if (end->pace)
        json_object_set_new(record, "estimate",
                            json_pack("{s:f, s:f, s:O}", "planned_s", end->planned_s, "measured_s", end->measured_s,
                                      "kinds", end->pace));
}

json_t *end_record(const struct run_end *end, const struct cells *cells)
{
    size_t rejected[SAMPLE_CAUSES], samples, without = end_skipped(cells);
    recorder_rejected(cells, rejected, &samples);
    json_t *record =
        json_pack("{s:s, s:s, s:b, s:b, s:f, s:o, s:i, s:i, s:i, s:o, s:o}", "type", "end", "name", end->command,
                  "complete", !end->interrupted && !any_unreached(cells), "interrupted", end->interrupted, "seconds",
                  end->seconds, "budget_s", isfinite(end->budget_s) ? json_real(end->budget_s) : json_null(), "cells",
                  (int)count_planned(cells), "cells_skipped", (int)without, "samples", (int)samples, "rejected",
                  causes_object(rejected), "skipped", skipped_array(end, cells));
    if (!record)
        return NULL;
    if (end->budget_bytes > 0 && isfinite(end->budget_bytes))
        json_object_set_new(record, "budget_bytes", json_real(end->budget_bytes));
    set_left_out(record, end, cells);
    set_estimate(record, end);
    if (end->kept_least)
        set_unsettled(record, end, cells);
    if (end->plugins && end->plugins->count)
        json_object_set_new(record, "withheld", withheld_array(end->plugins));
    recorder_entered(cells, record);
    if (end->before)
        set_disturbance(record, end->before);
    return record;
}

json_t *withheld_record(const struct plugin_fault *fault)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I}", "type", "withheld", "name", fault->name, "plugin",
                     fault->plugin->description->name, "plugin_hash", fault->plugin->file.hash, "reason", fault->why,
                     "seed", (json_int_t)fault->seed);
}
