/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/cells/beta/beta.h"
#include "harness/cells/bias/bias.h"
#include "harness/cells/cell/cell.h"
#include "harness/cells/cell/kind.h"
#include "harness/cells/cell/testing.h"
#include "harness/cells/gamma/gamma.h"
#include "harness/cells/knee/knee.h"
#include "harness/cells/product/product_cells.h"
#include "harness/record/recorder.h"
#include "platforms/clock/quiet.h"
#include "unit_test.h"

/** A run in a scratch folder, and a plan of one cell of each way to keep samples. */
struct bench {
    char folder[64], path[80];
    struct run *run;
    struct recorder recorder;
    struct cells cells;
};

enum { GAMMA, BETA, GEMV, KNEE, CELLS };

#define TSC_HZ 2.5e9

static void add_cells(struct cells *cells)
{
    static const struct sequence_variant variants[] = {{.accumulators = 1}, {.accumulators = 4}};
    static const struct sequence sequence = {
        .name = "s", .variants = 2, .variant = variants, .group_vectors = 4, .group_dots = 8};
    static const struct stream_variant stream_variant = {4, STREAM_NO_PREFETCH, 256, 0, NULL};
    static const struct stream stream = {"read.avx2", "avx2", 32, 0, 1, &stream_variant};
    static const struct cell_kind *const kinds[CELLS] = {&cell_kind_gamma, &cell_kind_beta, &cell_kind_gemv,
                                                         &cell_kind_knee};
    static const char *const names[CELLS] = {"gamma/s/a4", "beta/memory/t1/read.avx2.s1", "gemv/k/64x64/t1/cold",
                                             "knee/s/memory/t1/prefetch"};
    for (int i = 0; i < CELLS; i++) {
        struct cell *cell = cells_add(cells, kinds[i]);
        assert_non_null(cell);
        cell->cold = i != GAMMA;
        cell->beside_roof = i == GEMV || i == KNEE;
        cell->sequence = &sequence;
        cell->iterations = 100;
        cell->repeats = 3;
        if (gamma_cell(cell))
            gamma_cell(cell)->variant = &variants[1];
        if (beta_cell(cell))
            *beta_cell(cell) = (struct beta_cell){false, {&stream, &stream_variant, 0}, "memory", 1 << 20};
        strcpy(cell->name, names[i]);
    }
}

static int open_bench(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    char why[256];
    assert_non_null(bench);
    strcpy(bench->folder, "/tmp/kneepoint-recorder-XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    snprintf(bench->path, sizeof bench->path, "%s/run", bench->folder);
    json_t *meta = json_pack("{s:s}", "kneepoint", "test");
    assert_int_equal(run_create(bench->path, meta, &bench->run, why, sizeof why), 0);
    json_decref(meta);
    bench->recorder = recorder_of_run(bench->run, 1, TSC_HZ);
    add_cells(&bench->cells);
    *state = bench;
    return 0;
}

static int close_bench(void **state)
{
    struct bench *bench = *state;
    char file[128];
    run_close(bench->run);
    static const char *const files[] = {"meta.json", "records.jsonl", "records.jsonl.lock", "records.jsonl.truncated",
                                        ""};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(file, sizeof file, "%s/%s", bench->path, files[i]);
        if (remove(file) && !*files[i])
            fail_msg("%s is left", file);
    }
    assert_int_equal(rmdir(bench->folder), 0);
    cells_release(&bench->cells);
    free(bench);
    return 0;
}

static struct cell *cell_of(const struct bench *bench, int which)
{
    return &bench->cells.cell[which];
}

/** Sample number i, different from each other. */
static struct sample numbered(unsigned i)
{
    struct sample sample = kept_sample(2500 * (i + 1) / TSC_HZ, 1e9 + 1e3 * i);
    sample.grade = (enum sample_grade)(i % SAMPLE_GRADES);
    sample.cause = (enum sample_cause)(i % SAMPLE_CAUSES);
    sample.interrupted = !interrupts_undetectable() && i % 2;
    for (int q = 0; q < COUNTER_QUANTITIES; q++) {
        if ((i + (unsigned)q) % 3)
            continue;
        sample.counted |= COUNTER_SET(q);
        sample.count[q] = 1e9 * q + i + 0.25;
    }
    return sample;
}

/** What the file holds now, restored into cells of its own. */
static struct cells restore(const struct bench *bench, long *restored)
{
    struct run_records records;
    char why[256];
    struct cells cells = {0};
    add_cells(&cells);
    assert_int_equal(run_read(bench->path, &records, why, sizeof why), 0);
    *restored = recorder_restore(&records, &cells, why, sizeof why);
    run_records_free(&records);
    return cells;
}

