/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMMs as a job: what is refused before anything is measured, and what is measured beside them.
 *
 * steady: which samples there are is counted
 */
#include <errno.h>

#include "harness/cells/prepare/prepare.h"
#include "harness/cells/product/product_cells.h"
#include "harness/cells/rounds_tests.h"
#include "harness/plan/product_measure.h"
#include "harness/team/scalar_gemm.h"
#include "unit_test.h"

static struct product_job *job_of(const struct kernel *kernel, size_t m, size_t k)
{
    struct product_job *job = calloc(1, sizeof *job);
    assert_non_null(job);
    job->kernels[job->kernel_count++] = kernel;
    job->shapes[job->shape_count++] = (struct shape){.m = m, .k = k, .count = 1};
    job->shapes_named = 1;
    job->sizes[job->teams++] = 1;
    job->tokens[job->token_count++] = 2;
    job->warm = true;
    assert_int_equal(product_job_pair(job, NULL, 0), 0);
    return job;
}

TEST_GIVEN_BY(the_most_tokens_must_find_memory, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    char why[SESSION_WHY] = "";
    struct product_job *job = job_of(&kernel, 64, 256);
    assert_int_equal(product_job_check(job, bench->session, why, sizeof why), 0);
    job->tokens[job->token_count++] = (size_t)1 << 48; /* the last of them, and then the first */
    assert_int_equal(product_job_check(job, bench->session, why, sizeof why), -ENOMEM);
    assert_non_null(strstr(why, "scalar.groups.reference on 64x256 with 281474976710656 tokens"));
    job->tokens[0] = job->tokens[1];
    job->tokens[1] = 2;
    assert_int_equal(product_job_check(job, bench->session, why, sizeof why), -ENOMEM);
    product_job_free(job);
}

TEST_GIVEN_BY(a_schedule_needs_a_panel_for_each_member, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    char why[SESSION_WHY] = "";
    struct product_job *job = job_of(&kernel, SCALAR_ROWS, 256); /* one panel */
    job->sizes[0] = 2;
    struct memory_block *pool = bench->session->pool, blocks[2] = {pool[0]};
    bench->session->pool = blocks; /* of the second member, which this machine may not have, nothing is there yet */
    bench->session->threads = 2;
    bench->session->cpus[1] = bench->session->cpus[0];
    assert_int_equal(product_job_check(job, bench->session, why, sizeof why), 0); /* members share the tokens */
    job->schedules.kinds[job->schedules.count++] = SCHEDULE_DYNAMIC;
    job->schedules.tail_share = SCHEDULE_TAIL_SHARE;
    assert_int_equal(product_job_check(job, bench->session, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "--schedule shares panels of 4 rows, and 4x256 of scalar.groups.reference has 1 for 2 "
                                "threads"));
    job->shapes[0].m = 2 * SCALAR_ROWS;
    assert_int_equal(product_job_check(job, bench->session, why, sizeof why), 0);
    bench->session->threads = 1;
    bench->session->pool = pool;
    product_job_free(job);
}

static size_t count_of(const struct bench *bench, const char *prefix)
{
    size_t count = 0;
    for (size_t i = 0; i < bench->cells.count; i++) {
        const struct cell *cell = &bench->cells.cell[i];
        count += strncmp(cell->name, prefix, strlen(prefix)) == 0 && cell->samples.count && !cell->why[0];
    }
    return count;
}

