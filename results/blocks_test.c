/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "results/blocks.h"
#include "results/testing.h"

static struct blocks reduced(const struct run_records *run)
{
    struct blocks blocks;
    assert_int_equal(blocks_of_run(run, &blocks), 0);
    return blocks;
}

static const struct blocks_cell *found(const struct blocks *blocks, const char *name)
{
    const struct blocks_cell *cell = blocks_find(blocks, name);
    if (!cell)
        fail_msg("no cell %s", name);
    return cell;
}

static void classes_of_cells(void **state)
{
    (void)state;
    assert_int_equal(blocks_class("gamma", NULL, NULL), COMPARE_CORE);
    assert_int_equal(blocks_class("prepare", NULL, NULL), COMPARE_CORE);
    assert_int_equal(blocks_class("gemv", "warm", "L1"), COMPARE_CORE);
    assert_int_equal(blocks_class("gemv", "warm", "L2"), COMPARE_CORE);
    assert_int_equal(blocks_class("gemv", "warm", "L3"), COMPARE_MEMORY);
    assert_int_equal(blocks_class("gemv", "warm", "memory"), COMPARE_MEMORY);
    assert_int_equal(blocks_class("gemv", "cold", "memory"), COMPARE_MEMORY);
    assert_int_equal(blocks_class("gemv", "cold", "L1"), COMPARE_MEMORY);
    assert_int_equal(blocks_class("sync", NULL, NULL), COMPARE_MEMORY);
}

/** Cold cell: block b lasts b microseconds, 3 samples each; before each a roof sample of half. */
static void add_cold(struct run_records *run, const char *name, unsigned blocks)
{
    made_cell(run, name, 0, 1);
    for (unsigned b = 1; b <= blocks; b++) {
        for (unsigned i = 0; i < 3; i++) {
            double time_s = 1e-6 * (b + 0.1 * i); /* median: b + 0.1 */
            json_object_set_new(made_sample(run, name, b, 1, 0.5 * time_s, 1e9), "roof", json_true());
            made_sample(run, name, b, 1, time_s, 1e9);
        }
    }
}

static void processes_are_the_blocks(void **state)
{
    (void)state;
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 5);
    struct blocks blocks = reduced(&run);
    const struct blocks_cell *cell = found(&blocks, "gemv/k/64x64/t1/cold");
    assert_true(blocks.processes);
    assert_int_equal(blocks.count, 5);
    assert_int_equal(cell->count, 5);
    assert_true(!cell->cycles && !cell->control && cell->class == COMPARE_MEMORY);
    for (unsigned b = 0; b < 5; b++) {
        assert_int_equal(cell->block[b], b);
        assert_close(cell->value[b], 1e-6 * (b + 1.1));
        assert_close(cell->roof_s[b], 0.5e-6 * (b + 1.1));
    }
    assert_close(cell->timed_s, 3.1e-6);
    assert_int_equal(cell->kept, 15);
    blocks_release(&blocks);
    run_records_free(&run);
}

static void few_processes_leave_the_visits(void **state)
{
    (void)state;
    struct run_records run = made_run();
    made_cell(&run, "gemv/k/64x64/t1/cold", 0, 1);
    /* 3 processes (one of before the field) with 2 visits each */
    for (unsigned b = 0; b < 3; b++) {
        for (unsigned visit = 1; visit <= 2; visit++) {
            for (int i = 0; i < 2; i++)
                made_sample(&run, "gemv/k/64x64/t1/cold", b, visit, 1e-6 * (10 * b + visit), 1e9);
        }
    }
    struct blocks blocks = reduced(&run);
    const struct blocks_cell *cell = found(&blocks, "gemv/k/64x64/t1/cold");
    assert_false(blocks.processes);
    assert_int_equal(blocks.count, 6);
    assert_int_equal(cell->count, 6);
    assert_close(cell->value[1], 2e-6);
    assert_close(cell->value[5], 22e-6);
    blocks_release(&blocks);
    run_records_free(&run);
}

