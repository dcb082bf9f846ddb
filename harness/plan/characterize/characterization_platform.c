/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The measured machine as a platform file: platforms/platform.schema.json.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/sync/sync.h"
#include "harness/plan/characterize/characterization.h"
#include "results/statistics/stats.h"

static const char measured[] = "measured by kneepoint characterize";

static json_t *quantity(double number, const char *unit, const char *source)
{
    return json_pack("{s:f, s:s, s:s}", "value", number, "unit", unit, "source", source);
}

static enum core_kind kind_of(const struct session *session, unsigned member)
{
    return topology_core_of_cpu(session->machine.topology, session->cpus[member])->kind;
}

/** What predicts each kernel, measured on the first kind of core; NULL if no omega was. */
static json_t *kernels_of(const struct session *session, const struct cells *cells)
{
    json_t *kernels = json_object();
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        struct gemv_omega omega = gemv_omega(session, cells, *kernel);
        if (omega.why || strcmp(omega.quantity.grade, "wall") == 0)
            continue;
        const struct summary *summary = &omega.quantity.summary;
        double bits = format_bits_per_weight((*kernel)->format, GEMV_CALIBRATION_SIDE, GEMV_CALIBRATION_SIDE);
        json_object_set_new(kernels, (*kernel)->name,
                            json_pack("{s:f, s:o, s:{s:f, s:s, s:f, s:f, s:i, s:s, s:s}}", "bits", bits, "gamma",
                                      quantity(omega.gamma, "cycles", measured), "omega", "value", summary->median,
                                      "unit", "1", "low", summary->ci95[0], "high", summary->ci95[1], "n",
                                      (int)summary->n, "grade", omega.quantity.grade, "source", measured));
        double prepare_s = prepare_time(cells, *kernel, GEMV_CALIBRATION_SIDE);
        if (isfinite(prepare_s))
            json_object_set_new(json_object_get(kernels, (*kernel)->name), "prepare",
                                json_pack("{s:f, s:s, s:i, s:s}", "value", prepare_s, "unit", "s", "k",
                                          GEMV_CALIBRATION_SIDE, "source", measured));
    }
    if (json_object_size(kernels) > 0)
        return kernels;
    json_decref(kernels);
    return NULL;
}

/**
 * Best gammas where a member sits, by sequence; NULL if none is known there. Those that were measured and bear no weight
 * go to left_out.
 */
static json_t *gammas_of(const struct cells *cells, unsigned member, const char *kind, json_t *left_out)
{
    json_t *gammas = json_object();
    for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
        char why[96], what[160];
        double gamma = gamma_best_on(cells, (*sequence)->name, member, NULL);
        if (gamma_lacks_best(cells, (*sequence)->name, member, why, sizeof why)) {
            snprintf(what, sizeof what, "gamma %s on %s", (*sequence)->name, kind);
            json_object_set_new(left_out, what, json_string(why));
        }
        if (!isfinite(gamma))
            continue;
        json_t *entry = quantity(gamma, "cycles", measured);
        json_object_set_new(entry, "bits", json_real((*sequence)->bytes_per_vector / 4));
        json_object_set_new(gammas, (*sequence)->name, entry);
    }
    if (json_object_size(gammas) > 0)
        return gammas;
    json_decref(gammas);
    return NULL;
}

/** What one core reads alone, and the kernels that are predicted with it. */
static void add_overlap(json_t *entry, const struct session *session, const struct cells *cells)
{
    const struct cell *alone = beta_roof(cells, "memory", 1);
    double beta = alone ? summary_stated_cycles(beta_summary(alone)) : NAN;
    json_t *kernels = beta > 0 ? kernels_of(session, cells) : NULL;
    if (!kernels)
        return;
    json_object_set_new(entry, "beta_alone", quantity(beta, "B/cycle", measured));
    json_object_set_new(entry, "kernels", kernels);
}