static void assert_same(const struct samples *samples, const struct samples *expected)
{
    assert_int_equal(samples->count, expected->count);
    for (size_t i = 0; i < samples->count; i++) {
        const struct sample *a = &samples->sample[i], *b = &expected->sample[i];
        if (a->wall_s != b->wall_s || a->core_hz != b->core_hz || a->grade != b->grade ||
            a->interrupted != b->interrupted || a->cause != b->cause)
            fail_msg("sample %zu: %.17g s, %.17g Hz, cause %d", i, a->wall_s, a->core_hz, a->cause);
        assert_int_equal(a->counted, b->counted);
        assert_memory_equal(a->count, b->count, sizeof a->count);
    }
}

TEST_GIVEN_BY(what_was_appended_is_restored, struct bench *bench, open_bench, close_bench)
{
    for (int c = 0; c < CELLS; c++) {
        struct cell *cell = cell_of(bench, c);
        cell->iterations = 777;
        cell->repeats = 3;
        cell->roof_bytes = 2 << 20;
        cell->exact = true;
        if (c == KNEE) {
            knee_cell(cell)->variant = &cell->sequence->variant[1];
            knee_cell(cell)->prefetch_bytes = 2048;
            knee_cell(cell)->bytes = 12345;
        }
        for (unsigned visit = 0; visit < 2; visit++) {
            size_t first = cell->samples.count, roof_first = cell->roof.count;
            for (unsigned i = 0; i < 10; i++) {
                give(&cell->samples, numbered(10 * visit + i));
                if (c == GEMV || c == KNEE)
                    give(&cell->roof, numbered(100 + 10 * visit + i));
            }
            assert_int_equal(recorder_samples(&bench->recorder, cell, first, roof_first), 0);
        }
    }
    long restored;
    struct cells cells = restore(bench, &restored);
    assert_int_equal(restored, CELLS * 20 + 2 * 20);
    for (int c = 0; c < CELLS; c++) {
        const struct cell *cell = &cells.cell[c];
        assert_same(&cell->samples, &cell_of(bench, c)->samples);
        assert_same(&cell->roof, &cell_of(bench, c)->roof);
        assert_int_equal(cell->iterations, 777);
        assert_int_equal(cell->repeats, 3);
        assert_int_equal(cell->roof_bytes, 2 << 20);
        assert_true(cell->exact && cell->verified);
    }
    const struct knee_cell *knee = knee_cell(&cells.cell[KNEE]);
    assert_int_equal(knee->variant->accumulators, 4);
    assert_int_equal(knee->prefetch_bytes, 2048);
    assert_int_equal(knee->bytes, 12345);
    cells_release(&cells);
}

static void append_line(const struct bench *bench, json_t *record)
{
    assert_non_null(record);
    assert_int_equal(run_append(bench->run, record), 0);
    json_decref(record);
}

/** A visit whose last pair lacks a half: the pairs before it count. */
TEST_GIVEN_BY(half_a_pair_is_left_out, struct bench *bench, open_bench, close_bench)
{
    struct cell *gamma = cell_of(bench, GAMMA), *gemv = cell_of(bench, GEMV);
    for (unsigned i = 0; i < 3; i++)
        give(&gamma->samples, numbered(i));
    give(&gemv->samples, numbered(0));
    give(&gemv->roof, numbered(100));
    give(&gemv->roof, numbered(101));
    assert_int_equal(recorder_samples(&bench->recorder, gamma, 0, 0), 0);
    assert_int_equal(recorder_samples(&bench->recorder, gemv, 0, 0), 0);

    long restored;
    struct cells cells = restore(bench, &restored);
    assert_int_equal(restored, 2 + 2);
    gamma->samples.count = 2;
    gemv->roof.count = 1;
    assert_same(&cells.cell[GAMMA].samples, &gamma->samples);
    assert_same(&cells.cell[GEMV].samples, &gemv->samples);
    assert_same(&cells.cell[GEMV].roof, &gemv->roof);
    cells_release(&cells);
}

