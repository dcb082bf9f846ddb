/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records of cells and samples from their summaries. Field names are an interface.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/cells/cell/summary.h"
#include "harness/cells/knee.h"
#include "harness/record/sample_lines.h"
#include "platforms/quiet.h"
#include "results/record.h"
#include "roofline/ebw.h"
#include "roofline/gamma_fit.h"

static void set(json_t *record, const char *field, json_t *value)
{
    json_object_set_new(record, field, value);
}

static void set_quantity(json_t *record, const char *field, struct graded quantity, const char *unit)
{
    set(record, field, record_quantity(&quantity.summary, unit, quantity.grade));
    if (quantity.summary.n == 0) {
        char reason[64];
        snprintf(reason, sizeof reason, "%s_reason", field);
        set(record, reason, json_string("every sample was rejected; see the rejected causes"));
    }
}

/** A quantity that only hardware counters know: null with the reason where they do not count it. */
static void set_counted(json_t *record, const char *field, struct graded quantity, const char *unit)
{
    if (quantity.summary.n) {
        set_quantity(record, field, quantity, unit);
        return;
    }
    char reason[64];
    snprintf(reason, sizeof reason, "%s_reason", field);
    set(record, field, json_null());
    set(record, reason, json_string("not counted with the samples; the records of type counters say why"));
}

/** Energy that the machine counts is still missing where the samples are too short for it. */
static void set_energy(json_t *record, const struct cell *cell)
{
    struct graded energy = summary_count(cell, COUNTER_PACKAGE_ENERGY_J);
    bool long_enough = false;
    for (size_t i = 0; i < cell->samples.count; i++)
        long_enough |= cell->samples.sample[i].wall_s >= SAMPLER_ENERGY_LEAST_S;
    set_counted(record, "package_energy_j", energy, "J");
    if (!energy.summary.n && !long_enough)
        set(record, "package_energy_j_reason",
            json_string("no sample lasts 20 ms, and energy counters move once a millisecond"));
}

/** What entered the kernel inside the timed regions of a cell, rejected samples too, where --prove counted it. */
static void set_proof(json_t *record, const struct cell *cell)
{
    struct os_entry_counts sum = {{0}};
    size_t proven = 0, entered = 0;
    for (size_t i = 0; i < cell->samples.count; i++) {
        const struct sample *sample = &cell->samples.sample[i];
        if (!sample->proven)
            continue;
        proven++;
        entered += os_entries_total(&sample->entered) > 0;
        for (int e = 0; e < OS_ENTRIES; e++)
            sum.of[e] = sample->entered.of[e] < 0 ? -1 : sum.of[e] + sample->entered.of[e];
    }
    if (!proven)
        return;
    set(record, "proven_samples", json_integer((json_int_t)proven));
    set(record, "entered_samples", json_integer((json_int_t)entered));
    set(record, "entered", os_entries_json(&sum));
}

/** What counters say of a cell beside its times. */
static void set_counters(json_t *record, const struct cell *cell)
{
    set_counted(record, "instructions_per_cycle", summary_instructions_per_cycle(cell), "1/cycle");
    if (cell->kind != CELL_GAMMA) { /* its operands stay in registers */
        set_counted(record, "llc_misses", summary_count(cell, COUNTER_LLC_MISSES), "1");
        set_counted(record, "dram_read_bytes", summary_count(cell, COUNTER_DRAM_READ_BYTES), "B");
        set_counted(record, "dram_write_bytes", summary_count(cell, COUNTER_DRAM_WRITE_BYTES), "B");
        set_energy(record, cell);
    }
    set_proof(record, cell);
}

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *cpus_of(const struct session *session, unsigned threads)
{
    json_t *cpus = json_array();
    for (unsigned i = 0; i < threads; i++)
        json_array_append_new(cpus, json_integer(session->cpus[i]));
    return cpus;
}

