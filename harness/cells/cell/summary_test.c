/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "harness/cells/cell/testing.h"
#include "platforms/quiet.h"

/* ---- a machine, a sequence, a stream and a kernel on paper ---- */

enum { CELLS_MOST = 16, ITERATIONS = 100, CLOCK_HZ = 1000000000 };

static const struct sequence_variant variants[] = {
    {.accumulators = 1, .dots = 48}, {.accumulators = 4, .dots = 56}, {.accumulators = 8, .dots = 64}};

static const struct sequence sequence = {
    .name = "int2_test.paper.avx2",
    .isa = "avx2",
    .format = "int2_test",
    .sequence = "paper",
    .origin = "envelope",
    .claimed_gamma = 1.25,
    .bytes_per_vector = 8,
    .vector_bytes = 32, /* one output vector a dot product */
    .group_dots = 4,
    .group_uops = 10,
    .group_vectors = 4,
    .least_accumulators = 4,
    .variants = 3,
    .variant = variants,
};

static const struct stream_variant stream_variants[] = {{4, STREAM_NO_PREFETCH, 256, NULL},
                                                        {2, STREAM_PREFETCH_T0, 256, NULL}};
static const struct stream stream = {"read.avx2", "avx2", 32, 2, stream_variants};

/* 2 bits, 1024 x 1024: 262144 bytes, 32768 output vectors */
static const struct format format = {
    .name = "int2_test", .bits = 2, .rows_per_panel = 64, .k_per_step = 4, .step_bytes = 64, .max_k = 65536};
static const struct kernel kernel = {
    .name = "int2_test.paper.avx2", .sequence = "paper", .isa = "avx2", .origin = "kneepoint", .format = &format};

struct bench {
    struct session session;
    struct cell cell[CELLS_MOST];
    struct cells cells;
};

static int open_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->cells.cell = bench->cell;
    bench->session.threads = 2;
    bench->session.cpus[0] = 3;
    bench->session.cpus[1] = 5;
    bench->session.issue_width = 6;
    bench->session.level_bytes[1] = 48 << 10;
    bench->session.level_bytes[2] = 2 << 20;
    bench->session.level_bytes[3] = 32 << 20;
    *state = bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    for (size_t i = 0; i < CELLS_MOST; i++)
        cell_release(&bench->cell[i]);
    free(bench);
    return 0;
}

static struct cell *add(struct bench *bench, enum cell_kind kind, const char *name)
{
    assert_true(bench->cells.count < CELLS_MOST);
    struct cell *cell = &bench->cell[bench->cells.count++];
    *cell = (struct cell){.kind = kind, .threads = 1, .repeats = 1};
    strcpy(cell->name, name);
    return cell;
}

/** A pair of samples whose difference is gamma cycles a vector, with a loop of 1000 cycles around it. */
static void give_pair(struct cell *cell, double gamma)
{
    double cycles = gamma * ITERATIONS * (double)cell->variant->dots;
    give(&cell->samples, kept_sample((1000 + cycles) / CLOCK_HZ, CLOCK_HZ));
    give(&cell->samples, kept_sample((1000 + 2 * cycles) / CLOCK_HZ, CLOCK_HZ));
}

static struct cell *add_gamma(struct bench *bench, size_t variant, double gamma)
{
    struct cell *cell = add(bench, CELL_GAMMA, "gamma/int2_test.paper.avx2/a");
    cell->sequence = &sequence;
    cell->variant = &variants[variant];
    cell->iterations = ITERATIONS;
    cell->exact = true;
    for (int i = 0; i < 8; i++)
        give_pair(cell, gamma);
    return cell;
}

static struct cell *add_beta(struct bench *bench, const char *level, const char *name, double bytes_per_s,
                             unsigned count)
{
    struct cell *cell = add(bench, CELL_BETA, name);
    cell->stream = &stream;
    cell->stream_variant = &stream_variants[0];
    cell->level = level;
    cell->cold = strcmp(level, "memory") == 0;
    cell->threads = 2;
    cell->bytes = 1 << 20;
    give_many(&cell->samples, kept_sample(2.0 * (1 << 20) / bytes_per_s, CLOCK_HZ), count);
    return cell;
}

/** Samples of a GEMV and, when cold, of the roof beside each. */
static struct cell *add_gemv(struct bench *bench, bool cold, double time_s, double roof_bytes_per_s)
{
    struct cell *cell = add(bench, CELL_GEMV, "gemv/int2_test.paper.avx2/1024x1024/t2/cold");
    cell->kernel = &kernel;
    cell->m = cell->k = 1024;
    cell->threads = 2;
    cell->cold = cold;
    cell->exact = true;
    cell->roof_bytes = 4 << 20;
    for (int i = 0; i < 8; i++) {
        if (cold)
            give(&cell->roof, kept_sample((4 << 20) / roof_bytes_per_s, CLOCK_HZ));
        give(&cell->samples, kept_sample(time_s, CLOCK_HZ));
    }
    return cell;
}

