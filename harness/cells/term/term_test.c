/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "harness/cells/on_paper.h"
#include "harness/cells/term/term.h"
#include "unit_test.h"

static const struct format rowwise = {.name = "int2_rows",
                                      .bits = 2,
                                      .weight_min = -2,
                                      .weight_max = 1,
                                      .rows_per_panel = 1,
                                      .k_per_step = 256,
                                      .step_bytes = 64,
                                      .max_k = 65536};
static const struct kernel row_kernel = {.name = "int2_rows.test.avx2",
                                         .sequence = "test",
                                         .isa = "avx2",
                                         .format = &rowwise,
                                         .prefetch_bytes = 1024,
                                         .gemv = gemv_on_paper};
static const struct shape square = {.m = 4096, .k = 4096};

static void add_kernel(struct bench *bench, const struct kernel *of, const struct shape *shape, unsigned threads)
{
    char why[160];
    assert_int_equal(term_add_kernel(&bench->cells, &bench->session, of, shape, threads, why, sizeof why), 0);
}

/** The cell of a term; NULL: none. */
static struct cell *find(struct bench *bench, const char *term, const char *variant)
{
    for (size_t i = 0; i < bench->cells.count; i++) {
        const struct term_cell *own = term_cell(&bench->cells.cell[i]);
        if (strcmp(own->term, term) == 0 && strcmp(own->variant, variant) == 0)
            return &bench->cells.cell[i];
    }
    return NULL;
}

static size_t bytes_of(const struct kernel *of, const struct term_side *side)
{
    return side->repeats * format_packed_bytes(of->format, side->m, side->k);
}

TEST_GIVEN_BY(both_sides_read_as_much, struct bench *bench, open_bench, close_bench)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        add_kernel(bench, &row_kernel, &square, threads);
        add_kernel(bench, &kernel, &square, threads);
    }
    assert_true(bench->cells.count > 20);
    for (size_t i = 0; i < bench->cells.count; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        const struct term_side *side = term_cell(cell)->side;
        if (bytes_of(cell->kernel, &side[0]) != bytes_of(cell->kernel, &side[1]))
            fail_msg("%s: %zu and %zu bytes", cell->name, bytes_of(cell->kernel, &side[0]),
                     bytes_of(cell->kernel, &side[1]));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(cell->name, bench->cells.cell[j].name);
    }
}

TEST_GIVEN_BY(panel_ends_are_counted_a_member, struct bench *bench, open_bench, close_bench)
{
    add_kernel(bench, &row_kernel, &square, 2);
    const struct term_cell *cold = term_cell(find(bench, "panel_end", "memory")),
                           *warm = term_cell(find(bench, "panel_end", "L2"));
    assert_near(cold->all_events, 2048);
    assert_near(cold->events, 1024); /* rows of 4096 instead of 8192 */
    assert_int_equal(cold->side[0].k, 8192);
    assert_near(warm->all_events, 2048);
    assert_near(warm->events, 1024);
    assert_true(warm->side[0].warm && warm->side[1].warm && warm->side[0].repeats > 1);
    assert_int_equal(warm->side[1].repeats * warm->side[1].m, 4096);
    assert_int_equal(warm->m, 4096); /* what it is about */
}

TEST_GIVEN_BY(what_a_format_or_a_cache_does_not_allow_is_left_out, struct bench *bench, open_bench, close_bench)
{
    const struct shape long_rows = {.m = 4096, .k = 40960};
    add_kernel(bench, &row_kernel, &long_rows, 1);
    assert_null(find(bench, "panel_end", "memory")); /* rows of twice the length are more than the format holds */
    assert_non_null(find(bench, "memory", ""));
    cells_release(&bench->cells);
    bench->cells = (struct cells){0};

    bench->session.level_bytes[2] = 0;
    bench->session.level_bytes[1] = 0;
    add_kernel(bench, &row_kernel, &square, 1);
    assert_null(find(bench, "memory", ""));
    assert_null(find(bench, "panel_end", "L2"));
    assert_non_null(find(bench, "panel_end", "memory"));
}