/** gamma over the accumulators of the cell's sequence, as far as they were measured, in ascending order. */
static size_t sweep_of(const struct cells *cells, const struct cell *cell,
                       struct gamma_point points[SEQUENCE_ACCUMULATORS_MAX])
{
    size_t count = 0;
    for (uint64_t accumulators = 1; accumulators <= SEQUENCE_ACCUMULATORS_MAX; accumulators++) {
        for (size_t i = 0; i < cells->count; i++) {
            const struct cell *other = &cells->cell[i];
            if (other->kind != CELL_GAMMA || other->sequence != cell->sequence || other->member != cell->member ||
                other->variant->accumulators != accumulators)
                continue;
            double gamma = summary_gamma(other).summary.median;
            if (gamma > 0 && count < SEQUENCE_ACCUMULATORS_MAX)
                points[count++] = (struct gamma_point){(unsigned)accumulators, gamma};
        }
    }
    return count;
}

/** What binds, and why that cannot be told if it cannot. */
static void set_bound(json_t *record, const struct session *session, const struct cells *cells, const struct cell *cell,
                      double uops)
{
    struct gamma_point points[SEQUENCE_ACCUMULATORS_MAX];
    struct gamma_fit fit;
    unsigned accumulators = (unsigned)cell->variant->accumulators;
    double learnt = session->instruments.issue_width_of[cell->member];
    const char *bound = "";
    const char *why = "every sample was rejected; see the rejected causes";
    size_t count = sweep_of(cells, cell, points);
    int unfitted = gamma_fit(points, count, &fit);
    if (unfitted && count == 1 && cell->sequence->variants == 1) { /* it has no others to be told from */
        fit.plateau = points[0].gamma;
        unfitted = 0;
    }
    if (unfitted && count)
        why = "measured with one number of accumulators only";
    if (!unfitted)
        bound = gamma_bound_name(gamma_binds(&fit, accumulators, uops, learnt > 0 ? learnt : session->issue_width));
    set(record, "bound", bound[0] ? json_string(bound) : json_null());
    if (!bound[0])
        set(record, "bound_reason", json_string(why));
    set(record, "plateau", number_or_null(fit.plateau));
    set(record, "slope", number_or_null(fit.slope));
    set(record, "latency_cycles", number_or_null(fit.slope * sequence_vectors_per_dot(cell->sequence)));
    set(record, "fit_residual", number_or_null(fit.residual));
    set(record, "latency_gamma", number_or_null(fit.slope / accumulators));
}

/** Which core a cell of one thread ran on. */
static void set_core(json_t *record, const struct session *session, const struct cell *cell)
{
    unsigned cpu = session->cpus[cell->member];
    set(record, "cpu", json_integer(cpu));
    if (session->machine.topology)
        set(record, "kind", json_string(core_kind_name(topology_core_of_cpu(session->machine.topology, cpu)->kind)));
}

static json_t *gamma_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct sequence *sequence = cell->sequence;
    struct graded gamma = summary_gamma(cell);
    unsigned best_accumulators = 0;
    summary_best_gamma_on(cells, sequence->name, cell->member, &best_accumulators);
    double uops = (double)sequence->group_uops / sequence->group_vectors;
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:f, s:f}", "type", "gamma", "name", sequence->name,
                               "isa", sequence->isa, "format", sequence->format, "sequence", sequence->sequence,
                               "origin", sequence->origin, "accumulators", (int)cell->variant->accumulators,
                               "bytes_per_vector", sequence->bytes_per_vector, "uops_per_vector", uops);
    const struct format *format = format_find(sequence->format);
    if (format) /* it has kernels */
        set(record, "format_bits", json_real(format->bits));
    set_core(record, session, cell);
    set_quantity(record, "gamma", gamma, "cycles");
    set_bound(record, session, cells, cell, uops);
    set(record, "uops_per_cycle", number_or_null(uops / gamma.summary.median));
    set(record, "claimed", sequence->claimed_gamma > 0 ? json_real(sequence->claimed_gamma) : json_null());
    set(record, "usable", json_boolean(cell->variant->accumulators >= sequence->least_accumulators));
    set(record, "best", json_boolean(cell->variant->accumulators == best_accumulators));
    set(record, "knee", number_or_null(sequence->bytes_per_vector / gamma.summary.median));
    set(record, "exact", json_boolean(cell->exact));
    set_counters(record, cell);
    return record;
}