/**
 * One kind of core, led by a member. Where there is only one kind, its clock and beta are those of the roof. The clock
 * of the roof's samples is a mean over all members, so with several kinds each one's clock is that of its own gammas;
 * and since each core reads as many bytes in the same time, their betas are equal shares, which is what the reader of
 * the file derives.
 */
static json_t *kind_json(const struct characterization *job, unsigned leader, bool is_only, const struct cell *roof,
                         json_t *left_out)
{
    const struct session *session = job->session;
    const struct cells *cells = &job->cells;
    enum core_kind kind = kind_of(session, leader);
    unsigned cores = 0;
    for (unsigned member = 0; member < session->threads; member++)
        cores += kind_of(session, member) == kind;
    json_t *entry = json_pack("{s:s, s:i}", "kind", core_kind_name(kind), "cores", (int)cores);
    if (session->machine.core_designs[kind][0])
        json_object_set_new(entry, "microarchitecture", json_string(session->machine.core_designs[kind]));
    if (session->machine.stated_cores[kind][0])
        json_object_set_new(entry, "microarchitecture_stated", json_string(session->machine.stated_cores[kind]));
    double clock = is_only ? summary_stated_cycles(summary_clock(roof)) : gamma_clock(cells, leader);
    if (!(clock > 0)) {
        json_object_set_new(left_out, core_kind_name(kind),
                            json_string("the core clock is not known: too few samples, or graded wall; without it no "
                                        "beta and no gamma"));
        return entry;
    }
    json_object_set_new(
        entry, "clock",
        quantity(clock, "Hz", is_only ? measured : "measured by kneepoint characterize, one core running alone"));
    double beta = summary_stated_cycles(beta_summary(roof));
    if (is_only && beta > 0)
        json_object_set_new(entry, "beta", quantity(beta, "B/cycle", measured));
    json_t *gammas = gammas_of(cells, leader, core_kind_name(kind), left_out);
    if (gammas)
        json_object_set_new(entry, "gamma", gammas);
    if (gammas && leader == 0) /* omega is measured with one thread, the first */
        add_overlap(entry, session, cells);
    return entry;
}

static json_t *kinds_json(const struct characterization *job, const struct cell *roof, json_t *left_out)
{
    json_t *kinds = json_array();
    unsigned count = 0;
    for (unsigned member = 0; member < job->session->threads; member++)
        count += session_leads_kind(job->session, member);
    for (unsigned member = 0; member < job->session->threads; member++) {
        if (session_leads_kind(job->session, member))
            json_array_append_new(kinds, kind_json(job, member, count == 1, roof, left_out));
    }
    return kinds;
}

json_t *characterization_platform(const struct characterization *job, const char *name)
{
    const struct cells *cells = &job->cells;
    unsigned threads = job->session->threads;
    const struct cell *roof = beta_roof(cells, "memory", threads);
    double bandwidth = roof ? summary_stated(beta_bandwidth(roof)) : (double)NAN;
    if (!(bandwidth > 0))
        return NULL;
    json_auto_t *left_out = json_object();
    if (job->session->narrowed.asked)
        json_object_set_new(left_out, "wider teams",
                            json_sprintf("of %u threads: their cores are shared with threads that this system does not "
                                         "show",
                                         job->session->narrowed.asked));
    json_t *platform =
        json_pack("{s:i, s:s, s:s, s:s, s:o, s:o}", "kneepoint_platform", 1, "name", name, "title",
                  machine_cpu_name(&job->session->machine), "source", "kneepoint characterize", "read_bandwidth",
                  quantity(bandwidth, "B/s", measured), "kinds", kinds_json(job, roof, left_out));
    double barrier_s = sync_time(cells, threads);
    if (barrier_s > 0)
        json_object_set_new(platform, "synchronisation", quantity(barrier_s, "s", measured));
    double start_s = gemv_start_time(job->session, cells, threads, true);
    if (start_s > 0)
        json_object_set_new(platform, "start", quantity(start_s, "s", measured));
    if (json_object_size(left_out))
        json_object_set(platform, "left_out", left_out);
    return platform;
}