static json_t *record_of(const struct bench *bench, const struct cell *cell)
{
    json_t *record = summary_record(&bench->session, &bench->cells, cell);
    assert_non_null(record);
    return record;
}

static void assert_fields(const json_t *record, const char *const *fields)
{
    for (; *fields; fields++) {
        if (!json_object_get(record, *fields))
            fail_msg("no field '%s'", *fields);
    }
}

/* ---- gamma ---- */

static void gamma_is_the_difference_of_2u_and_u(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_gamma(bench, 1, 1.25);
    struct graded gamma = summary_gamma(cell);
    assert_near(gamma.summary.median, 1.25);
    assert_int_equal(gamma.summary.n, 8);
    assert_int_equal(gamma.summary.rejected, 0);
    assert_string_equal(gamma.grade, "chain");
}

static void half_a_pair_rejects_the_pair(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_gamma(bench, 1, 1.25);
    cell->samples.sample[1].cause = SAMPLE_INTERRUPT; /* 2U of the first pair */
    cell->samples.sample[1].wall_s *= 100;
    cell->samples.sample[4].cause = SAMPLE_CLOCK_DRIFT; /* U of the third */
    cell->samples.sample[4].wall_s *= 100;
    struct graded gamma = summary_gamma(cell);
    assert_near(gamma.summary.max, 1.25);
    assert_int_equal(gamma.summary.n, 6);
    assert_int_equal(gamma.summary.rejected, 2);
}

static void a_sample_without_its_partner_is_no_pair(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_gamma(bench, 1, 1.25);
    give(&cell->samples, kept_sample(1, CLOCK_HZ));
    assert_int_equal(summary_gamma(cell).summary.n, 8);
}

static void cycles_need_chains_that_agree(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_gamma(bench, 1, 1.25);
    for (size_t i = 0; i < 2 * 5; i++) { /* five pairs of eight disagree, and are off */
        cell->samples.sample[i].core_hz *= 1.5;
        cell->samples.sample[i].grade = SAMPLE_WALL;
    }
    struct graded gamma = summary_gamma(cell);
    assert_string_equal(gamma.grade, "chain");
    assert_int_equal(gamma.summary.n, 3);
    assert_int_equal(gamma.summary.rejected, 5);
    assert_near(gamma.summary.max, 1.25);

    cell->samples.sample[10].grade = SAMPLE_WALL; /* two are left: fewer than three */
    gamma = summary_gamma(cell);
    assert_string_equal(gamma.grade, "wall");
    assert_int_equal(gamma.summary.n, 8);
    assert_int_equal(gamma.summary.rejected, 0);
}

static void counted_cycles_outrank_the_chains(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_gamma(bench, 1, 1.25);
    for (size_t i = 0; i < 2 * 3; i++) { /* three pairs of eight were counted, and say otherwise */
        cell->samples.sample[i].core_hz *= 2;
        cell->samples.sample[i].grade = SAMPLE_PMU;
    }
    struct graded gamma = summary_gamma(cell);
    assert_string_equal(gamma.grade, "pmu");
    assert_int_equal(gamma.summary.n, 3);
    assert_near(gamma.summary.median, 2.5);

    cell->samples.sample[0].grade = SAMPLE_CHAIN; /* a pair is as good as its lesser half; two are left */
    gamma = summary_gamma(cell);
    assert_string_equal(gamma.grade, "chain");
    assert_int_equal(gamma.summary.n, 6);
}

static void times_do_not_need_the_chains(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 1e10, 8);
    for (size_t i = 0; i < 8; i++)
        cell->samples.sample[i].grade = SAMPLE_WALL;
    assert_string_equal(summary_bandwidth(cell).grade, "wall");
    assert_near(summary_bandwidth(cell).summary.median, 1e10);
    assert_string_equal(summary_beta(cell).grade, "wall");
    cell->samples.sample[0].grade = cell->samples.sample[1].grade = cell->samples.sample[2].grade = SAMPLE_CHAIN;
    assert_string_equal(summary_beta(cell).grade, "chain");
    assert_int_equal(summary_beta(cell).summary.n, 3);
}