static void rejected_samples_and_lonely_ones_make_no_block(void **state)
{
    (void)state;
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 4);
    made_sample(&run, "gemv/k/64x64/t1/cold", 5, 1, 1e-6, 1e9); /* one kept alone */
    for (int i = 0; i < 3; i++) {
        set_text(made_sample(&run, "gemv/k/64x64/t1/cold", 6, 1, 9e-6, 1e9), "rejected", "sibling");
        set_text(made_sample(&run, "gemv/k/64x64/t1/cold", 1, 1, 9e-6, 1e9), "rejected", "interrupt");
    }
    struct blocks blocks = reduced(&run);
    const struct blocks_cell *cell = found(&blocks, "gemv/k/64x64/t1/cold");
    assert_int_equal(cell->count, 4);
    assert_close(cell->value[0], 1.1e-6);
    assert_int_equal(cell->rejected, 6);
    /* of 24 + 1 + 6 samples, 3 met a neighbour; an interrupt is no neighbour */
    assert_close(blocks.noise.neighbour_share, 3.0 / 31);
    blocks_release(&blocks);
    run_records_free(&run);
}

static void a_gamma_is_the_difference_of_its_pairs_in_cycles(void **state)
{
    (void)state;
    struct run_records run = made_run();
    made_cell(&run, "gamma/s/a4", 1000, 0);
    json_object_set_new(json_array_get(run.records, 0), "vectors", json_real(12.8));
    for (unsigned b = 1; b <= 4; b++) {
        for (int i = 0; i < 3; i++) {
            /* 2U takes 8 µs longer at 2 GHz: 16000 cycles, and at 4 GHz half as long the same */
            double hz = b % 2 ? 2e9 : 4e9;
            json_object_set_new(made_sample(&run, "gamma/s/a4", b, 1, 10e-6 * 2e9 / hz, hz), "unroll", json_integer(1));
            json_object_set_new(made_sample(&run, "gamma/s/a4", b, 1, 18e-6 * 2e9 / hz, hz), "unroll", json_integer(2));
        }
    }
    /* half a pair, and a pair of which half was rejected */
    json_object_set_new(made_sample(&run, "gamma/s/a4", 1, 1, 1e-6, 2e9), "unroll", json_integer(1));
    json_object_set_new(made_sample(&run, "gamma/s/a4", 1, 1, 1e-6, 2e9), "unroll", json_integer(1));
    json_t *bad = made_sample(&run, "gamma/s/a4", 1, 1, 99e-6, 2e9);
    json_object_set_new(bad, "unroll", json_integer(2));
    set_text(bad, "rejected", "interrupt");
    json_array_append_new(
        run.records, json_pack("{s:s, s:s, s:b, s:i, s:{s:f, s:f, s:f, s:[f, f], s:i, s:i, s:s, s:s}}", "type", "gamma",
                               "name", "s", "best", 1, "accumulators", 4, "gamma", "median", 1.3, "min", 1.25, "mad",
                               0.0, "ci95", 1.25, 1.3, "n", 12, "rejected", 1, "unit", "cycles", "grade", "chain"));
    struct blocks blocks = reduced(&run);
    const struct blocks_cell *cell = found(&blocks, "gamma/s");
    assert_true(cell->cycles && cell->class == COMPARE_CORE);
    assert_int_equal(cell->count, 4);
    for (int b = 0; b < 4; b++)
        assert_close(cell->value[b], 1.25); /* 16 cycles of 12.8 vectors, at either clock */
    assert_int_equal(cell->rejected, 1);
    assert_close(cell->timed_s, 6e-6); /* between 8 at 2 GHz and 4 at 4 GHz */
    assert_string_equal(blocks.clock, "chain");
    blocks_release(&blocks);
    run_records_free(&run);
}

/*
 * A live comparison has a summary of each of its blocks, a resumed run one of all so far: neither may scale the values.
 */