/** Killed within the line of a visit: the visits before it are whole, and the run continues after them. */
TEST_GIVEN_BY(a_line_cut_short_costs_its_visit_alone, struct bench *bench, open_bench, close_bench)
{
    struct cell *gemv = cell_of(bench, GEMV);
    char file[128], why[256];
    for (unsigned i = 0; i < 4; i++) {
        give(&gemv->roof, numbered(100 + i));
        give(&gemv->samples, numbered(i));
        assert_int_equal(recorder_samples(&bench->recorder, gemv, i, i), 0);
    }
    run_close(bench->run);
    snprintf(file, sizeof file, "%s/records.jsonl", bench->path);
    FILE *records = fopen(file, "r+");
    assert_int_equal(fseek(records, -20, SEEK_END), 0);
    assert_int_equal(ftruncate(fileno(records), ftell(records)), 0);
    fclose(records);
    assert_int_equal(run_reopen(bench->path, &bench->run, why, sizeof why), 0);
    bench->recorder = recorder_of_run(bench->run, 2, TSC_HZ);
    gemv->samples.count = gemv->roof.count = 3;
    give(&gemv->roof, numbered(9));
    give(&gemv->samples, numbered(8));
    assert_int_equal(recorder_samples(&bench->recorder, gemv, 3, 3), 0);

    long restored;
    struct cells cells = restore(bench, &restored);
    assert_int_equal(restored, 8);
    assert_same(&cells.cell[GEMV].samples, &gemv->samples);
    assert_same(&cells.cell[GEMV].roof, &gemv->roof);
    cells_release(&cells);
}

/** A sequence that has lost its number of accumulators since: it is not known what the samples measured. */
TEST_GIVEN_BY(streams_of_an_unknown_variant_are_left_out, struct bench *bench, open_bench, close_bench)
{
    struct sequence_variant gone = {.accumulators = 9};
    struct cell *knee = cell_of(bench, KNEE);
    knee_cell(knee)->variant = &gone;
    give(&knee->samples, numbered(0));
    give(&knee->roof, numbered(1));
    assert_int_equal(recorder_samples(&bench->recorder, knee, 0, 0), 0);
    long restored;
    struct cells cells = restore(bench, &restored);
    assert_int_equal(restored, 0);
    assert_null(knee_cell(&cells.cell[KNEE])->variant);
    assert_int_equal(cells.cell[KNEE].samples.count + cells.cell[KNEE].roof.count, 0);
    cells_release(&cells);
}

TEST_GIVEN_BY(other_cells_and_other_records_are_ignored, struct bench *bench, open_bench, close_bench)
{
    append_line(bench, json_pack("{s:s, s:s, s:f, s:s, s:[i], s:[i]}", "type", "samples", "name", "gamma/s/a5",
                                 "tsc_hz", TSC_HZ, "grade", "chain", "ticks", 2500, "core_khz", 1000000));
    append_line(bench, json_pack("{s:s, s:s, s:i}", "type", "cell", "name", "sync/barrier/t99", "repeats", 5));
    append_line(bench, json_pack("{s:s}", "type", "end"));
    append_line(bench, json_pack("{s:s, s:i}", "type", "cell", "name", 5));
    append_line(bench, json_pack("{s:s, s:s, s:f}", "type", "gamma", "name", "gamma/s/a4", "gamma", 1.0));
    long restored;
    struct cells cells = restore(bench, &restored);
    assert_int_equal(restored, 0);
    for (int c = 0; c < CELLS; c++)
        assert_int_equal(cells.cell[c].samples.count, 0);
    cells_release(&cells);
}

TEST_GIVEN_BY(every_cause_is_restored, struct bench *bench, open_bench, close_bench)
{
    for (int cause = 0; cause < SAMPLE_CAUSES; cause++) {
        struct sample sample = kept_sample(1e-6, 1e9);
        sample.cause = (enum sample_cause)cause;
        give(&cell_of(bench, BETA)->samples, sample);
    }
    assert_int_equal(recorder_samples(&bench->recorder, cell_of(bench, BETA), 0, 0), 0);
    long restored;
    struct cells cells = restore(bench, &restored);
    for (int cause = 0; cause < SAMPLE_CAUSES; cause++)
        assert_int_equal(cells.cell[BETA].samples.sample[cause].cause, cause);
    cells_release(&cells);
}

TEST_GIVEN_BY(rejected_samples_are_counted_by_cause_roofs_too, struct bench *bench, open_bench, close_bench)
{
    for (unsigned i = 0; i < 2 * SAMPLE_CAUSES; i++) {
        give(&cell_of(bench, GEMV)->samples, numbered(i));
        give(&cell_of(bench, GEMV)->roof, numbered(0));
    }
    size_t rejected[SAMPLE_CAUSES], samples;
    recorder_rejected(&bench->cells, rejected, &samples);
    assert_int_equal(samples, 4 * SAMPLE_CAUSES);
    assert_int_equal(rejected[SAMPLE_KEPT], 2 + 2 * SAMPLE_CAUSES);
    for (int cause = SAMPLE_KEPT + 1; cause < SAMPLE_CAUSES; cause++)
        assert_int_equal(rejected[cause], 2);
}

