/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV and GEMM cells, and visits to GEMMs, of a kernel in plain C: a visit to a GEMV is the same (product_work.h).
 *
 * steady: which samples there are is counted
 */
#include <errno.h>

#include <math.h>

#include "harness/cells/cell/summary.h"
#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/product/shared_product.h"
#include "harness/cells/product/team_balance.h"
#include "harness/cells/rounds_tests.h"
#include "harness/team/scalar_gemm.h"
#include "unit_test.h"

static const struct shape small = {.m = 50, .k = 40};

static const struct cell *last(const struct bench *bench)
{
    return &bench->cells.cell[bench->cells.count - 1];
}

/** Numbers of tokens, and how the names of their cells begin. */
static const struct {
    size_t tokens;
    const char *name;
} products[] = {{PRODUCT_GEMV, "gemv/scalar.groups.reference/50x40"}, {8, "gemm/scalar.groups.reference/50x40/n8"}};
enum { PRODUCTS = sizeof products / sizeof *products };

static void assert_name(const struct cell *cell, size_t product, const char *rest)
{
    char expected[128];
    snprintf(expected, sizeof expected, "%s%s", products[product].name, rest);
    assert_string_equal(cell->name, expected);
}

TEST_GIVEN_BY(names_tell_tokens_teams_and_members_apart, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    static const unsigned sizes[] = {1, 2};
    static const char *const names[] = {"/t1/cold", "/t1/warm", "/t2/cold", "/t2/warm"};
    for (size_t p = 0; p < PRODUCTS; p++) {
        assert_int_equal(product_add_teams(&bench->cells, &kernel, &small, products[p].tokens, sizes, 2, true, true),
                         0);
        assert_int_equal(bench->cells.count, 4 * (p + 1));
        for (size_t i = 0; i < 4; i++) {
            const struct cell *cell = &bench->cells.cell[4 * p + i];
            assert_name(cell, p, names[i]);
            assert_int_equal(cell->beside_roof, cell->cold);
            assert_true(product_cell(cell) == (products[p].tokens ? gemm_cell(cell) : gemv_cell(cell)));
        }
    }
    assert_int_equal(product_add_teams(&bench->cells, &kernel, &small, 9, sizes, 1, false, true), 0);
    assert_string_equal(last(bench)->name, "gemm/scalar.groups.reference/50x40/n9/t1/warm");
}

TEST_GIVEN_BY(a_member_alone_is_added_once, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    for (size_t p = 0; p < PRODUCTS; p++) {
        const size_t tokens = products[p].tokens;
        assert_int_equal(product_add_alone(&bench->cells, &kernel, &small, tokens, 0, 1, true), 0);
        assert_int_equal(product_add_alone(&bench->cells, &kernel, &small, tokens, 0, 1, true), 0);
        assert_int_equal(bench->cells.count, 2 * p + 1);
        assert_null(product_cell(last(bench))->schedule); /* it is the plain cell of one thread */
        assert_int_equal(product_add_alone(&bench->cells, &kernel, &small, tokens, 1, 0.5, true), 0);
        assert_name(last(bench), p, "/t1/cold/member=1/speed=1:0.5");
        assert_ptr_equal(product_find_alone(&bench->cells, &kernel, &small, tokens, 1, 0.5, true), last(bench));
        assert_null(product_find_alone(&bench->cells, &kernel, &small, 9, 1, 0.5, true));
        assert_null(product_find_alone(&bench->cells, &kernel, &small, tokens, 1, 0.5, false));
        assert_null(product_find_alone(&bench->cells, &kernel, &small, tokens, 1, 1, true));
    }
}

