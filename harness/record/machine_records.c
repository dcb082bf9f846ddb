/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/record/run_writer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "platforms/clock/clock.h"
#include "platforms/topology/affinity.h"
#include "results/records/record.h"

enum { READINGS = 9 };

/** Of readings that timed nothing there is no number: null, and the reason goes into <field>_reason. */
static void set_readings(json_t *record, const char *field, double *value, size_t count, const char *unit,
                         const char *grade, const char *why)
{
    char reason[64];
    struct summary summary;
    stats_summarize(value, count, &summary);
    json_object_set_new(record, field, record_quantity(&summary, unit, grade));
    snprintf(reason, sizeof reason, "%s_reason", field);
    if (!count)
        json_object_set_new(record, reason, json_string(why));
}

json_t *clock_record(const struct topology_core *core, double tsc_hz)
{
    double hz[READINGS], ratio[READINGS], multiply_adds[READINGS];
    size_t count = 0;
    struct clock own;
    clock_calibrate(tsc_hz, &own);
    for (int i = 0; i < READINGS; i++) {
        struct clock_reading reading = clock_read(&own);
        multiply_adds[i] = reading.multiply_adds;
        if (!(reading.imul_hz > 0 && reading.add_hz > 0))
            continue;
        hz[count] = reading.imul_hz;
        ratio[count++] = reading.imul_hz / reading.add_hz;
    }
    struct summary adds;
    stats_summarize(multiply_adds, READINGS, &adds);
    char name[32], why[SESSION_WHY];
    struct clock_reading usual =
        clock_reading_of((struct clock_spans){.multiply_s = adds.median, .add_s = 1}, own.multiply_cycles);
    clock_disagreement(&usual, why, sizeof why);
    snprintf(name, sizeof name, "cpu%u", core->cpu);
    json_t *record = json_pack("{s:s, s:s, s:i, s:s, s:f, s:i, s:i, s:f, s:o}", "type", "clock", "name", name, "cpu",
                               (int)core->cpu, "kind", core_kind_name(core->kind), "tsc_hz", tsc_hz, "tsc_step",
                               (int)own.step_ticks, "multiply_cycles", (int)own.multiply_cycles, "issue_width",
                               clock_issue_width(&own), "disagreement", why[0] ? json_string(why) : json_null());
    set_readings(record, "core_hz", hz, count, "Hz", usual.agrees ? "chain" : "wall", why);
    set_readings(record, "imul_add_ratio", ratio, count, "1", "wall", why);
    return record;
}

int clock_records(struct session *session, int (*append)(void *context, json_t *record), void *context)
{
    char why[SESSION_WHY];
    struct affinity *before;
    int error = affinity_keep(&before);
    for (unsigned member = 0; !error && member < session->threads; member++) {
        unsigned cpu = session->cpus[member];
        if (!session_leads_kind(session, member))
            continue;
        error = topology_bind_thread(session->machine.topology, cpu, why, sizeof why);
        if (!error)
            error = append(context, clock_record(topology_core_of_cpu(session->machine.topology, cpu),
                                                 session->instruments.tsc_hz));
        else if (error != -ENOMEM) /* it may not run there */
            error = 0;
    }
    affinity_restore(before);
    return error;
}

json_t *memory_record(const struct session *session, unsigned member)
{
    const struct topology *topology = session->machine.topology;
    const struct memory_block *block = &session->pool[member];
    const struct topology_core *core = topology_core_of_cpu(topology, session->cpus[member]);
    char name[32], why[SESSION_WHY];
    unsigned node;
    int error = topology_memory_node(topology, block->bytes, block->mapped, &node, why, sizeof why);
    bool known = error == 0 || error == -EXDEV;
    double huge = memory_huge_fraction(block);
    snprintf(name, sizeof name, "cpu%u", session->cpus[member]);
    json_t *record = json_pack("{s:s, s:s, s:i, s:i, s:o, s:I, s:s, s:o}", "type", "memory", "name", name, "cpu",
                               (int)session->cpus[member], "numa_node", (int)core->numa_node, "node_ok",
                               known ? json_boolean(!error && node == core->numa_node) : json_null(), "bytes",
                               (json_int_t)block->mapped, "pages", memory_pages_name(block->pages),
                               "huge_page_fraction", isfinite(huge) ? json_real(huge) : json_null());
    if (record && error)
        json_object_set_new(record, "node_ok_reason", json_string(why));
    return record;
}