TEST_GIVEN_BY(what_the_system_entered_is_counted_with_its_fate, struct bench *bench, open_bench, close_bench)
{
    struct samples *samples = &cell_of(bench, GEMV)->samples, *roof = &cell_of(bench, GEMV)->roof;
    struct sample quiet = kept_sample(1e-4, 1e9), tolerated = kept_sample(20e-3, 1e9), proven = kept_sample(1e-4, 1e9);
    tolerated.interrupted = true;
    proven.proven = true;
    proven.entered.of[OS_ENTRY_NMI] = 1; /* the interrupt check missed it, the tracepoint did not */
    give_many(samples, quiet, 5);
    give_many(samples, tolerated, 2);
    give(samples, proven);
    static const enum sample_cause causes[] = {SAMPLE_INTERRUPT, SAMPLE_CONTEXT_SWITCH, SAMPLE_PAGE_FAULT,
                                               SAMPLE_CLOCK_DRIFT,
                                               SAMPLE_SIBLING}; /* the last two are not the system */
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        struct sample rejected = quiet;
        rejected.cause = causes[i];
        give(roof, rejected);
    }
    json_auto_t *record = json_object();
    recorder_entered(&bench->cells, record);
    const json_t *entered = json_object_get(record, "entered");
    assert_int_equal(json_integer_value(json_object_get(entered, "samples")), 6);
    assert_int_equal(json_integer_value(json_object_get(entered, "rejected")), 3);
    assert_int_equal(json_integer_value(json_object_get(entered, "kept")), 3);
}

TEST_GIVEN_BY(summaries_are_of_the_cells_with_samples, struct bench *bench, open_bench, close_bench)
{
    static const struct stream_variant variant = {4, STREAM_NO_PREFETCH, 256, 0, NULL};
    static const struct stream stream = {"read.avx2", "avx2", 32, 0, 1, &variant};
    struct session *session = calloc(1, sizeof *session);
    struct cell *beta = cell_of(bench, BETA);
    assert_non_null(session);
    *beta_cell(beta) = (struct beta_cell){true, {&stream, &variant, 0}, "memory", 1 << 20};
    give_many(&beta->samples, kept_sample(1e-4, 1e9), 6);
    assert_int_equal(recorder_summaries(&bench->recorder, session, &bench->cells), 0);
    free(session);
    struct run_records records;
    char why[256];
    assert_int_equal(run_read(bench->path, &records, why, sizeof why), 0);
    assert_int_equal(json_array_size(records.records), 1);
    assert_string_equal(field_text(json_array_get(records.records, 0), "type"), "beta");
    run_records_free(&records);
}

TEST_GIVEN_BY(samples_carry_the_number_of_their_process, struct bench *bench, open_bench, close_bench)
{
    struct run_records records;
    char why[256];
    assert_int_equal(run_read(bench->path, &records, why, sizeof why), 0);
    assert_int_equal(recorder_next_block(&records), 1);
    run_records_free(&records);
    struct cell *gemv = cell_of(bench, GEMV);
    for (unsigned process = 1; process <= 2; process++) {
        bench->recorder.block = process;
        give(&gemv->samples, numbered(process));
        give(&gemv->roof, numbered(process));
        assert_int_equal(recorder_samples(&bench->recorder, gemv, process - 1, process - 1), 0);
    }
    assert_int_equal(run_read(bench->path, &records, why, sizeof why), 0);
    assert_int_equal(json_array_size(records.records), 3); /* the cell, then the visit of each */
    for (size_t i = 1; i < 3; i++)
        assert_int_equal(field_number(json_array_get(records.records, i), "block"), i);
    assert_int_equal(recorder_next_block(&records), 3);
    run_records_free(&records);
}

TEST_GIVEN_BY(a_gamma_says_how_many_vectors_an_iteration_is, struct bench *bench, open_bench, close_bench)
{
    static const struct sequence_variant variant = {.accumulators = 4, .dots = 8};
    struct cell *gamma = cell_of(bench, GAMMA);
    struct run_records records;
    char why[256];
    gamma_cell(gamma)->variant = &variant;
    assert_int_equal(recorder_samples(&bench->recorder, gamma, 0, 0), 0);
    assert_int_equal(run_read(bench->path, &records, why, sizeof why), 0);
    assert_near(field_number(json_array_get(records.records, 0), "vectors"), gamma_vectors(gamma));
    run_records_free(&records);
}