TEST_GIVEN_BY(a_plain_schedule_is_none, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    const struct product_schedule_request dynamic = {.kind = SCHEDULE_DYNAMIC, .tail_share = SCHEDULE_TAIL_SHARE};
    for (size_t p = 0; p < PRODUCTS; p++) {
        const size_t tokens = products[p].tokens;
        assert_int_equal(product_add_scheduled(&bench->cells, &kernel, &small, tokens, 1, false, &dynamic), 0);
        assert_null(product_cell(last(bench))->schedule); /* a single member shares with no other */
        assert_int_equal(product_add_scheduled(&bench->cells, &kernel, &small, tokens, 2, false, &dynamic), 0);
        assert_non_null(product_cell(last(bench))->schedule);
        assert_true(last(bench)->kind->lacks_choice(last(bench)));
        assert_name(last(bench), p, "/t2/warm/schedule=dynamic");
    }
}

TEST_GIVEN_BY(a_warm_visit_verifies_and_takes_samples, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernels[] = {scalar_kernel(), scalar_float_kernel()};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(product_add(&bench->cells, &kernels[i], &small, 8, 1, false), 0);
        struct cell *cell = &bench->cells.cell[i];
        assert_int_equal(cell_visit(bench->session, cell, 5), 0);
        assert_int_equal(cell_visit(bench->session, cell, 4), 0);
        assert_int_equal(cell->samples.count, 9);
        assert_int_equal(cell->roof.count, 0);
        assert_true(cell->verified && cell->repeats > 1 && cell->repeats <= cell_kind_gemm.repeats_most);
        assert_int_equal(gemm_cell(cell)->copies, 0);
        assert_int_equal(gemm_cell(cell)->scratch_bytes > 0, i == 0);
        assert_int_equal(cell_kept(cell), 9);
        assert_int_equal(product_places(bench->session, cell), 0);
    }
    assert_true(bench->cells.cell[0].exact && bench->cells.cell[0].error == 0);
    assert_true(bench->cells.cell[1].error > 0 && bench->cells.cell[1].error < 1e-6);
}

TEST_GIVEN_BY(a_cold_visit_reads_the_roof_before_each_sample, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    assert_int_equal(product_add(&bench->cells, &kernel, &small, 8, 1, true), 0);
    struct cell *cell = &bench->cells.cell[0];
    assert_int_equal(cell_visit(bench->session, cell, 3), -ENODATA);
    assert_non_null(strstr(cell->why, "read roof of memory with 1 thread was kept"));
    assert_int_equal(cell->samples.count, 0);
    cell->why[0] = '\0';
    give_roof(bench, "memory");
    assert_int_equal(cell_visit(bench->session, cell, 7), 0);
    assert_int_equal(cell->samples.count, 7);
    assert_int_equal(cell->roof.count, 7);
    assert_int_equal(cell->repeats, 1);
    for (size_t i = 0; i < 7; i++)
        assert_true(cell->roof.sample[i].stream && !cell->samples.sample[i].stream);
    assert_true(gemm_cell(cell)->copies > 1 && !gemm_cell(cell)->one_layer);
    assert_int_equal(product_places(bench->session, cell), gemm_cell(cell)->copies);
    assert_int_equal(cell_kept(cell), 7);
}

/** The last result of a slice is wrong. */
static void run_wrong(const struct gemm_slice *slice)
{
    scalar_run(slice);
    if (slice->tokens && slice->panels)
        slice->out[(slice->tokens - 1) * slice->out_stride + slice->panels * SCALAR_ROWS - 3] += 1;
}

TEST_GIVEN_BY(a_wrong_result_ends_the_visit_and_says_where, struct bench *bench, open_bench, close_bench)
{
    struct kernel kernel = scalar_kernel();
    kernel.gemm.run = run_wrong;
    assert_int_equal(product_add(&bench->cells, &kernel, &small, 8, 1, false), 0);
    struct cell *cell = &bench->cells.cell[0];
    assert_int_equal(cell_visit(bench->session, cell, 3), -EILSEQ);
    assert_string_equal(cell->why,
                        "scalar.groups.reference on 50x40 with 8 tokens and 1 thread differs from the scalar "
                        "reference in 1 of 400 results");
    assert_int_equal(cell->samples.count, 0);
    assert_true(cell->verified && !cell->exact);
    const struct product_work work = {&kernel, small.m, small.k, .tokens = 1, .threads = 1};
    char why[SESSION_WHY];
    assert_int_equal(product_try(bench->session, &work, NULL, why, sizeof why), -EILSEQ);
    assert_non_null(strstr(why, "with 1 token and 1 thread differs"));
}

