/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "results/blocks/blocks_testing.h"
#include "unit_test.h"

TEST(classes_of_cells)
{
    assert_int_equal(blocks_class("gamma", NULL, NULL), COMPARE_CORE);
    assert_int_equal(blocks_class("prepare", NULL, NULL), COMPARE_CORE);
    assert_int_equal(blocks_class("dequantize", NULL, NULL), COMPARE_CORE);
    assert_int_equal(blocks_class("gemv", "warm", "L1"), COMPARE_CORE);
    assert_int_equal(blocks_class("gemv", "warm", "L2"), COMPARE_CORE);
    assert_int_equal(blocks_class("gemv", "warm", "L3"), COMPARE_MEMORY);
    assert_int_equal(blocks_class("gemv", "warm", "memory"), COMPARE_MEMORY);
    assert_int_equal(blocks_class("gemv", "cold", "memory"), COMPARE_MEMORY);
    assert_int_equal(blocks_class("gemv", "cold", "L1"), COMPARE_MEMORY);
    assert_int_equal(blocks_class("sync", NULL, NULL), COMPARE_MEMORY);
}

TEST(processes_are_the_blocks)
{
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

TEST(blocks_of_live_runs_are_lower_quartiles)
{
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 4);
    made_cell(&run, "gamma/s/a4", 1000, 0);
    json_object_set_new(json_array_get(run.records, json_array_size(run.records) - 1), "vectors", json_real(1));
    for (unsigned i = 0; i < 3; i++) { /* 1, 2 and 3 us longer: 1 to 3 cycles of an iteration at 1 GHz */
        made_unroll(made_sample(&run, "gamma/s/a4", 1, 1, 10e-6, 1e9), 1);
        made_unroll(made_sample(&run, "gamma/s/a4", 1, 1, 11e-6 + 1e-6 * i, 1e9), 2);
    }
    struct blocks blocks;
    assert_int_equal(blocks_of_live_run(&run, &blocks), 0);
    const struct blocks_cell *cell = found(&blocks, "gemv/k/64x64/t1/cold"), *gamma = found(&blocks, "gamma/s/a4");
    for (unsigned b = 0; b < 4; b++) {
        assert_close(cell->value[b], 1e-6 * (b + 1.05));
        assert_close(cell->roof_s[b], 0.5e-6 * (b + 1.05));
    }
    assert_close(gamma->value[0], 2);
    blocks_release(&blocks);
    run_records_free(&run);
}