static json_t *beta_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:i, s:o, s:s, s:i, s:i, s:s, s:I}", "type", "beta", "name", strrchr(cell->name, '/') + 1,
        "level", cell->level, "threads", (int)cell->threads, "cpus", cpus_of(session, cell->threads), "stream",
        strrchr(cell->name, '/') + 1, "load_bytes", (int)cell->stream->load_bytes, "streams",
        (int)cell->stream_variant->streams, "prefetch", stream_hint_name((enum stream_hint)cell->stream_variant->hint),
        "prefetch_bytes", (json_int_t)(cell->stream_variant->hint ? cell->prefetch_bytes : 0));
    set(record, "roof", json_boolean(summary_roof(cells, cell->level, cell->threads) == cell));
    set(record, "run_bytes", json_integer(cell->stream_variant->run_bytes));
    set(record, "bytes_per_sample_per_core", json_integer((json_int_t)cell->bytes));
    set_quantity(record, "bytes_per_s", summary_bandwidth(cell), "B/s");
    set_quantity(record, "bytes_per_cycle_per_core", summary_beta(cell), "B/cycle");
    set_counters(record, cell);
    return record;
}

static double sync_time(const struct cells *cells, unsigned threads)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->kind == CELL_SYNC && cell->threads == threads && cell->samples.count)
            return summary_time(cell).summary.median;
    }
    return threads == 1 ? 0 : NAN;
}

static const char *gamma_name(const struct kernel *kernel)
{
    return kernel->gamma ? kernel->gamma : kernel->name;
}

/** Whether the sequence was measured where this member sits, which then leads its kind of core. */
static bool leads_kind(const struct cells *cells, const char *name, unsigned member)
{
    for (size_t i = 0; i < cells->count; i++) {
        const struct cell *cell = &cells->cell[i];
        if (cell->kind == CELL_GAMMA && cell->member == member && strcmp(cell->sequence->name, name) == 0)
            return true;
    }
    return false;
}

/**
 * Seconds in which the slowest kind of core in the team up-converts an equal share of the vectors. The clock of a
 * sample is a mean over the team, so where there are several kinds each has that of its own gammas.
 */
static double compute_time(const struct cells *cells, const struct cell *cell, double vectors, double core_hz,
                           unsigned *accumulators)
{
    const char *name = gamma_name(cell->kernel);
    double vector_s = summary_best_gamma(cells, name, accumulators) / core_hz;
    bool several = false;
    for (unsigned member = 1; member < cell->threads; member++) {
        if (!leads_kind(cells, name, member))
            continue;
        if (!several)
            vector_s *= core_hz / summary_gamma_clock(cells, 0);
        several = true;
        double here_s = summary_best_gamma_on(cells, name, member, NULL) / summary_gamma_clock(cells, member);
        if (isnan(here_s) || here_s > vector_s)
            vector_s = here_s;
        if (isnan(here_s))
            break;
    }
    return vector_s * vectors / cell->threads;
}

/** Seconds that memory and up-convert each need for this GEMV, and the barrier. */
struct model {
    double memory_s, compute_s, sync_s;
    double gamma; /* on the first member's kind of core; NaN where it was not measured */
    unsigned accumulators;
};