static void of_an_older_run_the_summary_says_how_many_vectors(void **state)
{
    (void)state;
    static const struct {
        double summary, value;
    } table[] = {{1.0, 1.0}, {1.006, 1.0}, {0.994, 1.0}, {1.0256, 1.03225806451613}, {0.064, 0.064}, {0, 16}};
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        struct run_records run = made_run();
        made_cell(&run, "gamma/s/a4", 1000, 0);
        for (unsigned b = 1; b <= 4; b++) {
            for (int i = 0; i < 6; i++) /* 16 cycles an iteration */
                json_object_set_new(made_sample(&run, "gamma/s/a4", b, 1, i % 2 ? 26e-6 : 10e-6, 1e9), "unroll",
                                    json_integer(1 + i % 2));
        }
        if (table[t].summary > 0)
            json_array_append_new(run.records,
                                  json_pack("{s:s, s:s, s:b, s:i, s:{s:f, s:f, s:f, s:[f, f], s:i, s:i, s:s, s:s}}",
                                            "type", "gamma", "name", "s", "best", 1, "accumulators", 4, "gamma",
                                            "median", table[t].summary, "min", 0.0, "mad", 0.0, "ci95", 0.0, 2.0, "n",
                                            12, "rejected", 1, "unit", "cycles", "grade", "chain"));
        struct blocks blocks = reduced(&run);
        assert_close(found(&blocks, table[t].summary > 0 ? "gamma/s" : "gamma/s/a4")->value[0], table[t].value);
        blocks_release(&blocks);
        run_records_free(&run);
    }
}

static void of_a_sequence_the_best_number_of_accumulators_counts(void **state)
{
    (void)state;
    struct run_records run = made_run();
    static const char *const names[] = {"gamma/s/a4", "gamma/s/a8", "gamma/t/a1"};
    for (int c = 0; c < 3; c++) {
        made_cell(&run, names[c], 1000, 0);
        for (unsigned b = 1; b <= 4; b++) {
            for (int i = 0; i < 6; i++)
                json_object_set_new(made_sample(&run, names[c], b, 1, (i % 2 ? 2e-6 : 1e-6) * (1 + c), 1e9), "unroll",
                                    json_integer(1 + i % 2));
        }
    }
    for (int best = 0; best < 2; best++)
        json_array_append_new(run.records, json_pack("{s:s, s:s, s:i, s:b}", "type", "gamma", "name", "s",
                                                     "accumulators", best ? 8 : 4, "best", best));
    struct blocks blocks = reduced(&run);
    assert_int_equal(blocks.cells, 2);
    assert_close(found(&blocks, "gamma/s")->value[0], 2);    /* cycles an iteration: the run says no gamma */
    assert_close(found(&blocks, "gamma/t/a1")->value[0], 3); /* cut off before it was summarized */
    blocks_release(&blocks);
    run_records_free(&run);
}

static json_t *gemv_record(const char *level)
{
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:s, s:s}", "type", "gemv", "name", "k", "m", 64, "k", 64, "threads", 1,
                     "protocol", "warm", "level", level);
}

static void warm_data_of_private_caches_is_in_cycles(void **state)
{
    (void)state;
    static const struct {
        const char *level;
        bool cycles;
    } table[] = {{"L1", true}, {"L2", true}, {"L3", false}, {"memory", false}};
    for (size_t t = 0; t < 4; t++) {
        struct run_records run = made_run();
        made_cell(&run, "gemv/k/64x64/t1/warm", 0, 10);
        for (unsigned b = 1; b <= 4; b++) {
            for (int i = 0; i < 3; i++)
                made_sample(&run, "gemv/k/64x64/t1/warm", b, 1, 10e-6, 3e9);
        }
        json_array_append_new(run.records, gemv_record(table[t].level));
        struct blocks blocks = reduced(&run);
        const struct blocks_cell *cell = found(&blocks, "gemv/k/64x64/t1/warm");
        assert_int_equal(cell->cycles, table[t].cycles);
        assert_close(cell->value[0], table[t].cycles ? 3000 : 1e-6); /* of one of the 10 repeats */
        assert_close(cell->timed_s, 1e-6);
        blocks_release(&blocks);
        run_records_free(&run);
    }
}