TEST_GIVEN_BY(what_finds_no_memory_says_how_much_it_wants, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    struct product_work work = {&kernel, small.m, small.k, .tokens = 8, .threads = 1};
    char why[SESSION_WHY] = "";
    assert_int_equal(product_fits(bench->session, &work, why, sizeof why), 0);
    assert_int_equal(product_try(bench->session, &work, NULL, why, sizeof why), 0);
    assert_string_equal(why, "");
    work.m = UINT32_MAX;
    work.k = 65536; /* 256 TiB */
    assert_int_equal(product_fits(bench->session, &work, why, sizeof why), -ENOMEM);
    assert_int_equal(product_try(bench->session, &work, NULL, why, sizeof why), -ENOMEM);
    assert_non_null(strstr(why, "scalar.groups.reference on 4294967295x65536 with 8 tokens and 1 thread"));
    work =
        (struct product_work){&kernel, 4, 4, .tokens = (size_t)1 << 50, .threads = 1}; /* tokens take memory as well */
    assert_int_equal(product_fits(bench->session, &work, why, sizeof why), -ENOMEM);
}

/* ---- weights of shares ---- */

TEST_GIVEN_BY(weights_are_shares_of_the_fastest, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    const struct product_schedule_request weighted = {.kind = SCHEDULE_WEIGHTED};
    assert_int_equal(product_add(&bench->cells, &kernel, &small, 8, 1, false), 0);
    struct cell *cell = &bench->cells.cell[0];
    cell->repeats = 2;
    for (int left = 1; left >= 0; left--) {
        struct gemm gemm;
        struct product_schedule *schedule = product_schedule_make(&weighted, 1);
        assert_non_null(schedule);
        schedule->kind = SCHEDULE_WEIGHTED; /* a team of one does not share; its weight is 1 */
        assert_int_equal(gemm_prepare(&gemm, &kernel, small.m, small.k, 8, 1, 7), 0);
        assert_int_equal(gemm_touch(&gemm, 0), 0);
        const struct shared_product product = {.gemm = &gemm, .k = gemm.k};
        gemm.panels = left ? gemm.panels : 0; /* too few to be shared */
        assert_int_equal(team_balance_measure(bench->session, cell, schedule, &product, 64), left ? 0 : -EINVAL);
        assert_int_equal(schedule->weighed, left);
        assert_true(!left || (schedule->weight[0] == 1 && schedule->weights_n >= 6));
        product_schedule_release(schedule);
        gemm_release(&gemm);
    }
}

/* ---- prefetch distances that are found here ---- */

