/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/end_record.h"

#include "harness/record/recorder.h"

size_t end_skipped(const struct cells *cells)
{
    size_t without = 0;
    for (size_t i = 0; i < cells->count; i++)
        without += !cells->cell[i].samples.count;
    return without;
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
        if (!cell->samples.count)
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

json_t *end_record(const struct run_end *end, const struct cells *cells)
{
    size_t rejected[SAMPLE_CAUSES], samples, without = end_skipped(cells);
    recorder_rejected(cells, rejected, &samples);
    json_t *record =
        json_pack("{s:s, s:s, s:b, s:b, s:f, s:f, s:i, s:i, s:i, s:o, s:o}", "type", "end", "name", end->command,
                  "complete", without == 0 && !end->interrupted, "interrupted", end->interrupted, "seconds",
                  end->seconds, "budget_s", end->budget_s, "cells", (int)cells->count, "cells_skipped", (int)without,
                  "samples", (int)samples, "rejected", causes_object(rejected), "skipped", skipped_array(end, cells));
    if (!record)
        return NULL;
    if (end->plugins && end->plugins->count)
        json_object_set_new(record, "withheld", withheld_array(end->plugins));
    recorder_entered(cells, record);
    if (end->before)
        set_disturbance(record, end->before);
    return record;
}