/* As on a hybrid machine: member 1 sits on another kind of core. */
static void gammas_of_another_kind_of_core_stay_apart(void **state)
{
    struct bench *bench = *state;
    struct cell *here = add_gamma(bench, 1, 1.25), *there = add_gamma(bench, 1, 2.175);
    there->member = 1;
    unsigned accumulators = 0;
    assert_near(summary_best_gamma(&bench->cells, sequence.name, &accumulators), 1.25);
    assert_near(summary_best_gamma_on(&bench->cells, sequence.name, 1, &accumulators), 2.175);
    assert_int_equal(accumulators, 4);
    assert_true(isnan(summary_best_gamma_on(&bench->cells, sequence.name, 2, NULL)));
    static const double cpus[] = {3, 5};
    struct cell *cells[] = {here, there};
    for (size_t i = 0; i < 2; i++) {
        json_t *record = record_of(bench, cells[i]);
        assert_near(field_number(record, "cpu"), cpus[i]);
        assert_flag(record, "best", true);
        assert_null_field(record, "bound"); /* one number of accumulators on each */
        json_decref(record);
    }
}

static void the_best_gamma_is_the_lowest_that_a_kernel_can_use(void **state)
{
    struct bench *bench = *state;
    unsigned accumulators = 0;
    assert_true(isnan(summary_best_gamma(&bench->cells, sequence.name, &accumulators)));
    struct cell *probe = add_gamma(bench, 0, 0.5); /* too few accumulators */
    struct cell *four = add_gamma(bench, 1, 1.25), *eight = add_gamma(bench, 2, 0.92);
    assert_near(summary_best_gamma(&bench->cells, sequence.name, &accumulators), 0.92);
    assert_int_equal(accumulators, 8);
    assert_true(isnan(summary_best_gamma(&bench->cells, "int2_test.paper", NULL)));

    json_t *record = record_of(bench, probe);
    assert_flag(record, "usable", false);
    assert_flag(record, "best", false);
    json_decref(record);
    record = record_of(bench, four);
    assert_flag(record, "usable", true);
    assert_flag(record, "best", false);
    json_decref(record);
    record = record_of(bench, eight);
    assert_flag(record, "best", true);
    json_decref(record);
}

static void gamma_record_has_the_fields_of_the_interface(void **state)
{
    struct bench *bench = *state;
    add_gamma(bench, 0, 5);
    struct cell *cell = add_gamma(bench, 1, 1.25);
    json_t *record = record_of(bench, cell);
    static const char *const fields[] = {
        "type",          "name",    "isa",    "format",         "accumulators", "gamma",  "bound",
        "claimed",       "knee",    "usable", "best",           "exact",        "origin", "sequence",
        "latency_gamma", "plateau", "slope",  "latency_cycles", "fit_residual", NULL};
    static const char *const quantity[] = {"median", "min", "mad", "ci95", "n", "rejected", "unit", "grade", NULL};
    assert_fields(record, fields);
    assert_fields(json_object_get(record, "gamma"), quantity);
    assert_string_equal(field_text(record, "type"), "gamma");
    assert_string_equal(field_text(record, "name"), "int2_test.paper.avx2");
    assert_string_equal(field_text(json_object_get(record, "gamma"), "unit"), "cycles");
    assert_near(field_number(record, "knee"), 8 / 1.25);
    assert_near(field_number(record, "claimed"), 1.25);
    assert_near(field_number(record, "latency_gamma"), 5.0 / 4);
    assert_near(field_number(record, "slope"), 5);
    assert_near(field_number(record, "latency_cycles"), 5);
    assert_null_field(record, "plateau"); /* both points lie on the slope */
    assert_near(field_number(record, "uops_per_vector"), 2.5);
    assert_near(field_number(record, "uops_per_cycle"), 2);
    json_decref(record);
}

static const char *bound_of(const struct bench *bench, const struct cell *cell)
{
    static char bound[16];
    json_t *record = record_of(bench, cell);
    snprintf(bound, sizeof bound, "%s", field_text(record, "bound"));
    json_decref(record);
    return bound;
}

static void what_binds_shows_in_the_neighbours(void **state)
{
    struct bench *bench = *state;
    struct cell *one = add_gamma(bench, 0, 5), *four = add_gamma(bench, 1, 1.25);
    /* no more accumulators were measured: the chain of one explains it */
    assert_string_equal(bound_of(bench, four), "latency");
    struct cell *eight = add_gamma(bench, 2, 0.92);
    assert_string_equal(bound_of(bench, one), "latency");
    assert_string_equal(bound_of(bench, four), "latency");
    assert_string_equal(bound_of(bench, eight), "ports"); /* 5 / 8 = 0.625 is not 0.92 */
}

static void more_accumulators_that_change_nothing_mean_ports_or_the_front_end(void **state)
{
    struct bench *bench = *state;
    struct cell *four = add_gamma(bench, 1, 1.00);
    add_gamma(bench, 2, 0.97);
    assert_string_equal(bound_of(bench, four), "ports");
    bench->session.issue_width = 2.6; /* 2.5 uops a cycle are issued */
    assert_string_equal(bound_of(bench, four), "frontend");
}