/** Whose other fields are those of the cell with equal shares. */
static void a_summary_that_names_its_cell_is_of_that(void **state)
{
    (void)state;
    static const char name[] = "gemv/k/64x64/t1/warm/schedule=dynamic";
    struct run_records run = made_run();
    made_cell(&run, name, 0, 10);
    made_cell(&run, "gemv/k/64x64/t1/warm", 0, 10);
    for (unsigned b = 1; b <= 4; b++) {
        made_sample(&run, name, b, 1, 10e-6, 3e9);
        made_sample(&run, "gemv/k/64x64/t1/warm", b, 1, 10e-6, 3e9);
    }
    json_t *record = gemv_record("L1");
    json_object_set_new(record, "cell", json_string(name));
    json_array_append_new(run.records, record);
    json_array_append_new(run.records, gemv_record("L3"));
    struct blocks blocks = reduced(&run);
    assert_true(found(&blocks, name)->cycles);
    assert_false(found(&blocks, "gemv/k/64x64/t1/warm")->cycles);
    blocks_release(&blocks);
    run_records_free(&run);
}

static void cycles_without_a_clock_are_none(void **state)
{
    (void)state;
    struct run_records run = made_run();
    made_cell(&run, "prepare/f32/q/4096", 0, 1);
    for (unsigned b = 1; b <= 4; b++) {
        for (int i = 0; i < 3; i++)
            set_text(made_sample(&run, "prepare/f32/q/4096", b, 1, 1e-6, 3e9), "grade", "wall");
    }
    struct blocks blocks = reduced(&run);
    assert_int_equal(found(&blocks, "prepare/f32/q/4096")->count, 0);
    assert_string_equal(blocks.clock, "");
    blocks_release(&blocks);
    /* three that agree are enough, and then only they count */
    for (int i = 0; i < 3; i++)
        made_sample(&run, "prepare/f32/q/4096", 2, 1, 2e-6, 3e9);
    blocks = reduced(&run);
    assert_int_equal(found(&blocks, "prepare/f32/q/4096")->count, 1);
    assert_close(found(&blocks, "prepare/f32/q/4096")->value[0], 6000);
    blocks_release(&blocks);
    run_records_free(&run);
}

static void add_stream(struct run_records *run, const char *stream, double time_s, bool roof)
{
    char name[80];
    snprintf(name, sizeof name, "beta/memory/t2/%s", stream);
    made_cell(run, name, 0, 1);
    for (unsigned b = 1; b <= 4; b++) {
        made_sample(run, name, b, 1, time_s, 1e9);
        made_sample(run, name, b, 1, time_s, 1e9);
    }
    json_array_append_new(run->records,
                          json_pack("{s:s, s:s, s:s, s:i, s:i, s:b}", "type", "beta", "name", stream, "level", "memory",
                                    "threads", 2, "bytes_per_sample_per_core", 500, "roof", (int)roof));
}

static void the_roof_is_a_control_by_level_and_team(void **state)
{
    (void)state;
    struct run_records run = made_run();
    add_stream(&run, "read.slow", 9e-6, false);
    add_stream(&run, "read.fast", 2e-6, true);
    struct blocks blocks = reduced(&run);
    assert_int_equal(blocks.cells, 1);
    const struct blocks_cell *cell = found(&blocks, "roof/memory/t2");
    assert_true(cell->control);
    assert_close(cell->value[0], 2e-9); /* seconds a byte, of a team that reads 1000 */
    blocks_release(&blocks);
    run_records_free(&run);
}

