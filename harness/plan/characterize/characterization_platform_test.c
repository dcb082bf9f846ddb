/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The platform file that characterize writes, from cells with samples as if they had been measured on a recorded
 * machine.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/gemv/gemv_model.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/sync/sync.h"
#include "harness/plan/characterize/characterization.h"
#include "platforms/described/described_open.h"
#include "unit_test.h"

enum { ITERATIONS = 100, BETA_BYTES = 1 << 20 };

static const struct stream_variant stream_variants[] = {{4, STREAM_NO_PREFETCH, 256, 0, NULL}};
static const struct stream stream = {"read.avx2", "avx2", 32, 0, 1, stream_variants};

struct bench {
    struct session session;
    struct characterization job;
};

static void open_bench(struct bench *bench, const char *fixture, unsigned threads)
{
    char path[128], why[256];
    *bench = (struct bench){.session.threads = threads};
    snprintf(path, sizeof path, "platforms/fixtures/topology/%s.xml", fixture);
    if (topology_open(path, &bench->session.machine.topology, why, sizeof why) != 0)
        fail_msg("%s", why);
    for (unsigned i = 0; i < threads; i++)
        bench->session.cpus[i] = i;
    bench->job = (struct characterization){.session = &bench->session};
}

static void close_bench(struct bench *bench)
{
    cells_release(&bench->job.cells);
    topology_close(bench->session.machine.topology);
}

static struct cell *add(struct bench *bench, const struct cell_kind *kind, unsigned threads)
{
    struct cells *cells = &bench->job.cells;
    struct cell *cell = cells_add(cells, kind);
    assert_non_null(cell);
    cell->threads = threads;
    cell->repeats = 1;
    return cell;
}

/* The first sequence of the registry with the most accumulators that it has. */
static const struct sequence *the_sequence(void)
{
    return sequence_all()[0];
}

static void add_gamma(struct bench *bench, unsigned member, double gamma, double core_hz)
{
    const struct sequence *sequence = the_sequence();
    struct cell *cell = add(bench, &cell_kind_gamma, 1);
    cell->sequence = sequence;
    gamma_cell(cell)->variant = &sequence->variant[sequence->variants - 1];
    cell->member = member;
    cell->iterations = ITERATIONS;
    double cycles = gamma * ITERATIONS * (double)gamma_cell(cell)->variant->dots * sequence_vectors_per_dot(sequence);
    for (int i = 0; i < 8; i++) {
        give(&cell->samples, kept_sample((1000 + cycles) / core_hz, core_hz));
        give(&cell->samples, kept_sample((1000 + 2 * cycles) / core_hz, core_hz));
    }
}

static void add_roof(struct bench *bench, double bytes_per_s, double core_hz)
{
    struct cell *cell = add(bench, &cell_kind_beta, bench->session.threads);
    *beta_cell(cell) = (struct beta_cell){true, {&stream, &stream_variants[0], 0}, "memory", BETA_BYTES};
    give_many(&cell->samples, kept_sample(bench->session.threads * (double)BETA_BYTES / bytes_per_s, core_hz), 12);
}

static void add_sync(struct bench *bench, double seconds)
{
    give_many(&add(bench, &cell_kind_sync, bench->session.threads)->samples, kept_sample(seconds, 1e9), 12);
}

/* Through the text, as a user ops. */
static void read_back(const struct bench *bench, struct described_platform *platform)
{
    char why[256];
    json_auto_t *json = characterization_platform(&bench->job, "host");
    assert_non_null(json);
    char *text = json_dumps(json, 0);
    if (described_parse(text, strlen(text), "platform.json", platform, why, sizeof why) != 0)
        fail_msg("%s", why);
    free(text);
}

TEST(a_hybrid_machine_has_a_gamma_for_each_kind)
{
    struct bench bench;
    struct described_platform platform;
    open_bench(&bench, "lunar_lake_4p4e", 8);
    snprintf(bench.session.machine.core_designs[CORE_KIND_EFFICIENCY],
             sizeof bench.session.machine.core_designs[CORE_KIND_EFFICIENCY], "Skymont");
    strcpy(bench.session.machine.stated_cores[CORE_KIND_EFFICIENCY], "Gracemont");
    add_gamma(&bench, 0, 1.25, 4.1e9);
    add_gamma(&bench, 4, 2.175, 3.7e9);
    add_roof(&bench, 104e9, 3.9e9);
    add_sync(&bench, 1e-6);
    read_back(&bench, &platform);

    assert_int_equal(platform.kind_count, 2);
    assert_null(described_lacks(&platform));
    static const double gammas[] = {1.25, 2.175}, clocks[] = {4.1e9, 3.7e9};
    static const char *const kinds[] = {"P", "E"}, *const designs[] = {"", "Skymont"};
    for (size_t i = 0; i < 2; i++) {
        const struct described_kind *kind = &platform.kinds[i];
        const struct described_gamma *gamma = described_gamma_of(kind, the_sequence()->name);
        assert_string_equal(kind->kind, kinds[i]);
        assert_string_equal(kind->microarchitecture, designs[i]);
        assert_string_equal(kind->microarchitecture_stated, i ? "Gracemont" : "");
        assert_int_equal(kind->cores, 4);
        assert_non_null(gamma);
        assert_near(gamma->cycles, gammas[i]);
        assert_near(gamma->bits_per_weight, the_sequence()->bytes_per_vector / 4);
        assert_near(kind->core_hz, clocks[i]);
        assert_true(kind->beta_is_derived);
        assert_near(kind->beta, 104e9 / 8 / clocks[i]);
    }
    assert_near(platform.read_bytes_per_s, 104e9);
    assert_near(platform.synchronisation_s, 1e-6);
    described_free(&platform);
    close_bench(&bench);
}