static void gamma_without_a_kept_sample_is_null_with_the_reason(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_gamma(bench, 1, 1.25);
    for (size_t i = 0; i < cell->samples.count; i++)
        cell->samples.sample[i].cause = SAMPLE_INTERRUPT;
    json_t *record = record_of(bench, cell);
    assert_null_field(record, "gamma");
    assert_true(strlen(field_text(record, "gamma_reason")) > 0);
    assert_null_field(record, "bound");
    assert_null_field(record, "knee");
    assert_flag(record, "best", false);
    json_decref(record);
}

/* ---- beta ---- */

static void beta_is_bytes_per_cycle_of_each_core(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 8);
    cell->samples.sample[7].cause = SAMPLE_PAGE_FAULT;
    json_t *record = record_of(bench, cell);
    static const char *const fields[] = {"type",       "name",    "level",       "threads",
                                         "cpus",       "stream",  "bytes_per_s", "bytes_per_cycle_per_core",
                                         "load_bytes", "streams", "prefetch",    "prefetch_bytes",
                                         "roof",       NULL};
    assert_fields(record, fields);
    assert_near(field_median(record, "bytes_per_s"), 2e10);
    assert_near(field_median(record, "bytes_per_cycle_per_core"), 10);
    assert_string_equal(field_grade(record, "bytes_per_s"), "wall");
    assert_string_equal(field_grade(record, "bytes_per_cycle_per_core"), "chain");
    assert_near(field_number(json_object_get(record, "bytes_per_s"), "n"), 7);
    assert_near(field_number(json_object_get(record, "bytes_per_s"), "rejected"), 1);
    assert_int_equal(json_array_size(json_object_get(record, "cpus")), 2);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(record, "cpus"), 1)), 5);
    assert_string_equal(field_text(record, "stream"), "read.avx2.s4");
    assert_flag(record, "roof", true);
    json_decref(record);
}

static void the_roof_is_not_a_stream_that_was_dropped_early(void **state)
{
    struct bench *bench = *state;
    struct cell *lucky = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s1", 9e10, 3);
    struct cell *steady = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 26);
    add_beta(bench, "memory", "beta/memory/t2/read.avx2.s8", 1e10, 26);
    add_beta(bench, "L2", "beta/L2/t2/read.avx2.s8", 8e10, 26);
    assert_ptr_equal(summary_roof(&bench->cells, "memory", 2), steady);
    assert_null(summary_roof(&bench->cells, "memory", 1));
    assert_null(summary_roof(&bench->cells, "L1", 2));
    give_many(&lucky->samples, kept_sample(2.0 * (1 << 20) / 9e10, CLOCK_HZ), 23);
    assert_ptr_equal(summary_roof(&bench->cells, "memory", 2), lucky);
}

static void a_clock_that_could_not_be_timed_costs_its_sample_only(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 2e10, 8);
    for (size_t i = 0; i < 8; i++)
        cell->samples.sample[i].grade = SAMPLE_WALL;
    cell->samples.sample[2].core_hz = 0;
    struct graded beta = summary_beta(cell);
    assert_near(beta.summary.median, 10);
    assert_int_equal(beta.summary.n, 7);
    assert_int_equal(beta.summary.rejected, 1);
    assert_int_equal(summary_bandwidth(cell).summary.n, 8);
}

/* ---- GEMV ---- */

static void gemv_record_has_the_fields_of_the_interface(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_gemv(bench, true, 20e-6, 2e10);
    strcpy(cell->models, "llama3-8b,falcon3-1b");
    strcpy(cell->roles, "q,o");
    json_t *record = record_of(bench, cell);
    static const char *const fields[] = {"type",
                                         "name",
                                         "format",
                                         "isa",
                                         "m",
                                         "k",
                                         "n",
                                         "threads",
                                         "protocol",
                                         "time_s",
                                         "bytes_per_s",
                                         "ops_per_cycle",
                                         "roof_fraction",
                                         "predicted_s",
                                         "residual",
                                         "exact",
                                         "sequence",
                                         "bits",
                                         "models",
                                         "roles",
                                         "level",
                                         "packed_bytes",
                                         "bytes_per_cycle_per_core",
                                         "predicted_serial_s",
                                         "overlap",
                                         "binds",
                                         "gamma_used",
                                         "above_roof",
                                         NULL};
    assert_fields(record, fields);
    assert_string_equal(field_text(record, "type"), "gemv");
    assert_string_equal(field_text(record, "protocol"), "cold");
    assert_string_equal(field_text(record, "level"), "memory");
    assert_near(field_number(record, "packed_bytes"), 262144);
    assert_near(field_number(record, "bits"), 2);
    assert_near(field_median(record, "bytes_per_s"), 262144 / 20e-6);
    assert_near(field_median(record, "bytes_per_cycle_per_core"), 262144 / 20e-6 / CLOCK_HZ / 2);
    assert_near(field_median(record, "ops_per_cycle"), 2.0 * 1024 * 1024 / 20e-6 / CLOCK_HZ / 2);
    assert_near(field_number(record, "n"), 1);
    const json_t *models = json_object_get(record, "models");
    assert_int_equal(json_array_size(models), 2);
    assert_string_equal(json_string_value(json_array_get(models, 1)), "falcon3-1b");
    json_decref(record);
}

