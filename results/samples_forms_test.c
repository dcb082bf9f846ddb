/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same measurements as runs of schema 1 have them, a record a sample, and in columns. Both are a run's records that
 * were cut down; results/fixtures/schema_1 goes when the reading of schema 1 does.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "results/blocks.h"
#include "results/samples.h"

enum { SINGLE, COLUMNS, FORMS };
static const char *const folders[FORMS] = {"results/fixtures/schema_1", "results/fixtures/schema_2"};

struct bench {
    struct run_records run[FORMS];
};

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    char why[512];
    *state = bench;
    for (int f = 0; f < FORMS; f++) {
        if (run_read(folders[f], &bench->run[f], why, sizeof why) || bench->run[f].bad_lines)
            return -1;
    }
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    for (int f = 0; f < FORMS; f++)
        run_records_free(&bench->run[f]);
    free(bench);
    return 0;
}

/** Goes through the samples of a run. Zero at first, but for the run. */
struct iterator {
    const struct run_records *run;
    struct recorded_samples visit;
    size_t record, sample;
};

/** The next sample, NULL after the last. Whose it is, is in the iterator's visit. */
static const struct recorded_sample *next(struct iterator *at)
{
    while (at->sample == at->visit.count) {
        const json_t *record = json_array_get(at->run->records, at->record++);
        if (!record)
            return NULL;
        assert_int_equal(samples_read(record, &at->visit), 0);
        at->sample = 0;
    }
    return &at->visit.sample[at->sample++];
}

static const char *or_none(const char *text)
{
    return text ? text : "none";
}

static void assert_same(const struct recorded_sample *a, const struct recorded_sample *b)
{
    assert_true(a->time_s == b->time_s); /* to the last bit */
    assert_true(fabs(a->core_hz - b->core_hz) <= 500.001);
    assert_string_equal(a->grade, b->grade);
    assert_string_equal(or_none(a->rejected), or_none(b->rejected));
    assert_int_equal(a->interrupted, b->interrupted);
    assert_int_equal(a->unroll, b->unroll);
    assert_int_equal(a->roof, b->roof);
    assert_int_equal(a->stream, b->stream);
}

static void every_sample_is_in_both(void **state)
{
    struct bench *bench = *state;
    struct iterator at[FORMS] = {{.run = &bench->run[SINGLE]}, {.run = &bench->run[COLUMNS]}};
    size_t count = 0;
    for (const struct recorded_sample *single; (single = next(&at[SINGLE])); count++) {
        const struct recorded_sample *column = next(&at[COLUMNS]);
        assert_non_null(column);
        assert_same(single, column);
        assert_string_equal(at[SINGLE].visit.name, at[COLUMNS].visit.name);
        assert_int_equal(at[SINGLE].visit.visit, at[COLUMNS].visit.visit);
        assert_int_equal(at[SINGLE].visit.block, at[COLUMNS].visit.block);
    }
    assert_null(next(&at[COLUMNS]));
    assert_true(count > 100);
    assert_true(json_array_size(bench->run[COLUMNS].records) < json_array_size(bench->run[SINGLE].records) / 4);
    for (int f = 0; f < FORMS; f++)
        samples_release(&at[f].visit);
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-5 * fabs(b)) && !(isnan(a) && isnan(b)))
        fail_msg("%.12g is not %.12g", a, b);
}

static void both_reduce_to_the_same_blocks(void **state)
{
    struct bench *bench = *state;
    struct blocks blocks[FORMS];
    for (int f = 0; f < FORMS; f++)
        assert_int_equal(blocks_of_run(&bench->run[f], &blocks[f]), 0);
    const struct blocks *a = &blocks[SINGLE], *b = &blocks[COLUMNS];
    assert_true(a->cells > 4);
    assert_int_equal(a->cells, b->cells);
    assert_int_equal(a->count, b->count);
    assert_near(a->noise.neighbour_share, b->noise.neighbour_share);
    for (size_t c = 0; c < a->cells; c++) {
        assert_string_equal(a->cell[c].name, b->cell[c].name);
        assert_int_equal(a->cell[c].count, b->cell[c].count);
        assert_int_equal(a->cell[c].kept, b->cell[c].kept);
        assert_int_equal(a->cell[c].rejected, b->cell[c].rejected);
        for (size_t i = 0; i < a->cell[c].count; i++) {
            assert_near(a->cell[c].value[i], b->cell[c].value[i]);
            assert_near(a->cell[c].roof_s[i], b->cell[c].roof_s[i]);
        }
    }
    for (int f = 0; f < FORMS; f++)
        blocks_release(&blocks[f]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_is_in_both),
        cmocka_unit_test(both_reduce_to_the_same_blocks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
