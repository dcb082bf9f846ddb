/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/cell/roof_paired.h"
#include "harness/cells/on_paper.h"
#include "unit_test.h"

enum { BYTES = 4 << 20, STREAM = 7 };

/** A cold cell that was visited at each of those turns, five pairs each, the roof at that speed. */
static struct cell *add_visited(struct bench *bench, const long *turns, const double *roof, size_t visits)
{
    struct cell *cell = add(bench, &cell_kind_gemv, "gemv/int2_test.paper.avx2/1024x1024/t2/cold");
    cell->kernel = &kernel;
    cell->threads = 2;
    cell->cold = true;
    cell->roof_bytes = BYTES;
    cell->roof_stream = STREAM;
    for (size_t v = 0; v < visits; v++) {
        struct sample read = kept_sample(BYTES / roof[v], CLOCK_HZ), own = kept_sample(1e-4, CLOCK_HZ);
        read.stream = STREAM;
        read.turn = own.turn = turns[v];
        give_many(&cell->roof, read, 5);
        give_many(&cell->samples, own, 5);
    }
    return cell;
}

/* Memory is slow until turn 100, and fast from then on. */
static void fill(struct bench *bench)
{
    for (int c = 0; c < 10; c++) {
        const long turns[] = {10 + c, 110 + c};
        add_visited(bench, turns, (const double[]){2e10, 5e10}, 2);
    }
}

TEST_GIVEN_BY(reads_about_then_count, struct bench *bench, open_bench, close_bench)
{
    fill(bench);
    /* its own roof is not asked */
    struct cell *early = add_visited(bench, (const long[]){15}, (const double[]){9e10}, 1);
    struct cell *late = add_visited(bench, (const long[]){130}, (const double[]){1e10}, 1);
    struct cell *before_all = add_visited(bench, (const long[]){-5}, (const double[]){1e10}, 1);
    roof_local_set(&bench->cells, &cell_kind_gemv);
    assert_near(early->roof_local_bytes_per_s, 2e10);
    assert_near(late->roof_local_bytes_per_s, 5e10);
    assert_near(before_all->roof_local_bytes_per_s, 2e10);
}

TEST_GIVEN_BY(a_sample_counts_where_it_was_taken, struct bench *bench, open_bench, close_bench)
{
    fill(bench);
    struct cell *cell = add_visited(bench, (const long[]){15, 112, 113}, (const double[]){9e10, 9e10, 9e10}, 3);
    roof_local_set(&bench->cells, &cell_kind_gemv);
    assert_near(cell->roof_local_bytes_per_s, 5e10);
    for (int i = 5; i < 15; i++) /* what was rejected does not */
        cell->samples.sample[i].cause = SAMPLE_INTERRUPT;
    roof_local_set(&bench->cells, &cell_kind_gemv);
    assert_near(cell->roof_local_bytes_per_s, 2e10);
}

TEST_GIVEN_BY(too_few_reads_are_none, struct bench *bench, open_bench, close_bench)
{
    for (int c = 0; c < 7; c++)
        add_visited(bench, (const long[]){c}, (const double[]){2e10}, 1);
    struct cell *cell = add_visited(bench, (const long[]){3}, (const double[]){2e10}, 1);
    roof_local_set(&bench->cells, &cell_kind_gemv);
    assert_true(cell->roof_local_bytes_per_s <= 0); /* 35 of them, and its own */
    struct cell *other = add_visited(bench, (const long[]){4}, (const double[]){2e10}, 1);
    roof_local_set(&bench->cells, &cell_kind_gemv);
    assert_near(cell->roof_local_bytes_per_s, 2e10);
    for (size_t i = 0; i < other->roof.count; i++)
        other->roof.sample[i].stream = STREAM + 1;
    roof_local_set(&bench->cells, &cell_kind_gemv);
    assert_true(cell->roof_local_bytes_per_s <= 0);
}

TEST_GIVEN_BY(each_team_has_its_own, struct bench *bench, open_bench, close_bench)
{
    fill(bench);
    struct cell *alone = add_visited(bench, (const long[]){15}, (const double[]){2e10}, 1);
    alone->threads = 1;
    roof_local_set(&bench->cells, &cell_kind_gemv);
    assert_true(alone->roof_local_bytes_per_s <= 0);
}

RUN_TESTS(NULL, NULL)