TEST(one_kind_has_the_clock_and_beta_of_the_roof)
{
    struct bench bench;
    struct described_platform platform;
    open_bench(&bench, "guest_2_cores", 2);
    add_gamma(&bench, 0, 0.7, 3e9);
    add_roof(&bench, 12e9, 2.5e9);
    read_back(&bench, &platform);
    assert_int_equal(platform.kind_count, 1);
    assert_int_equal(platform.kinds[0].cores, 2);
    assert_near(platform.kinds[0].core_hz, 2.5e9);
    assert_false(platform.kinds[0].beta_is_derived);
    assert_near(platform.kinds[0].beta, 6e9 / 2.5e9);
    assert_true(isnan(platform.synchronisation_s));
    described_free(&platform);
    close_bench(&bench);
}

TEST(a_kind_without_gamma_is_still_a_platform_file)
{
    struct bench bench;
    struct described_platform platform;
    open_bench(&bench, "lunar_lake_4p4e", 8);
    add_gamma(&bench, 0, 1.25, 4.1e9);
    add_roof(&bench, 104e9, 3.9e9);
    read_back(&bench, &platform);
    assert_int_equal(platform.kinds[1].cores, 4);
    assert_int_equal(platform.kinds[1].gamma_count, 0);
    assert_string_equal(described_lacks(&platform), "no gamma is stated");
    described_free(&platform);

    bench.job.cells.cell[0].samples.count = 0; /* nor one of any kind */
    read_back(&bench, &platform);
    assert_int_equal(platform.kinds[0].gamma_count, 0);
    described_free(&platform);

    bench.job.cells.count = 1; /* no roof: no file */
    assert_null(characterization_platform(&bench.job, "host"));
    bench.job.cells.count = 2;
    close_bench(&bench);
}

/** A kernel whose sequence is in the registry under its own name; NULL: this architecture has none. */
static const struct kernel *a_kernel(void)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        const char *name = kernel_gamma(*kernel);
        for (const struct sequence *const *sequence = sequence_all(); *sequence; sequence++) {
            if (strcmp((*sequence)->name, name) == 0)
                return *kernel;
        }
    }
    return NULL;
}

static void give_gamma(struct bench *bench, const char *name, double gamma, double core_hz)
{
    const struct sequence *const *sequence = sequence_all();
    while (strcmp((*sequence)->name, name) != 0)
        sequence++;
    struct cell *cell = add(bench, &cell_kind_gamma, 1);
    cell->sequence = *sequence;
    gamma_cell(cell)->variant = &(*sequence)->variant[(*sequence)->variants - 1];
    cell->iterations = ITERATIONS;
    double cycles = gamma * ITERATIONS * (double)gamma_cell(cell)->variant->dots * sequence_vectors_per_dot(*sequence);
    for (int i = 0; i < 8; i++) {
        give(&cell->samples, kept_sample((1000 + cycles) / core_hz, core_hz));
        give(&cell->samples, kept_sample((1000 + 2 * cycles) / core_hz, core_hz));
    }
}