TEST_GIVEN_BY(kinds_that_no_comparison_takes_say_so, struct bench *bench, open_bench, close_bench)
{
    struct cell *gemv = cell_of(bench, GEMV);
    struct cell_kind kind = *gemv->kind;
    struct run_records records;
    char why[256];
    assert_true(cell_kind_bias.never_compared && !kind.never_compared);
    assert_int_equal(recorder_samples(&bench->recorder, gemv, 0, 0), 0);
    kind.never_compared = true;
    kind.describe = NULL;
    gemv->kind = &kind;
    assert_int_equal(recorder_samples(&bench->recorder, gemv, 0, 0), 0);
    gemv->kind = &cell_kind_gemv;
    assert_int_equal(run_read(bench->path, &records, why, sizeof why), 0);
    assert_null(json_object_get(json_array_get(records.records, 0), "compared"));
    assert_true(json_is_false(json_object_get(json_array_get(records.records, 1), "compared")));
    run_records_free(&records);
}

TEST_GIVEN_BY(records_go_to_a_stream_a_line_each, struct bench *bench, open_bench, close_bench)
{
    char text[4096] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    struct recorder recorder = recorder_of_stream(stream, 7, TSC_HZ);
    give(&cell_of(bench, BETA)->samples, numbered(0));
    assert_int_equal(recorder_samples(&recorder, cell_of(bench, BETA), 0, 0), 0);
    fclose(stream);
    assert_non_null(strstr(text, "{\"type\":\"cell\""));
    assert_non_null(strstr(text, "}\n{\"type\":\"samples\""));
    assert_non_null(strstr(text, "\"block\":7,\"tsc_hz\":2500000000,"));
    assert_string_equal(text + strlen(text) - 2, "}\n");
}

/* ---------------------------------------------------------------- records from elsewhere */

static long restore_crafted(const char *cell_record, struct cells *cells, char *why, size_t size)
{
    struct run_records records = {.records = json_array()};
    json_array_append_new(records.records, json_loads(cell_record, 0, NULL));
    assert_int_equal(json_array_size(records.records), 1);
    add_cells(cells);
    why[0] = '\0';
    long restored = recorder_restore(&records, cells, why, size);
    json_decref(records.records);
    return restored;
}

/** What would run for years, read past the pool or divide by 0 is refused with one line that names cell and member. */
TEST(what_no_visit_would_choose_is_refused)
{
    static const struct {
        const char *name, *members, *expected;
    } table[] = {
        {"gamma/s/a4", "'iterations':4611686018427387904,'repeats':0,'roof_bytes':0", "iterations 4611686018427387904"},
        {"gamma/s/a4", "'iterations':-1,'repeats':0,'roof_bytes':0", "iterations -1"},
        {"gamma/s/a4", "'iterations':0,'repeats':0,'roof_bytes':0", "iterations 0"},
        {"gamma/s/a4", "'repeats':0", "iterations none"},
        {"gamma/s/a4", "'iterations':1e308", "iterations 1e308"},
        {"gamma/s/a4", "'iterations':'many'", "iterations \"many\""},
        {"gamma/s/a4", "'iterations':{'a':[1]}", "iterations {"},
        {"gamma/s/a4", "'iterations':100,'repeats':4294967296", "repeats 4294967296"},
        {"gemv/k/64x64/t1/cold", "'iterations':0,'repeats':0", "repeats 0"},
        {"gemv/k/64x64/t1/cold", "'iterations':0,'repeats':201", "repeats 201"},
        {"gemv/k/64x64/t1/cold", "'iterations':0,'repeats':3,'roof_bytes':9223372036854775807",
         "roof_bytes 9223372036854775807"},
        {"gemv/k/64x64/t1/cold", "'iterations':0,'repeats':3,'roof_bytes':-8", "roof_bytes -8"},
        {"knee/s/memory/t1/prefetch", "'repeats':1073741824", "repeats 1073741824"},
        {"knee/s/memory/t1/prefetch", "'repeats':true", "repeats true"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct cells cells = {0};
        char record[512], why[256];
        snprintf(record, sizeof record, "{'type':'cell','name':'%s',%s}", table[i].name, table[i].members);
        for (char *at = record; *at; at++)
            *at = *at == '\'' ? '"' : *at;
        assert_int_equal(restore_crafted(record, &cells, why, sizeof why), -EINVAL);
        if (!strstr(why, table[i].expected) || !strstr(why, table[i].name) || strchr(why, '\n'))
            fail_msg("'%s' for %s", why, record);
        cells_release(&cells);
    }
}

RUN_TESTS(NULL, NULL)