static struct model model_of(const struct session *session, const struct cells *cells, const struct cell *cell,
                             double core_hz)
{
    struct model model = {.sync_s = sync_time(cells, cell->threads)};
    const struct format *format = cell->kernel->format;
    double vectors = (double)(format_panels(format, cell->m) * format->rows_per_panel) *
                     (double)format_columns(format, cell->k) / 32;
    model.compute_s = compute_time(cells, cell, vectors, core_hz, &model.accumulators);
    model.gamma = summary_best_gamma(cells, gamma_name(cell->kernel), &model.accumulators);
    double bandwidth = NAN;
    if (cell->cold) {
        bandwidth = summary_paired_roof(cell).summary.median;
    } else {
        const char *level = session_level_of(session, (size_t)(summary_packed_bytes(cell) / cell->threads));
        const struct cell *roof = summary_roof(cells, level, cell->threads);
        if (roof)
            bandwidth = summary_bandwidth(roof).summary.median;
    }
    model.memory_s = summary_packed_bytes(cell) / bandwidth;
    return model;
}

static void set_model(json_t *record, const struct session *session, const struct cells *cells, const struct cell *cell,
                      double time_s)
{
    struct model model = model_of(session, cells, cell, summary_clock(cell).summary.median);
    double overlapped = fmax(model.memory_s, model.compute_s) + model.sync_s;
    double serial = model.memory_s + model.compute_s + model.sync_s;
    if (!isfinite(model.memory_s) || !isfinite(model.compute_s))
        overlapped = serial = NAN;
    set(record, "predicted_s", number_or_null(overlapped));
    set(record, "predicted_serial_s", number_or_null(serial));
    set(record, "overlap", number_or_null(roofline_overlap(time_s - model.sync_s, model.memory_s, model.compute_s)));
    set(record, "residual", number_or_null((time_s - overlapped) / overlapped));
    const char *binds = model.sync_s > fmax(model.memory_s, model.compute_s) ? "synchronisation"
                        : model.memory_s >= model.compute_s                  ? "memory"
                                                                             : "up-convert";
    set(record, "binds", isfinite(overlapped) ? json_string(binds) : json_null());
    char used[160];
    snprintf(used, sizeof used, "%s@%u", gamma_name(cell->kernel), model.accumulators);
    set(record, "gamma", number_or_null(model.gamma));
    set(record, "gamma_used", isfinite(model.compute_s) ? json_string(used) : json_null());
}

static json_t *split_list(const char *list)
{
    json_t *array = json_array();
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ",");
        json_array_append_new(array, json_stringn(at, length));
        at += length + (at[length] == ',');
    }
    return array;
}

/** Label of a stream that is a roof of this level and team; null if the session does not know it (a resumed run). */
static json_t *label_of(const struct session *session, const char *level, unsigned threads, unsigned id)
{
    const struct session_roof *roof = session_roof(session, level, threads);
    for (unsigned i = 0; i < roof->count; i++) {
        char label[80];
        session_stream_label(&roof->streams[i], label, sizeof label);
        if (session_stream_id(&roof->streams[i]) == id)
            return json_string(label);
    }
    return json_null();
}

/** Whether a cell has the prefetch distance that its sequence is reported with, or none that competes. */
static bool is_chosen(const struct cells *cells, const struct cell *cell)
{
    return !cell->competes || summary_knee_distance(cells, cell->sequence) == cell->prefetch_bytes;
}

static void set_knee_model(json_t *record, const struct cells *cells, const struct cell *cell)
{
    struct knee_model model = summary_knee_model(cells, cell);
    const struct cell *gamma = summary_gamma_cell(cells, cell->sequence, cell->variant->accumulators);
    set(record, "bytes_per_vector", json_real(model.bytes));
    if (gamma)
        set_quantity(record, "gamma", summary_gamma(gamma), "cycles");
    else
        set(record, "gamma", json_null());
    set(record, "knee", number_or_null(roofline_knee(model.bytes, model.gamma)));
    set(record, "distance", number_or_null(model.distance));
    set(record, "predicted", number_or_null(model.predicted));
    set(record, "predicted_serial", number_or_null(model.predicted_serial));
    set(record, "overlap", number_or_null(model.overlap));
    set(record, "residual", number_or_null(model.residual));
    set(record, "residual_serial", number_or_null(model.residual_serial));
    set(record, "above_roof", json_boolean(model.above_roof));
    set(record, "above_gamma", json_boolean(model.above_gamma));
}