TEST(few_processes_leave_the_visits)
{
    struct run_records run = made_run();
    made_cell(&run, "gemv/k/64x64/t1/cold", 0, 1);
    /* 3 processes (one from before the field) with 2 visits each */
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

TEST(rejected_samples_and_lonely_ones_make_no_block)
{
    struct run_records run = made_run();
    add_cold(&run, "gemv/k/64x64/t1/cold", 4);
    made_sample(&run, "gemv/k/64x64/t1/cold", 5, 1, 1e-6, 1e9); /* one kept alone */
    for (int i = 0; i < 3; i++) {
        made_rejected(made_sample(&run, "gemv/k/64x64/t1/cold", 6, 1, 9e-6, 1e9), "sibling");
        made_rejected(made_sample(&run, "gemv/k/64x64/t1/cold", 1, 1, 9e-6, 1e9), "interrupt");
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

TEST(a_gamma_is_the_difference_of_its_pairs_in_cycles)
{
    struct run_records run = made_run();
    made_cell(&run, "gamma/s/a4", 1000, 0);
    json_object_set_new(json_array_get(run.records, 0), "vectors", json_real(12.8));
    for (unsigned b = 1; b <= 4; b++) {
        for (int i = 0; i < 3; i++) {
            /* 2U takes 8 µs longer at 2 GHz: 16000 cycles, and at 4 GHz half as long the same */
            double hz = b % 2 ? 2e9 : 4e9;
            made_unroll(made_sample(&run, "gamma/s/a4", b, 1, 10e-6 * 2e9 / hz, hz), 1);
            made_unroll(made_sample(&run, "gamma/s/a4", b, 1, 18e-6 * 2e9 / hz, hz), 2);
        }
    }
    /* half a pair, and a pair of which half was rejected */
    made_unroll(made_sample(&run, "gamma/s/a4", 1, 1, 1e-6, 2e9), 1);
    made_unroll(made_sample(&run, "gamma/s/a4", 1, 1, 1e-6, 2e9), 1);
    json_t *bad = made_sample(&run, "gamma/s/a4", 1, 1, 99e-6, 2e9);
    made_unroll(bad, 2);
    made_rejected(bad, "interrupt");
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
TEST(of_an_older_run_the_summary_says_how_many_vectors)
{
    static const struct {
        double summary, value;
    } table[] = {{1.0, 1.0}, {1.006, 1.0}, {0.994, 1.0}, {1.0256, 1.03225806451613}, {0.064, 0.064}, {0, 16}};
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        struct run_records run = made_run();
        made_cell(&run, "gamma/s/a4", 1000, 0);
        for (unsigned b = 1; b <= 4; b++) {
            for (int i = 0; i < 6; i++) /* 16 cycles an iteration */
                made_unroll(made_sample(&run, "gamma/s/a4", b, 1, i % 2 ? 26e-6 : 10e-6, 1e9), 1 + i % 2);
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

TEST(of_a_sequence_the_best_number_of_accumulators_counts)
{
    struct run_records run = made_run();
    static const char *const names[] = {"gamma/s/a4", "gamma/s/a8", "gamma/t/a1"};
    for (int c = 0; c < 3; c++) {
        made_cell(&run, names[c], 1000, 0);
        for (unsigned b = 1; b <= 4; b++) {
            for (int i = 0; i < 6; i++)
                made_unroll(made_sample(&run, names[c], b, 1, (i % 2 ? 2e-6 : 1e-6) * (1 + c), 1e9), 1 + i % 2);
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

TEST(warm_data_of_private_caches_is_in_cycles)
{
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
TEST(a_summary_that_names_its_cell_is_of_that)
{
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

/** A GEMM cell with its summary: seconds of it, of reading and of computing; below 0: not known. */
static void add_gemm(struct run_records *run, const char *name, int tokens, double time_s, double memory_s,
                     double compute_s)
{
    made_cell(run, name, 0, 1);
    for (unsigned b = 1; b <= 4; b++) {
        made_sample(run, name, b, 1, time_s, 1e9);
        made_sample(run, name, b, 1, time_s, 1e9);
    }
    json_t *record =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:s, s:s, s:i}", "type", "gemm", "name", "k", "m", 64, "k", 64, "n",
                  tokens, "threads", 2, "protocol", "cold", "level", "memory", "packed_bytes", 1024);
    json_t *quantity = json_pack("{s:f, s:f, s:f, s:[f,f], s:i, s:i, s:s, s:s}", "median", time_s, "min", time_s, "mad",
                                 0.0, "ci95", time_s, time_s, "n", 8, "rejected", 0, "unit", "s", "grade", "chain");
    json_object_set_new(record, "time_s", quantity);
    json_t *cycles = json_deep_copy(quantity);
    json_object_set_new(cycles, "median", json_real(time_s * 1e9 * 2 / (64 * 64 / 32))); /* of both cores, at 1 GHz */
    json_object_set_new(record, "cycles_per_vector", cycles);
    json_object_set_new(record, "memory_s", memory_s < 0 ? json_null() : json_real(memory_s));
    json_object_set_new(record, "compute_s", compute_s < 0 ? json_null() : json_real(compute_s));
    json_array_append_new(run->records, record);
}

TEST(what_a_gemm_computes_is_its_own_time_or_its_kernels_terms)
{
    static const struct {
        double memory_s, compute_s, computing; /* of 10 microseconds, which are 156.25 cycles per output vector */
    } table[] = {
        {5e-6, 3e-6, 156.25},   /* computing takes twice as long as reading: all of it */
        {5.1e-6, 3e-6, 46.875}, /* else what the terms say, */
        {5.1e-6, -1, 0},        /* if there are any */
        {-1, 3e-6, 46.875},     {-1, -1, 0},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        struct run_records run = made_run();
        add_gemm(&run, "gemm/k/64x64/n8/t2/cold", 8, 10e-6, table[t].memory_s, table[t].compute_s);
        struct blocks blocks = reduced(&run);
        const struct blocks_model *model = &found(&blocks, "gemm/k/64x64/n8/t2/cold")->model;
        assert_close(model->computing, table[t].computing);
        assert_close(model->packed_bytes, 1024);
        assert_close(model->vectors, 128);
        assert_int_equal(model->threads, 2);
        assert_null(model->gamma);
        json_t *object = blocks_to_json(&blocks);
        struct blocks back;
        char why[256];
        assert_int_equal(blocks_from_json(object, &back, why, sizeof why), 0);
        assert_close(found(&back, "gemm/k/64x64/n8/t2/cold")->model.computing, table[t].computing);
        json_decref(object);
        blocks_release(&back);
        blocks_release(&blocks);
        run_records_free(&run);
    }
}

TEST(cycles_without_a_clock_are_unknown)
{
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

TEST(the_roof_is_a_control_by_level_and_team)
{
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

TEST(a_knee_is_a_time_per_byte)
{
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

TEST(pairs_that_a_live_comparison_discarded_are_left_out)
{
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

TEST(a_run_without_samples_has_no_blocks)
{
    struct run_records run = made_run();
    struct blocks blocks;
    assert_int_equal(blocks_of_run(&run, &blocks), -ENODATA);
    run_records_free(&run);
}

TEST(what_is_of_the_machine_alone_is_no_cell)
{
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
    assert_int_equal(before.cells, 2); /* the older kinds are known by their names, others say so */
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

RUN_TESTS(NULL, NULL)