static void a_roof_fraction_compares_neighbours_in_time(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_gemv(bench, true, 20e-6, 2e10); /* 13.1 of 20 GB/s */
    double fraction = 262144 / 20e-6 / 2e10;
    /* half of the time the memory gives half: both sides see it, so the fraction stays */
    for (size_t i = 0; i < 8; i += 2) {
        cell->samples.sample[i].wall_s *= 2;
        cell->roof.sample[i].wall_s *= 2;
    }
    struct graded measured = summary_roof_fraction(cell);
    assert_near(measured.summary.min, fraction);
    assert_near(measured.summary.max, fraction);
    /* either half rejected rejects the pair */
    cell->roof.sample[0].cause = SAMPLE_INTERRUPT;
    cell->samples.sample[1].cause = SAMPLE_INTERRUPT;
    assert_int_equal(summary_roof_fraction(cell).summary.n, 6);
    assert_int_equal(summary_roof_fraction(cell).summary.rejected, 2);
    assert_int_equal(summary_paired_roof(cell).summary.n, 7);
}

static void one_number_of_accumulators_does_not_tell_what_binds(void **state)
{
    struct bench *bench = *state;
    struct cell *alone = add_gamma(bench, 1, 1.25);
    json_t *record = summary_record(&bench->session, &bench->cells, alone);
    assert_non_null(record);
    assert_true(json_is_null(json_object_get(record, "bound")));
    assert_non_null(json_string_value(json_object_get(record, "bound_reason")));
    json_decref(record);
    add_gamma(bench, 0, 5.0);
    record = summary_record(&bench->session, &bench->cells, alone);
    assert_non_null(json_string_value(json_object_get(record, "bound")));
    assert_null(json_object_get(record, "bound_reason"));
    json_decref(record);
}

/** Half of a cell's roof samples by stream 7 at one rate, half by stream 9 at another. */
static void share_roof(struct cell *cell, double rate7, double rate9)
{
    for (size_t i = 0; i < cell->roof.count; i++) {
        cell->roof.sample[i].stream = i % 2 ? 9 : 7;
        cell->roof.sample[i].wall_s = (4 << 20) / (i % 2 ? rate9 : rate7);
    }
}

static void the_roof_is_the_stream_that_is_fastest_over_all_cells(void **state)
{
    struct bench *bench = *state;
    struct cell *odd = add_gemv(bench, true, 20e-6, 20e9);
    struct cell *usual = add_gemv(bench, true, 20e-6, 20e9), *another = add_gemv(bench, true, 20e-6, 20e9);
    share_roof(odd, 10e9, 15e9); /* stream 9 wins here, but not over all */
    share_roof(usual, 20e9, 16e9);
    share_roof(another, 20e9, 16e9);
    struct cell *other_team = add_gemv(bench, true, 20e-6, 20e9);
    other_team->threads = 1;
    share_roof(other_team, 1e9, 50e9);
    summary_choose_roofs(&bench->cells, 2);
    assert_int_equal(odd->roof_stream, 7);
    assert_int_equal(usual->roof_stream, 7);
    assert_int_equal(other_team->roof_stream, 0);
    assert_int_equal(summary_paired_roof(usual).summary.n, 4);
    assert_near(summary_paired_roof(usual).summary.median, 20e9);
    assert_near(summary_paired_roof(odd).summary.median, 10e9);
    assert_near(summary_roof_fraction(usual).summary.median, 262144 / 20e-6 / 20e9);

    /* rejected samples have no say */
    for (size_t i = 0; i < usual->roof.count; i += 2)
        usual->roof.sample[i].cause = another->roof.sample[i].cause = SAMPLE_CLOCK_DRIFT;
    summary_choose_roofs(&bench->cells, 2);
    assert_int_equal(usual->roof_stream, 9);
    assert_near(summary_paired_roof(usual).summary.median, 16e9);
}

static void above_the_roof_is_flagged(void **state)
{
    struct bench *bench = *state;
    double time_s = 262144 / 2e10;
    json_t *record = record_of(bench, add_gemv(bench, true, time_s / 1.02, 2e10));
    assert_flag(record, "above_roof", false);
    json_decref(record);
    record = record_of(bench, add_gemv(bench, true, time_s / 1.04, 2e10));
    assert_flag(record, "above_roof", true);
    json_decref(record);
}