TEST_GIVEN_BY(what_gemms_are_held_against_is_measured_with_them, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    char why[SESSION_WHY] = "";
    struct product_job *job = job_of(&kernel, 64, 64);
    job->tokens[job->token_count++] = 5;
    job->samples = 3; /* few: it goes on until they bear a number */
    job->prefetch_given = true;
    job->prefetch_bytes = 128;
    const struct execution execution = {.roof_samples = 6};
    assert_int_equal(product_job_measure(job, bench->session, &bench->cells, &execution, why, sizeof why), 0);
    assert_string_equal(why, "");
    assert_int_equal(count_of(bench, "gemm/scalar.groups.reference/64x64/n2/t1/warm"), 1);
    assert_int_equal(count_of(bench, "gemm/scalar.groups.reference/64x64/n5/t1/warm"), 1);
    assert_int_equal(count_of(bench, "prepare/tokens/scalar.groups.reference/64/n"), 2);
    assert_int_equal(count_of(bench, "beta/memory/t1/roof"), 1);
    assert_int_equal(count_of(bench, "sync/"), 0); /* of one */
    for (size_t i = 0; i < bench->cells.count; i++) {
        const struct product_cell *own = gemm_cell(&bench->cells.cell[i]);
        assert_true(!own || (own->settings.prefetch_given && own->settings.prefetch_bytes == 128));
        assert_true(!own || (cell_kept(&bench->cells.cell[i]) >= 6 && !bench->cells.cell[i].suspended));
    }
    product_job_free(job);
}

TEST_WITH(what_is_left_out_is_not_measured, open_bench, close_bench)
{
    struct bench *bench = *state;
    const struct kernel kernel = scalar_kernel();
    char why[SESSION_WHY] = "";
    struct product_job *job = job_of(&kernel, 64, 64);
    job->shapes[job->shape_count++] = (struct shape){.m = 128, .k = 64, .count = 1};
    assert_int_equal(product_job_pair(job, why, sizeof why), 0);
    job->pairs[1].state = PAIR_TOO_LARGE;
    job->samples = 3;
    const struct execution execution = {.roof_samples = 6};
    assert_int_equal(product_job_measure(job, bench->session, &bench->cells, &execution, why, sizeof why), 0);
    assert_int_equal(count_of(bench, "gemm/scalar.groups.reference/64x64/"), 1);
    assert_null(cells_find(&bench->cells, "gemm/scalar.groups.reference/128x64/n2/t1/warm"));
    product_job_free(job);
}

static void run_wrong(const struct gemm_slice *slice)
{
    scalar_run(slice);
    if (slice->panels && slice->tokens == 5)
        slice->out[0] += 1;
}

TEST_GIVEN_BY(a_wrong_kernel_ends_the_job_and_is_named, struct bench *bench, open_bench, close_bench)
{
    struct kernel kernel = scalar_kernel();
    char why[SESSION_WHY] = "";
    kernel.gemm.run = run_wrong;
    struct product_job *job = job_of(&kernel, 64, 64);
    job->tokens[job->token_count++] = 5;
    job->samples = 3;
    const struct execution execution = {.roof_samples = 6};
    assert_int_equal(product_job_measure(job, bench->session, &bench->cells, &execution, why, sizeof why), -EILSEQ);
    assert_non_null(strstr(why, "scalar.groups.reference on 64x64 with 5 tokens and 1 thread differs from the scalar"));
    product_job_free(job);
}

TEST_GIVEN_BY(an_interrupted_job_says_so, struct bench *bench, open_bench, close_bench)
{
    const struct kernel kernel = scalar_kernel();
    char why[SESSION_WHY] = "";
    volatile int stop = 1;
    struct product_job *job = job_of(&kernel, 64, 64);
    const struct execution execution = {.roof_samples = 6, .stop = &stop};
    assert_int_equal(product_job_measure(job, bench->session, &bench->cells, &execution, why, sizeof why), -EINTR);
    assert_int_equal(count_of(bench, "gemm/"), 0);
    product_job_free(job);
}

TEST(an_effort_goes_on_until_half_is_kept_and_enough_to_compete)
{
    static const struct {
        unsigned samples;
        size_t settled;
    } table[] = {{3, 6}, {11, 6}, {12, 12}, {13, 12}, {24, 12}, {101, 51}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct effort effort = product_job_effort(table[i].samples, 4, 15);
        assert_int_equal(effort.settled, table[i].settled);
        assert_true(effort.rounds && effort.samples && effort.patience_s == 15);
    }
}

RUN_TESTS(NULL, NULL)
