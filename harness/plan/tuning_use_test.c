/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What cells and passes take from a tuning table.
 */

#include "harness/cells/cell/kind.h"
#include "harness/cells/product/product_cells.h"
#include "harness/plan/decode_job.h"
#include "harness/plan/tune_candidates.h"
#include "harness/plan/tuning_use.h"
#include "harness/team/scalar_gemm.h"
#include "unit_test.h"

static struct tuning_cell found(const struct kernel *kernel, bool gemm, size_t m, size_t n, unsigned threads)
{
    struct tuning_cell cell = {.problem = tune_problem(kernel, m, 256, n, threads, true),
                               .gemm = gemm,
                               .best = true,
                               .prefetch_bytes = 128,
                               .shares_tokens = gemm,
                               .time_s = 1e-5};
    snprintf(cell.kernel, sizeof cell.kernel, "%s", kernel->name);
    return cell;
}

static const struct cell *gemm_of(struct cells *cells, const struct kernel *kernel, size_t tokens, unsigned threads,
                                  const struct tuning_table *table)
{
    const struct shape shape = {.m = 64, .k = 256};
    assert_int_equal(product_add(cells, kernel, &shape, tokens, threads, true), 0);
    struct cell *cell = &cells->cell[cells->count - 1];
    tuning_use_apply(table, cell);
    return cell;
}

TEST(a_cell_takes_the_settings_of_its_problem_or_the_nearest)
{
    const struct kernel kernel = scalar_kernel();
    struct tuning_cell cells[] = {found(&kernel, true, 64, 8, 2), found(&kernel, true, 512, 8, 2)};
    const struct tuning_table table = {.cell = cells, .count = 2};
    struct cells plan = {0};
    const struct cell *cell = gemm_of(&plan, &kernel, 8, 2, &table);
    const struct product_settings *settings = &gemm_cell(cell)->settings;
    assert_string_equal(cell->name, "gemm/scalar.groups.reference/64x256/n8/t2/cold/prefetch=128/share=tokens");
    assert_true(settings->tuned.from_table && settings->tuned.distance == 0 && settings->tuned.n == 8);
    settings = &gemm_cell(gemm_of(&plan, &kernel, 16, 2, &table))->settings;
    assert_true(settings->tuned.distance == 1 && settings->tuned.m == 64 && settings->shares_tokens);
    /* fewer groups of tokens than members: they share rows all the same */
    cell = gemm_of(&plan, &kernel, 2, 2, &table);
    assert_string_equal(cell->name, "gemm/scalar.groups.reference/64x256/n2/t2/cold/prefetch=128");
    /* another team, and a distance that the user gave */
    cell = gemm_of(&plan, &kernel, 8, 1, &table);
    assert_string_equal(cell->name, "gemm/scalar.groups.reference/64x256/n8/t1/cold");
    assert_true(product_settings_are_default(&gemm_cell(cell)->settings, &kernel));
    gemm_cell(&plan.cell[3])->settings = (struct product_settings){.prefetch_given = true, .prefetch_bytes = 64};
    plan.cell[3].threads = 2;
    tuning_use_apply(&table, &plan.cell[3]);
    assert_int_equal(gemm_cell(&plan.cell[3])->settings.prefetch_bytes, 64);
    assert_true(tuning_use_any(&plan));
    cells_release(&plan);
}

/** Settings that the kernel does not have, of a table that was changed by hand, are not used. */
TEST(a_variant_that_is_none_is_not_taken)
{
    const struct kernel kernel = scalar_kernel();
    struct tuning_cell cell = found(&kernel, true, 64, 8, 2);
    strcpy(cell.variant, "r1t1");
    const struct tuning_table table = {.cell = &cell, .count = 1};
    struct cells plan = {0};
    assert_false(gemm_cell(gemm_of(&plan, &kernel, 8, 2, &table))->settings.tuned.from_table);
    assert_false(tuning_use_any(&plan));
    cells_release(&plan);
}

static const struct kernel *any_gemv(void)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if ((*kernel)->gemv)
            return *kernel;
    }
    return NULL;
}

/** Each role, and the head, by its own shape. */
TEST(a_pass_takes_prefetch_distances)
{
    struct decode_job *job = calloc(1, sizeof *job);
    const struct kernel *kernel = any_gemv();
    assert_true(job && kernel);
    job->model = (struct model){
        .layers = 1, .hidden = 256, .ffn = 8192, .heads = 4, .kv_heads = 4, .head_size = 64, .vocabulary = 512};
    job->kernels[job->kernel_count++] = kernel;
    job->threads = 2;
    assert_false(decode_is_tuned(&(const struct decode_work){.kernel = kernel, .head = kernel}));
    struct decode_work work = decode_job_work(job, 0, 0);
    assert_false(work.prefetch[0].given || decode_is_tuned(&work));
    struct tuning_cell cells[] = {found(kernel, false, 256, 1, 2), found(kernel, false, 8192, 1, 2)};
    cells[0].prefetch_bytes = kernel->prefetch_bytes + 64;
    cells[1].prefetch_bytes = kernel->prefetch_bytes;
    const struct tuning_table table = {.cell = cells, .count = 2};
    job->tuning = &table;
    work = decode_job_work(job, 0, 0);
    assert_int_equal(work.prefetch[DECODE_Q].bytes, kernel->prefetch_bytes + 64);
    assert_int_equal(work.prefetch[DECODE_GATE].bytes, kernel->prefetch_bytes);
    assert_int_equal(work.prefetch[DECODE_ROLES].bytes, kernel->prefetch_bytes + 64); /* 512 is nearer to 256 */
    assert_true(decode_is_tuned(&work));
    free(job);
}

RUN_TESTS(NULL, NULL)