static void add_model_parts(struct bench *bench, double gamma, double barrier_s)
{
    add_gamma(bench, 1, gamma);
    struct cell *sync = add(bench, CELL_SYNC, "sync/barrier/t2");
    sync->threads = 2;
    sync->repeats = 100;
    give_many(&sync->samples, kept_sample(100 * barrier_s, CLOCK_HZ), 8);
}

static void the_model_is_the_slower_side_and_the_barrier(void **state)
{
    struct bench *bench = *state;
    add_model_parts(bench, 0.5, 1e-6);
    /* memory 262144 / 20 GB/s = 13.1072 us, computing 32768 * 0.5 / 2 cores = 8.192 us */
    double memory_s = 262144 / 2e10, compute_s = 32768 * 0.5 / 2e9;
    struct cell *cell = add_gemv(bench, true, 16e-6, 2e10);
    json_t *record = record_of(bench, cell);
    assert_near(field_number(record, "predicted_s"), memory_s + 1e-6);
    assert_near(field_number(record, "predicted_serial_s"), memory_s + compute_s + 1e-6);
    assert_near(field_number(record, "residual"), 16e-6 / (memory_s + 1e-6) - 1);
    assert_near(field_number(record, "overlap"), (memory_s + compute_s - 15e-6) / compute_s);
    assert_string_equal(field_text(record, "binds"), "memory");
    assert_string_equal(field_text(record, "gamma_used"), "int2_test.paper.avx2@4");
    assert_near(field_number(record, "gamma"), 0.5);
    json_decref(record);
}

/* Shares of the matrix are equal, so the slower kind of core is waited for. */
static void the_slowest_kind_of_core_in_the_team_computes_longest(void **state)
{
    struct bench *bench = *state;
    add_model_parts(bench, 0.5, 1e-6);
    add_gamma(bench, 1, 2.5)->member = 1;
    double memory_s = 262144 / 2e10;
    struct cell *cell = add_gemv(bench, true, 50e-6, 2e10);
    json_t *record = record_of(bench, cell);
    assert_near(field_number(record, "predicted_s"), 32768 * 2.5 / 2e9 + 1e-6);
    assert_near(field_number(record, "predicted_serial_s"), 32768 * 2.5 / 2e9 + memory_s + 1e-6);
    json_decref(record);
    add_gamma(bench, 1, 3)->member = 2; /* of no team of two */
    record = record_of(bench, cell);
    assert_near(field_number(record, "predicted_s"), 32768 * 2.5 / 2e9 + 1e-6);
    json_decref(record);
}

static void each_side_can_bind(void **state)
{
    struct bench *bench = *state;
    add_model_parts(bench, 2, 1e-6); /* 32.8 us of computing */
    json_t *record = record_of(bench, add_gemv(bench, true, 40e-6, 2e10));
    assert_string_equal(field_text(record, "binds"), "up-convert");
    json_decref(record);
    give_many(&bench->cell[1].samples, kept_sample(100 * 50e-6, CLOCK_HZ), 80); /* a barrier of 50 us */
    record = record_of(bench, add_gemv(bench, true, 80e-6, 2e10));
    assert_string_equal(field_text(record, "binds"), "synchronisation");
    json_decref(record);
}

static void a_model_that_lacks_a_part_is_null(void **state)
{
    struct bench *bench = *state;
    json_t *record = record_of(bench, add_gemv(bench, true, 16e-6, 2e10)); /* no gamma, no barrier */
    static const char *const fields[] = {"predicted_s", "predicted_serial_s", "overlap", "residual",
                                         "binds",       "gamma_used",         NULL};
    for (const char *const *field = fields; *field; field++)
        assert_null_field(record, *field);
    assert_near(field_median(record, "time_s"), 16e-6);
    json_decref(record);
}

static void a_warm_gemv_is_held_against_its_cache_level(void **state)
{
    struct bench *bench = *state;
    add_model_parts(bench, 0.5, 1e-6);
    add_beta(bench, "L2", "beta/L2/t2/read.avx2.s4", 1e11, 8);
    add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 1e10, 8);
    struct cell *cell = add_gemv(bench, false, 20 * 10e-6, 0);
    cell->repeats = 20;
    json_t *record = record_of(bench, cell);
    assert_string_equal(field_text(record, "protocol"), "warm");
    assert_string_equal(field_text(record, "level"), "L2"); /* 128 KiB a core */
    assert_null_field(record, "roof_fraction");
    assert_near(field_median(record, "time_s"), 10e-6);
    assert_near(field_number(record, "predicted_serial_s"), 262144 / 1e11 + 8.192e-6 + 1e-6);
    assert_string_equal(field_text(record, "binds"), "up-convert");
    json_decref(record);
}