static json_t *knee_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct sequence *sequence = cell->sequence;
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:i, s:s, s:I, s:b, s:I}", "type", "knee", "name", sequence->name,
        "isa", sequence->isa, "format", sequence->format, "sequence", sequence->sequence, "origin", sequence->origin,
        "accumulators", (int)cell->variant->accumulators, "level", cell->level, "threads", (int)cell->threads,
        "prefetch", cell->prefetches ? "t0" : "none", "prefetch_bytes", (json_int_t)cell->prefetch_bytes, "chosen",
        is_chosen(cells, cell), "bytes_per_pass_per_core", (json_int_t)cell->bytes);
    set_quantity(record, "e_bw", summary_knee_e_bw(cell), "B/cycle");
    set_quantity(record, "beta", summary_knee_beta(cell), "B/cycle");
    set_quantity(record, "roof_fraction", summary_knee_fraction(cell), "1");
    set(record, "roof_stream",
        label_of(session, cell->level, cell->threads, cell->roof.count ? cell->roof.sample[0].stream : 0));
    set_knee_model(record, cells, cell);
    set(record, "kept_though_interrupted", json_integer((json_int_t)summary_kept_though_interrupted(cell)));
    set(record, "exact", json_boolean(cell->exact));
    set_counters(record, cell);
    return record;
}

/** How far the results are from the definition; a cell that is further than its kernel may be has no record. */
static void set_correctness(json_t *record, const struct cell *cell)
{
    const struct kernel *kernel = cell->kernel;
    set(record, "activations", json_string(kernel->takes == KERNEL_TAKES_INT8 ? "int8" : "f32"));
    set(record, "result", json_string(kernel->gives == KERNEL_GIVES_INT32 ? "int32" : "f32"));
    set(record, "lossless", json_boolean(kernel->lossless));
    set(record, "exact", json_boolean(cell->exact));
    set(record, "error", number_or_null(cell->error));
    set(record, "within_bound", json_boolean(cell->verified));
}

static void set_preparation(json_t *record, const struct cells *cells, const struct cell *cell, double time_s)
{
    double prepare_s = summary_prepare_s(cells, cell);
    set(record, "prepare_s", number_or_null(prepare_s));
    set(record, "prepare_share", number_or_null(prepare_s / time_s));
}