static void a_knee_is_a_time_per_byte(void **state)
{
    (void)state;
    struct run_records run = made_run();
    static const char *const names[] = {"knee/s/memory/t1/prefetch", "knee/s/L2/t1/plain"};
    for (int c = 0; c < 2; c++) {
        made_cell(&run, names[c], 0, 2);
        json_object_set_new(json_array_get(run.records, json_array_size(run.records) - 1), "bytes", json_integer(4000));
        for (unsigned b = 1; b <= 4; b++) {
            for (int i = 0; i < 3; i++)
                made_sample(&run, names[c], b, 1, 8e-6, 2e9);
        }
    }
    struct blocks blocks = reduced(&run);
    const struct blocks_cell *memory = found(&blocks, names[0]), *l2 = found(&blocks, names[1]);
    assert_true(memory->class == COMPARE_MEMORY && !memory->cycles && !memory->control);
    assert_close(memory->value[0], 1e-9);
    assert_true(l2->class == COMPARE_CORE && l2->cycles);
    assert_close(l2->value[0], 2);
    assert_close(l2->timed_s, 4e-6);
    blocks_release(&blocks);
    run_records_free(&run);
}

static void facts_of_the_run_are_kept(void **state)
{
    (void)state;
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 4);
    for (int i = 0; i < 2; i++)
        json_array_append_new(run.records,
                              json_pack("{s:s, s:s, s:s, s:f}", "type", "memory", "name", i ? "cpu1" : "cpu0", "pages",
                                        "thp", "huge_page_fraction", i ? 0.25 : 1.0));
    json_array_append_new(run.records, json_pack("{s:s, s:s, s:f, s:{s:i}}", "type", "end", "name", "x", "seconds",
                                                 10.0, "disturbance", "steal_ticks", 20));
    struct blocks blocks = reduced(&run);
    assert_string_equal(blocks.pages, "thp 0.25");
    assert_close(blocks.noise.steal_share, 0.01); /* 0.2 s of 2 CPUs times 10 s */
    blocks_release(&blocks);
    run_records_free(&run);
}

static void pairs_that_a_live_comparison_discarded_are_left_out(void **state)
{
    (void)state;
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 6);
    add_cold(&run, "prepare/k/64", 6);
    json_array_append_new(run.records, json_pack("{s:s, s:s, s:f, s:{s:[i,i], s:[i]}}", "type", "end", "name",
                                                 "compare", "seconds", 10.0, "pairs_moved", "memory", 2, 5, "core", 6));
    struct blocks blocks = reduced(&run);
    static const unsigned cold[] = {1, 3, 4, 6}, prepare[] = {1, 2, 3, 4, 5};
    const struct blocks_cell *cell = found(&blocks, "gemv/k/64x64/t1/cold");
    assert_int_equal(cell->count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(blocks.number[cell->block[i]], cold[i]);
        assert_close(cell->value[i], 1e-6 * (cold[i] + 0.1));
    }
    cell = found(&blocks, "prepare/k/64");
    assert_int_equal(cell->count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(blocks.number[cell->block[i]], prepare[i]);
    blocks_release(&blocks);
    run_records_free(&run);
}

static void a_run_without_samples_is_none(void **state)
{
    (void)state;
    struct run_records run = made_run();
    struct blocks blocks;
    assert_int_equal(blocks_of_run(&run, &blocks), -ENODATA);
    run_records_free(&run);
}

/** What a host is called, by the noise of one side. */
static void assert_sharing(const struct blocks_noise *noise, enum blocks_side side, bool core, bool memory,
                           const char *why)
{
    struct blocks_sharing sharing = {0};
    blocks_add_sharing(noise, side, &sharing);
    assert_int_equal(sharing.shared[COMPARE_CORE], core);
    assert_int_equal(sharing.shared[COMPARE_MEMORY], memory);
    assert_int_equal(blocks_is_shared(&sharing), core || memory);
    if (!strstr(sharing.why, why) || !why[0] != !sharing.why[0])
        fail_msg("'%s' does not say '%s'", sharing.why, why);
}