TEST(the_own_distance_stands_unless_another_is_seen_to_be_faster)
{
    static const struct {
        double median_s[3];
        size_t chosen;
    } cases[] = {{{1, 0.9, 0.8}, 2}, {{1, 0.98, 0.975}, 0}, {{1, NAN, 0.5}, 2}, {{NAN, 0.5, 0.4}, 0}, {{1, 2, 3}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(product_distance_choose(cases[i].median_s, 3), cases[i].chosen);
    assert_int_equal(product_distance_choose(cases[0].median_s, 1), 0);
}

/** As a run that goes on has it; what no visit chooses is not taken over. */
TEST_GIVEN_BY(a_distance_that_was_found_is_kept, struct bench *bench, open_bench, close_bench)
{
    struct kernel kernel = scalar_kernel();
    kernel.prefetch_bytes = 512;
    assert_int_equal(product_add(&bench->cells, &kernel, &small, PRODUCT_GEMV, 1, true), 0);
    struct cell *cell = &bench->cells.cell[0];
    struct product_settings *settings = &product_cell(cell)->settings;
    assert_false(product_is_tuned_here(bench->session, cell));
    bench->session->tunes = SESSION_TUNES_CELLS;
    assert_true(product_says_distance(bench->session, cell));
    bench->session->tunes = SESSION_TUNES_KERNELS;
    assert_true(product_is_tuned_here(bench->session, cell));
    assert_false(product_says_distance(bench->session, cell)); /* not of the reference shape */

    json_t *wrong = json_pack("{s:i}", "prefetch_bytes", -1), *right = json_pack("{s:i}", "prefetch_bytes", 128);
    product_restore(cell, wrong);
    assert_false(settings->self_tuned);
    product_restore(cell, right);
    assert_true(settings->self_tuned && settings->prefetch_bytes == 128);
    assert_int_equal(product_take_distances(bench->session, &bench->cells), 0);
    assert_int_equal(product_take_distances(bench->session, &bench->cells), 0); /* once */
    assert_int_equal(bench->session->distance_count, 1);
    assert_int_equal(session_distance_of(bench->session, &kernel, 1)->bytes, 128);
    assert_null(session_distance_of(bench->session, &kernel, 2));

    json_t *described = json_object(), *record = json_object();
    product_describe(cell, described);
    assert_true(json_equal(described, right));
    product_settings_record(settings, &kernel, false, record);
    assert_int_equal(json_integer_value(json_object_get(record, "prefetch_bytes")), 128);
    assert_string_equal(json_string_value(json_object_get(record, "settings")), "self-tuned");
    assert_true(product_settings_are_default(settings, &kernel)); /* its name is that of the plain cell */
    settings->prefetch_given = true;
    assert_false(product_is_tuned_here(bench->session, cell));
    json_decref(wrong);
    json_decref(right);
    json_decref(described);
    json_decref(record);
}

/* ---- operands of many tokens ---- */

static size_t prepared_tokens, prepared_groups;

static void count_prepared(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    prepared_tokens += tokens;
    prepared_groups++;
    scalar_prepare_many(activations, stride, k, tokens, prepared);
}

TEST_GIVEN_BY(tokens_are_prepared_in_groups, struct bench *bench, open_bench, close_bench)
{
    struct kernel kernel = scalar_kernel(), plain = scalar_float_kernel();
    kernel.gemm.prepare_many = count_prepared;
    assert_true(isnan(prepare_tokens_time(&bench->cells, &kernel, 40, 8)));
    assert_true(prepare_tokens_time(&bench->cells, &plain, 40, 8) == 0);
    assert_int_equal(prepare_add_tokens(&bench->cells, bench->session, &plain, 40, 8), 0); /* takes them as they are */
    assert_int_equal(bench->cells.count, 0);
    assert_int_equal(prepare_add_tokens(&bench->cells, bench->session, &kernel, 40, 8), 0);
    assert_int_equal(prepare_add_tokens(&bench->cells, bench->session, &kernel, 40, 8), 0); /* once */
    assert_int_equal(bench->cells.count, 1);
    struct cell *cell = &bench->cells.cell[0];
    assert_string_equal(cell->name, "prepare/tokens/scalar.groups.reference/40/n8");
    assert_non_null(prepare_cell(cell)->quantizer);
    cell->repeats = 2;
    prepared_tokens = prepared_groups = 0;
    assert_int_equal(cell_visit(bench->session, cell, 6), 0);
    assert_int_equal(cell->samples.count, 6);
    assert_int_equal(prepared_tokens % 8, 0);
    assert_int_equal(prepared_groups, prepared_tokens / 8 * 3); /* 3, 3 and 2 tokens */
    assert_true(prepared_tokens >= 8 * (1 + 6 * 2));
    double time_s = prepare_tokens_time(&bench->cells, &kernel, 40, 8);
    assert_true(time_s == summary_stated(summary_time(cell)) && time_s > 0);
    assert_true(isnan(prepare_tokens_time(&bench->cells, &kernel, 40, 9)));
    assert_true(isnan(prepare_tokens_time(&bench->cells, &kernel, 80, 8)));
}

RUN_TESTS(NULL, NULL)