TEST_GIVEN_BY(a_shape_that_the_format_does_not_hold_is_refused, struct bench *bench, open_bench, close_bench)
{
    const struct shape too_long = {.m = 64, .k = 1 << 20};
    char why[160] = "";
    assert_int_equal(term_add_kernel(&bench->cells, &bench->session, &row_kernel, &too_long, 1, why, sizeof why),
                     -EINVAL);
    assert_true(why[0]);
    assert_int_equal(bench->cells.count, 0);
}

TEST_GIVEN_BY(a_kernel_without_a_gemv_is_refused, struct bench *bench, open_bench, close_bench)
{
    struct kernel gemm_alone = kernel;
    gemm_alone.gemv = NULL;
    char why[160];
    assert_int_equal(term_add_kernel(&bench->cells, &bench->session, &gemm_alone, &square, 1, why, sizeof why),
                     -EINVAL);
    assert_string_equal(why, "it has no GEMV, which terms need");
    assert_int_equal(bench->cells.count, 0);
}

TEST_GIVEN_BY(a_kernels_own_distance_is_not_compared_with_itself, struct bench *bench, open_bench, close_bench)
{
    add_kernel(bench, &row_kernel, &square, 1);
    assert_null(find(bench, "prefetch", "+1024"));
    const struct term_cell *none = term_cell(find(bench, "prefetch", "+0"));
    assert_int_equal(none->side[0].prefetch_bytes, 1024);
    assert_int_equal(none->side[1].prefetch_bytes, 0);
}

/** Seconds of the work without and with, in a pair. */
static void give_pair_of(struct cell *cell, double without_s, double with_s)
{
    give(&cell->roof, kept_sample(without_s, 1e9));
    give(&cell->samples, kept_sample(with_s, 1e9));
}

TEST_GIVEN_BY(a_term_is_the_difference_of_pairs, struct bench *bench, open_bench, close_bench)
{
    add_kernel(bench, &row_kernel, &square, 1);
    struct cell *cell = find(bench, "panel_end", "memory");
    double drift[] = {1, 2, 3, 4, 5, 6, 7, 8}; /* of both sides: pairs do not see it */
    for (size_t i = 0; i < 8; i++)
        give_pair_of(cell, 1e-4 * drift[i], 1e-4 * drift[i] + 24.576e-6);
    cell->roof.sample[0].cause = SAMPLE_INTERRUPT;
    json_auto_t *record = record_of(bench, cell);
    assert_string_equal(field_text(record, "type"), "term");
    assert_string_equal(field_text(record, "name"), "panel_end/int2_rows.test.avx2/memory");
    assert_string_equal(field_text(record, "term"), "panel_end");
    assert_string_equal(field_text(record, "subject"), "int2_rows.test.avx2");
    assert_string_equal(field_text(record, "event"), "panel");
    assert_near(field_median(record, "difference_s"), 24.576e-6);
    assert_near(field_median(record, "cost_s"), 24.576e-6 / 2048);
    assert_near(field_median(record, "without_s"), 5e-4);
    assert_near(field_number(json_object_get(record, "cost_s"), "n"), 7);
    assert_near(field_number(json_object_get(record, "cost_s"), "rejected"), 1);
    assert_near(field_number(record, "m"), 4096);
    assert_near(field_number(record, "k"), 4096);
    assert_int_equal(cell_kept(cell), 7);
    json_decref(record);

    cell = find(bench, "memory", "");
    for (int i = 0; i < 7; i++)
        give_pair_of(cell, 1e-4, 1.5e-4);
    record = record_of(bench, cell);
    assert_near(field_median(record, "change"), 0.5);
    assert_null_field(record, "event");
    assert_null(json_object_get(record, "cost_s"));
    assert_near(field_number(record, "m"), 4096); /* of the GEMV that comes from memory */
}

RUN_TESTS(NULL, NULL)