static void a_host_is_shared_by_the_noise_that_base_recorded(void **state)
{
    (void)state;
    const struct blocks_noise quiet = {0.019, 0.0009, {0.0049, 0.0099}, {NAN, NAN}};
    struct blocks_noise noise = quiet;
    assert_sharing(&noise, BLOCKS_BASE, false, false, "");
    noise.neighbour_share = 0.021;
    assert_sharing(&noise, BLOCKS_BASE, true, true, "2.1% of the samples of BASE met a neighbour");
    noise = quiet;
    noise.steal_share = 0.0011;
    assert_sharing(&noise, BLOCKS_BASE, true, true, "0.11% of the CPU time of BASE");
    noise = quiet;
    noise.spread[COMPARE_CORE] = 0.0051;
    assert_sharing(&noise, BLOCKS_BASE, true, false, "core cells of BASE scatter by 0.51%");
    noise = quiet;
    noise.spread[COMPARE_MEMORY] = 0.0101;
    assert_sharing(&noise, BLOCKS_BASE, false, true, "memory cells of BASE scatter by 1.01%");
    const struct blocks_noise unknown = {NAN, NAN, {NAN, NAN}, {NAN, NAN}};
    assert_sharing(&unknown, BLOCKS_BASE, false, false, "");
}

/** A cell that scatters must not thereby be allowed to be slower. */
static void what_is_judged_says_nothing_of_the_host(void **state)
{
    (void)state;
    const struct blocks_noise noisy = {0.5, 0, {0.1, 0.1}, {NAN, NAN}};
    assert_sharing(&noisy, BLOCKS_HEAD, false, false, "");
    const struct blocks_noise stolen = {0, 0.002, {0, 0}, {0, 0}};
    assert_sharing(&stolen, BLOCKS_HEAD, true, true, "0.20% of the CPU time of HEAD");
    const struct blocks_noise controls = {0, 0, {0, 0}, {0.0051, 0.0099}};
    assert_sharing(&controls, BLOCKS_HEAD, true, false, "core controls of HEAD scatter by 0.51%");
}

/** Where a control tells, the cells of BASE are not asked. */
static void controls_go_before_cells(void **state)
{
    (void)state;
    struct blocks_noise noise = {0.5, 0, {0.1, 0.1}, {0.001, NAN}};
    assert_sharing(&noise, BLOCKS_BASE, false, true, "memory cells of BASE scatter by 10.00%");
    noise.control_spread[COMPARE_MEMORY] = 0.001;
    assert_sharing(&noise, BLOCKS_BASE, false, false, "");
    noise.control_spread[COMPARE_MEMORY] = 0.02;
    assert_sharing(&noise, BLOCKS_BASE, false, true, "memory controls of BASE scatter by 2.00%");
}

static void spread_is_the_median_over_the_cells(void **state)
{
    (void)state;
    struct run_records run = made_run();
    add_cold(&run, "gemv/a/64x64/t1/cold", 4);
    struct blocks blocks = reduced(&run);
    /* logarithms of 1.1 2.1 3.1 4.1: median ln sqrt(2.1 * 3.1), MAD the mean of the two middle deviations */
    double center = 0.5 * log(2.1 * 3.1);
    double deviations = 0.5 * (fabs(log(4.1) - center) + (log(3.1) - center));
    assert_true(fabs(blocks.noise.spread[COMPARE_MEMORY] - 1.4826 * deviations) < 1e-9);
    assert_true(isnan(blocks.noise.spread[COMPARE_CORE]));
    blocks_release(&blocks);
    run_records_free(&run);
}