static void kept_though_interrupted_is_counted(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_gemv(bench, true, 2e-3, 2e10);
    cell->samples.sample[0].interrupted = cell->samples.sample[1].interrupted = true;
    cell->samples.sample[1].cause = SAMPLE_CONTEXT_SWITCH;
    json_t *record = record_of(bench, cell);
    if (interrupts_undetectable())
        assert_null_field(record, "kept_though_interrupted");
    else
        assert_near(field_number(record, "kept_though_interrupted"), 1);
    json_decref(record);
}

/* ---- what hardware counted ---- */

static void counts_of_a_cell_are_of_one_repeat_and_of_the_samples_that_have_them(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 1e10, 8);
    cell->repeats = 4;
    for (size_t i = 0; i < 8; i++) {
        struct sample *sample = &cell->samples.sample[i];
        sample->counted = i < 6 ? COUNTER_SET(COUNTER_LLC_MISSES) : 0;
        sample->count[COUNTER_LLC_MISSES] = i < 6 ? 400 : 1e9;
        sample->cause = i ? SAMPLE_KEPT : SAMPLE_INTERRUPT;
    }
    json_t *record = record_of(bench, cell);
    assert_near(field_median(record, "llc_misses"), 100);
    assert_near(field_number(json_object_get(record, "llc_misses"), "n"), 5);
    assert_near(field_number(json_object_get(record, "llc_misses"), "rejected"), 3);
    assert_null_field(record, "instructions_per_cycle");
    assert_true(strlen(field_text(record, "instructions_per_cycle_reason")) > 0);
    json_decref(record);
}

static void traffic_and_energy_reach_the_record_where_they_are_counted(void **state)
{
    struct bench *bench = *state;
    struct cell *cell = add_beta(bench, "memory", "beta/memory/t2/read.avx2.s4", 1e10, 8);
    json_t *record = record_of(bench, cell);
    assert_null_field(record, "dram_read_bytes");
    assert_null_field(record, "package_energy_j");
    assert_non_null(strstr(field_text(record, "package_energy_j_reason"), "no sample lasts 20 ms"));
    json_decref(record);
    for (size_t i = 0; i < 8; i++) {
        struct sample *sample = &cell->samples.sample[i];
        sample->wall_s = SAMPLER_ENERGY_LEAST_S;
        sample->counted = COUNTER_SET_MACHINE & ~COUNTER_SET(COUNTER_DRAM_WRITE_BYTES);
        sample->count[COUNTER_DRAM_READ_BYTES] = 3e6;
        sample->count[COUNTER_PACKAGE_ENERGY_J] = 0.5;
    }
    record = record_of(bench, cell);
    assert_near(field_median(record, "dram_read_bytes"), 3e6);
    assert_string_equal(field_text(json_object_get(record, "dram_read_bytes"), "unit"), "B");
    assert_near(field_median(record, "package_energy_j"), 0.5);
    assert_string_equal(field_text(json_object_get(record, "package_energy_j"), "unit"), "J");
    assert_null_field(record, "dram_write_bytes");
    assert_non_null(strstr(field_text(record, "dram_write_bytes_reason"), "type counters"));
    json_decref(record);
}

/* ---- the others ---- */

static void barrier_and_quantizer_have_records_of_their_own(void **state)
{
    struct bench *bench = *state;
    struct cell *sync = add(bench, CELL_SYNC, "sync/barrier/t2");
    sync->threads = 2;
    sync->repeats = 100;
    give_many(&sync->samples, kept_sample(100e-6, CLOCK_HZ), 4);
    json_t *record = record_of(bench, sync);
    assert_string_equal(field_text(record, "type"), "sync");
    assert_string_equal(field_text(record, "name"), "barrier");
    assert_near(field_median(record, "time_s"), 1e-6);
    json_decref(record);

    static const struct quantizer quantizer = {.name = "per_tensor.avx2", .isa = "avx2"};
    struct cell *prepare = add(bench, CELL_PREPARE, "prepare/bf16/per_tensor.avx2/4096");
    prepare->quantizer = &quantizer;
    prepare->bf16 = true;
    prepare->k = 4096;
    give_many(&prepare->samples, kept_sample(1e-6, CLOCK_HZ), 4);
    record = record_of(bench, prepare);
    assert_string_equal(field_text(record, "type"), "prepare");
    assert_string_equal(field_text(record, "name"), "quantize.bf16");
    assert_near(field_number(record, "k"), 4096);
    json_decref(record);
}