/* Reading takes so long at beta of one thread, computing by gamma; the calibration cell as much as omega says of both. */
TEST(a_kernel_has_its_omega_from_the_calibration_cell)
{
    enum { SIDE = GEMV_CALIBRATION_SIDE };
    static const double hz = 2.5e9, one_core = 10e9, gamma = 0.9, omega = 0.6;
    const struct kernel *kernel = a_kernel();
    skip_if(!kernel, "not on this machine: no kernel has a sequence");
    struct bench bench;
    struct described_platform platform;
    open_bench(&bench, "guest_2_cores", 2);
    give_gamma(&bench, kernel_gamma(kernel), gamma, hz);
    add_roof(&bench, 12e9, hz);
    bench.session.threads = 1;
    add_roof(&bench, one_core, hz);
    bench.session.threads = 2;
    struct cell *cell = add(&bench, &cell_kind_gemv, 1);
    cell->kernel = kernel;
    cell->cold = true;
    gemv_cell(cell)->m = gemv_cell(cell)->k = SIDE;
    double bits = format_bits_per_weight(kernel->format, SIDE, SIDE), weights = (double)SIDE * SIDE;
    double memory_s = weights * bits / 8 / one_core, compute_s = weights / 32 * gamma / hz;
    give_many(&cell->samples, kept_sample(memory_s + compute_s - omega * fmin(memory_s, compute_s), hz), 8);
    bool quantizes = kernel->takes == KERNEL_TAKES_INT8, makes = kernel->prepare || kernel->format->order_columns;
    cell = add(&bench, &cell_kind_prepare, 1);
    cell->kernel = makes ? kernel : NULL;
    *prepare_cell(cell) = (struct prepare_cell){.quantizer = quantizes ? quantizer_all()[0] : NULL, .k = SIDE};
    give_many(&cell->samples, kept_sample(SIDE * 1e-9, hz), 8);

    read_back(&bench, &platform);
    const struct described_kernel *found = described_kernel_of(&platform.kinds[0], kernel->name);
    assert_non_null(found);
    assert_true(fabs(found->omega - omega) < 1e-6);
    assert_near(found->cycles, gamma);
    assert_near(found->bits_per_weight, bits);
    assert_true(found->omega_samples == 8);
    assert_near(1 + 1e9 * found->prepare_s, quantizes || makes ? 2 : 1); /* a nanosecond an activation */
    assert_true(found->omega_low <= found->omega && found->omega <= found->omega_high);
    described_free(&platform);

    /* of five samples there is no omega, and the file has no kernels */
    cell = &bench.job.cells.cell[3];
    cell->samples.count = STATS_KEPT_LEAST - 1;
    read_back(&bench, &platform);
    assert_int_equal(platform.kinds[0].kernel_count, 0);
    described_free(&platform);
    close_bench(&bench);
}

TEST(what_bears_no_weight_is_left_out_with_the_reason)
{
    struct bench bench;
    open_bench(&bench, "guest_2_cores", 2);
    add_gamma(&bench, 0, 0.7, 3e9);
    add_roof(&bench, 12e9, 2.5e9);
    struct cell *gamma = &bench.job.cells.cell[0], *roof = &bench.job.cells.cell[1];
    for (size_t i = 0; i < gamma->samples.count; i++)
        gamma->samples.sample[i].grade = SAMPLE_WALL;
    struct described_platform platform;
    read_back(&bench, &platform); /* the file can be read */
    assert_int_equal(platform.kinds[0].gamma_count, 0);
    described_free(&platform);
    char what[160];
    snprintf(what, sizeof what, "gamma %s on %s", the_sequence()->name,
             core_kind_name(topology_core_of_cpu(bench.session.machine.topology, 0)->kind));
    json_t *file = characterization_platform(&bench.job, "host");
    const json_t *left_out = json_object_get(file, "left_out");
    assert_string_equal(json_string_value(json_object_get(left_out, what)), "the clock chains disagree (graded wall)");
    json_decref(file);

    for (size_t i = 0; i < gamma->samples.count; i++)
        gamma->samples.sample[i].grade = SAMPLE_CHAIN;
    for (size_t i = 0; i < 6; i++)
        gamma->samples.sample[i].cause = SAMPLE_INTERRUPT;
    file = characterization_platform(&bench.job, "host");
    left_out = json_object_get(file, "left_out");
    assert_non_null(strstr(json_string_value(json_object_get(left_out, what)), "5 pairs kept"));
    json_decref(file);

    /* no clock: neither beta nor gamma */
    for (size_t i = 0; i < roof->samples.count; i++)
        roof->samples.sample[i].grade = SAMPLE_WALL;
    read_back(&bench, &platform);
    assert_true(isnan(platform.kinds[0].core_hz));
    described_free(&platform);

    roof->samples.count = STATS_KEPT_LEAST - 1;
    assert_null(characterization_platform(&bench.job, "host"));
    close_bench(&bench);
}

TEST(the_plan_has_gammas_on_each_kind)
{
    struct bench bench;
    open_bench(&bench, "lunar_lake_4p4e", 8);
    const struct sequence *sequence = the_sequence();
    struct cells cells = {0};
    for (unsigned member = 0; member < 8; member++)
        assert_int_equal(session_leads_kind(&bench.session, member), member == 0 || member == 4);
    assert_int_equal(gamma_add_of_kinds(&cells, &bench.session, sequence), 0);
    assert_int_equal(cells.count, 2 * sequence->variants);
    const struct cell *first = &cells.cell[0], *other = &cells.cell[sequence->variants];
    assert_int_equal(first->member, 0);
    assert_int_equal(other->member, 4);
    assert_ptr_equal(gamma_cell(first)->variant, gamma_cell(other)->variant);
    char expected[200];
    snprintf(expected, sizeof expected, "%s/E", first->name);
    assert_string_equal(other->name, expected);
    cells_release(&cells);
    close_bench(&bench);
}

RUN_TESTS(NULL, NULL)