static void what_is_of_the_machine_alone_is_no_cell(void **state)
{
    (void)state;
    static const char *const names[] = {"bias/k/warm/stack", "term/pages/k/t1", "pool/t2/x4", "latency/L1/alone",
                                        "added/loop/t1"};
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 5);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (unsigned b = 1; b <= 5; b++) {
            made_sample(&run, names[i], b, 1, 1e-6, 1e9);
            made_sample(&run, names[i], b, 1, 1e-6, 1e9);
        }
        made_cell(&run, names[i], 0, 1); /* after its samples: where it stands says nothing */
    }
    struct blocks before = reduced(&run);
    assert_int_equal(before.cells, 2); /* the kinds of before are known by their names, others say so */
    assert_string_equal(before.cell[0].name, "added/loop/t1");
    blocks_release(&before);
    size_t last = json_array_size(run.records) - 1;
    json_object_set_new(json_array_get(run.records, last), "compared", json_false());
    struct blocks blocks = reduced(&run);
    assert_int_equal(blocks.cells, 1);
    assert_string_equal(blocks.cell[0].name, "gemv/k/64x64/t1/cold");
    blocks_release(&blocks);
    run_records_free(&run);
}

static void json_brings_them_back(void **state)
{
    (void)state;
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 5);
    add_stream(&run, "read.fast", 2e-6, true);
    struct blocks blocks = reduced(&run), back;
    char why[256];
    blocks.layout[COMPARE_MEMORY] = 0.02;
    json_t *object = blocks_to_json(&blocks);
    assert_int_equal(blocks_from_json(object, &back, why, sizeof why), 0);
    assert_true(back.layout[COMPARE_MEMORY] == 0.02 && isnan(back.layout[COMPARE_CORE]));
    assert_true(json_equal(json_object_get(blocks.meta, "cpu"), json_object_get(back.meta, "cpu")));
    assert_int_equal(back.cells, blocks.cells);
    assert_int_equal(back.count, blocks.count);
    assert_memory_equal(back.number, blocks.number, blocks.count * sizeof *back.number);
    assert_true(back.processes);
    for (size_t i = 0; i < back.cells; i++) {
        const struct blocks_cell *a = &blocks.cell[i], *b = &back.cell[i];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->count, b->count);
        assert_true(a->class == b->class && a->control == b->control && a->cycles == b->cycles && a->kept == b->kept &&
                    a->rejected == b->rejected && a->timed_s == b->timed_s);
        for (size_t v = 0; v < a->count; v++)
            assert_true(a->value[v] == b->value[v] && a->block[v] == b->block[v] &&
                        (a->roof_s[v] == b->roof_s[v] || (isnan(a->roof_s[v]) && isnan(b->roof_s[v]))));
    }
    blocks_release(&back);
    blocks_release(&blocks);
    json_decref(object);
    run_records_free(&run);
}

/** Applies one change to what blocks_to_json writes; it must be refused. */
static void assert_refused(const json_t *good, const char *cell_field, json_t *value, const char *mention)
{
    json_t *object = json_deep_copy(good);
    struct blocks blocks;
    char why[256] = "";
    if (cell_field)
        json_object_set_new(json_array_get(json_object_get(object, "cells"), 1), cell_field, value);
    else
        json_object_set_new(object, "cells", value);
    assert_int_equal(blocks_from_json(object, &blocks, why, sizeof why), -EINVAL);
    if (!strstr(why, mention))
        fail_msg("'%s' does not mention '%s'", why, mention);
    json_decref(object);
}

static char *without_a(void *context, const char *name)
{
    ++*(int *)context;
    char *other = strdup(name);
    if (strstr(name, "/b/")) /* b comes before the others now */
        other[0] = 'a';
    if (strstr(name, "/a/")) {
        free(other);
        return NULL;
    }
    return other;
}