static struct cell *add_prepare(struct bench *bench, const struct kernel *of, const struct quantizer *quantizer,
                                double time_s)
{
    struct cell *cell = add(bench, CELL_PREPARE, "prepare");
    cell->kernel = of;
    cell->quantizer = quantizer;
    cell->k = bench->cells.cell[0].k;
    give_many(&cell->samples, kept_sample(time_s, CLOCK_HZ), 4);
    return cell;
}

static void prepare_nothing(const void *activations, size_t k, void *prepared)
{
    (void)activations, (void)k, (void)prepared;
}

static void preparation_is_that_of_what_the_kernel_takes(void **state)
{
    struct bench *bench = *state;
    static const struct quantizer quantizer = {.name = "per_tensor.avx2", .isa = "avx2"};
    struct kernel tables = kernel, floats = kernel, blocks = kernel;
    tables.prepare = blocks.prepare = prepare_nothing;
    floats.takes = blocks.takes = KERNEL_TAKES_F32;
    struct cell *cell = add_gemv(bench, true, 16e-6, 2e10);
    assert_true(isnan(summary_prepare_s(&bench->cells, cell)));
    add_prepare(bench, NULL, &quantizer, 2e-6)->bf16 = true;
    add_prepare(bench, NULL, &quantizer, 3e-6)->k++;
    assert_true(isnan(summary_prepare_s(&bench->cells, cell)));
    add_prepare(bench, NULL, &quantizer, 4e-6);
    assert_near(summary_prepare_s(&bench->cells, cell), 4e-6);
    json_t *record = record_of(bench, cell);
    assert_near(field_number(record, "prepare_s"), 4e-6);
    assert_near(field_number(record, "prepare_share"), 0.25);
    json_decref(record);

    cell->kernel = &tables;
    add_prepare(bench, &tables, NULL, 5e-6);
    assert_true(isnan(summary_prepare_s(&bench->cells, cell))); /* the tables alone are not all */
    add_prepare(bench, &tables, &quantizer, 6e-6);
    assert_near(summary_prepare_s(&bench->cells, cell), 6e-6);
    cell->kernel = &blocks;
    assert_true(isnan(summary_prepare_s(&bench->cells, cell)));
    add_prepare(bench, &blocks, NULL, 7e-6);
    assert_near(summary_prepare_s(&bench->cells, cell), 7e-6);
    cell->kernel = &floats;
    assert_true(summary_prepare_s(&bench->cells, cell) == 0);
    cell->kernel = &kernel;
}

static void a_cell_without_samples_has_no_record(void **state)
{
    struct bench *bench = *state;
    assert_null(summary_record(&bench->session, &bench->cells, add(bench, CELL_SYNC, "sync/barrier/t2")));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_bench, close_bench)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(gamma_is_the_difference_of_2u_and_u),
        CASE(half_a_pair_rejects_the_pair),
        CASE(a_sample_without_its_partner_is_no_pair),
        CASE(cycles_need_chains_that_agree),
        CASE(counted_cycles_outrank_the_chains),
        CASE(times_do_not_need_the_chains),
        CASE(gammas_of_another_kind_of_core_stay_apart),
        CASE(the_best_gamma_is_the_lowest_that_a_kernel_can_use),
        CASE(gamma_record_has_the_fields_of_the_interface),
        CASE(what_binds_shows_in_the_neighbours),
        CASE(more_accumulators_that_change_nothing_mean_ports_or_the_front_end),
        CASE(gamma_without_a_kept_sample_is_null_with_the_reason),
        CASE(beta_is_bytes_per_cycle_of_each_core),
        CASE(the_roof_is_not_a_stream_that_was_dropped_early),
        CASE(a_clock_that_could_not_be_timed_costs_its_sample_only),
        CASE(gemv_record_has_the_fields_of_the_interface),
        CASE(a_roof_fraction_compares_neighbours_in_time),
        CASE(one_number_of_accumulators_does_not_tell_what_binds),
        CASE(the_roof_is_the_stream_that_is_fastest_over_all_cells),
        CASE(above_the_roof_is_flagged),
        CASE(the_model_is_the_slower_side_and_the_barrier),
        CASE(the_slowest_kind_of_core_in_the_team_computes_longest),
        CASE(each_side_can_bind),
        CASE(a_model_that_lacks_a_part_is_null),
        CASE(a_warm_gemv_is_held_against_its_cache_level),
        CASE(kept_though_interrupted_is_counted),
        CASE(traffic_and_energy_reach_the_record_where_they_are_counted),
        CASE(counts_of_a_cell_are_of_one_repeat_and_of_the_samples_that_have_them),
        CASE(barrier_and_quantizer_have_records_of_their_own),
        CASE(preparation_is_that_of_what_the_kernel_takes),
        CASE(a_cell_without_samples_has_no_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