static json_t *gemv_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    const struct kernel *kernel = cell->kernel;
    struct graded time = summary_time(cell);
    const char *level =
        cell->cold ? "memory" : session_level_of(session, (size_t)(summary_packed_bytes(cell) / cell->threads));
    json_t *record = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:f, s:o, s:o, s:I, s:I, s:i, s:i, s:s, s:s, s:I}", "type", "gemv", "name",
        kernel->name, "format", kernel->format->name, "sequence", kernel->sequence, "isa", kernel->isa, "origin",
        kernel->origin, "bits", format_bits_per_weight(kernel->format, cell->m, cell->k), "models",
        split_list(cell->models), "roles", split_list(cell->roles), "m", (json_int_t)cell->m, "k", (json_int_t)cell->k,
        "n", 1, "threads", (int)cell->threads, "protocol", cell->cold ? "cold" : "warm", "level", level, "packed_bytes",
        (json_int_t)summary_packed_bytes(cell));
    set_quantity(record, "time_s", time, "s");
    set_quantity(record, "bytes_per_s", summary_gemv_bandwidth(cell), "B/s");
    set_quantity(record, "bytes_per_cycle_per_core", summary_gemv_beta(cell), "B/cycle");
    set_quantity(record, "ops_per_cycle", summary_operations(cell), "op/cycle");
    set(record, "format_bits", json_real(kernel->format->bits));
    bool above = false;
    if (cell->cold) {
        struct graded fraction = summary_roof_fraction(cell);
        above = fraction.summary.median > 1.03;
        set_quantity(record, "roof_fraction", fraction, "1");
        set_quantity(record, "roof_bytes_per_s", summary_paired_roof(cell), "B/s");
        set(record, "roof_stream", label_of(session, "memory", cell->threads, summary_roof_stream(cell)));
        if (cell->copies) { /* not of samples that were restored */
            set(record, "copies", json_integer((json_int_t)cell->copies));
            set(record, "one_layer", json_boolean(cell->copies == 1));
        }
    } else {
        set(record, "roof_fraction", json_null());
        set(record, "roof_fraction_reason", json_string("warm: the weights do not come from memory"));
    }
    set_model(record, session, cells, cell, time.summary.median);
    if (interrupts_undetectable()) {
        set(record, "kept_though_interrupted", json_null());
        set(record, "kept_though_interrupted_reason", json_string(interrupts_undetectable()));
    } else {
        set(record, "kept_though_interrupted", json_integer((json_int_t)summary_kept_though_interrupted(cell)));
    }
    set_correctness(record, cell);
    set_preparation(record, cells, cell, time.summary.median);
    set(record, "above_roof", json_boolean(above));
    set_counters(record, cell);
    return record;
}

static json_t *prepare_record(const struct cell *cell)
{
    if (cell->kernel)
        return json_pack("{s:s, s:s, s:s, s:s, s:I, s:s?}", "type", "prepare", "name",
                         cell->quantizer || cell->kernel->takes == KERNEL_TAKES_F32 ? "operand" : "tables", "kernel",
                         cell->kernel->name, "isa", cell->kernel->isa, "k", (json_int_t)cell->k, "quantizer",
                         cell->quantizer ? cell->quantizer->name : NULL);
    return json_pack("{s:s, s:s, s:s, s:s, s:I}", "type", "prepare", "name",
                     cell->bf16 ? "quantize.bf16" : "quantize.f32", "quantizer", cell->quantizer->name, "isa",
                     cell->quantizer->isa, "k", (json_int_t)cell->k);
}

/** Which plug-in brought what was measured. */
static void set_plugin(json_t *record, const struct session *session, const struct cell *cell)
{
    const struct plugin *plugin = cell->kernel     ? plugins_of_kernel(&session->plugins, cell->kernel)
                                  : cell->sequence ? plugins_of_sequence(&session->plugins, cell->sequence)
                                                   : NULL;
    if (!record || !plugin)
        return;
    set(record, "plugin", json_string(plugin->description->name));
    set(record, "plugin_hash", json_string(plugin->hash));
}

static json_t *record_of(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    json_t *record;
    switch (cell->kind) {
    case CELL_GAMMA: return gamma_record(session, cells, cell);
    case CELL_BETA: return beta_record(session, cells, cell);
    case CELL_GEMV: return gemv_record(session, cells, cell);
    case CELL_KNEE: return knee_record(session, cells, cell);
    case CELL_SYNC:
        record = json_pack("{s:s, s:s, s:i}", "type", "sync", "name", "barrier", "threads", (int)cell->threads);
        break;
    case CELL_PREPARE: record = prepare_record(cell); break;
    default: return NULL;
    }
    if (record) {
        set_quantity(record, "time_s", summary_time(cell), "s");
        set_proof(record, cell);
    }
    return record;
}

json_t *summary_record(const struct session *session, const struct cells *cells, const struct cell *cell)
{
    json_t *record = cell->samples.count ? record_of(session, cells, cell) : NULL;
    set_plugin(record, session, cell);
    return record;
}