static void cells_are_renamed_and_blocks_dropped(void **state)
{
    (void)state;
    struct run_records run = made_run();
    add_cold(&run, "gemv/a/64x64/t1/cold", 5);
    add_cold(&run, "gemv/b/64x64/t1/cold", 5);
    add_cold(&run, "gemv/c/64x64/t1/cold", 5);
    struct blocks blocks = reduced(&run);
    int asked = 0;
    blocks_rename(&blocks, without_a, &asked);
    assert_int_equal(asked, 3);
    assert_int_equal(blocks.cells, 2);
    assert_string_equal(blocks.cell[0].name, "aemv/b/64x64/t1/cold");
    const unsigned numbers[] = {2, 5, 77};
    blocks_drop(&blocks, COMPARE_CORE, numbers, 3);
    assert_int_equal(blocks.cell[0].count, 5);
    blocks_drop(&blocks, COMPARE_MEMORY, numbers, 3);
    assert_int_equal(blocks.cell[0].count, 3);
    assert_close(blocks.cell[0].value[1], 3.1e-6);
    assert_close(blocks.cell[0].roof_s[2], 0.5 * 4.1e-6);
    assert_int_equal(blocks.cell[0].block[2], 3);
    blocks_release(&blocks);
    run_records_free(&run);
}

static void damaged_json_is_refused(void **state)
{
    (void)state;
    struct run_records run = made_run();
    add_cold(&run, "gemv/a/64x64/t1/cold", 4);
    add_cold(&run, "gemv/b/64x64/t1/cold", 4);
    struct blocks blocks = reduced(&run);
    json_t *good = blocks_to_json(&blocks);
    assert_refused(good, NULL, json_integer(3), "cells");
    assert_refused(good, "name", json_integer(3), "cell 2 is damaged");
    assert_refused(good, "name", json_string("a"), "out of order");
    assert_refused(good, "values", json_pack("[f,f,f]", 1.0, 1.0, 1.0), "cell 2 is damaged");
    assert_refused(good, "values", json_pack("[f,f,f,f]", 1.0, -1.0, 1.0, 1.0), "cell 2 is damaged");
    assert_refused(good, "values", json_pack("[f,f,f,s]", 1.0, 1.0, 1.0, "x"), "cell 2 is damaged");
    assert_refused(good, "blocks", json_pack("[i,i,i,i]", 0, 1, 2, 4), "cell 2 is damaged");
    assert_refused(good, "blocks", json_pack("[i,i,i,i]", 0, 1, 1, 2), "cell 2 is damaged");
    assert_refused(good, "kept", json_integer(-1), "cell 2 is damaged");
    blocks_release(&blocks);
    json_decref(good);
    run_records_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_of_cells),
        cmocka_unit_test(processes_are_the_blocks),
        cmocka_unit_test(few_processes_leave_the_visits),
        cmocka_unit_test(rejected_samples_and_lonely_ones_make_no_block),
        cmocka_unit_test(a_gamma_is_the_difference_of_its_pairs_in_cycles),
        cmocka_unit_test(of_an_older_run_the_summary_says_how_many_vectors),
        cmocka_unit_test(of_a_sequence_the_best_number_of_accumulators_counts),
        cmocka_unit_test(warm_data_of_private_caches_is_in_cycles),
        cmocka_unit_test(a_summary_that_names_its_cell_is_of_that),
        cmocka_unit_test(cycles_without_a_clock_are_none),
        cmocka_unit_test(the_roof_is_a_control_by_level_and_team),
        cmocka_unit_test(a_knee_is_a_time_per_byte),
        cmocka_unit_test(facts_of_the_run_are_kept),
        cmocka_unit_test(pairs_that_a_live_comparison_discarded_are_left_out),
        cmocka_unit_test(a_run_without_samples_is_none),
        cmocka_unit_test(a_host_is_shared_by_the_noise_that_base_recorded),
        cmocka_unit_test(what_is_judged_says_nothing_of_the_host),
        cmocka_unit_test(controls_go_before_cells),
        cmocka_unit_test(spread_is_the_median_over_the_cells),
        cmocka_unit_test(what_is_of_the_machine_alone_is_no_cell),
        cmocka_unit_test(json_brings_them_back),
        cmocka_unit_test(cells_are_renamed_and_blocks_dropped),
        cmocka_unit_test(damaged_json_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
