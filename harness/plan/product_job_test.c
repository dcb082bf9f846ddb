/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>

#include "harness/cells/rounds_tests.h"
#include "harness/plan/product_measure.h"
#include "unit_test.h"

/** Two formats, one of which refuses K that are no multiples of 256; nothing of them is run. */
static const struct format any_k = {
    .name = "any", .bits = 8, .rows_per_panel = 1, .k_per_step = 32, .step_bytes = 32, .max_k = 65536};
static const struct format whole_k = {.name = "whole",
                                      .bits = 8,
                                      .rows_per_panel = 1,
                                      .k_per_step = 32,
                                      .step_bytes = 32,
                                      .k_multiple = 256,
                                      .max_k = 65536};
static const struct kernel takes_any = {.name = "any.k.avx2", .format = &any_k},
                           takes_whole = {.name = "whole.k.avx2", .format = &whole_k};

static struct product_job *job_of(const struct kernel *first, const struct kernel *second)
{
    struct product_job *job = calloc(1, sizeof *job);
    assert_non_null(job);
    job->kernels[job->kernel_count++] = first;
    if (second)
        job->kernels[job->kernel_count++] = second;
    job->sizes[job->teams++] = 1;
    job->cold = job->warm = true;
    return job;
}

static void add_shape(struct product_job *job, size_t m, size_t k)
{
    job->shapes[job->shape_count++] = (struct shape){.m = m, .k = k, .count = 1};
}

TEST(a_named_pair_that_does_not_fit_is_refused)
{
    char why[512] = "";
    struct product_job *job = job_of(&takes_any, &takes_whole);
    add_shape(job, 64, 96);
    job->shapes_named = 1;
    assert_int_equal(product_job_pair(job, why, sizeof why), 0); /* of all kernels, one does */
    job->kernels_named = true;
    assert_int_equal(product_job_pair(job, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, "--shape 64x96: "));
    job->shapes_named = 0;
    assert_int_equal(product_job_pair(job, why, sizeof why), 0); /* a model's shape is left out */
    product_job_free(job);
}

TEST(a_job_of_nothing_is_refused)
{
    char why[512] = "";
    struct product_job *job = job_of(&takes_whole, NULL);
    add_shape(job, 64, 96);
    assert_int_equal(product_job_pair(job, why, sizeof why), -EINVAL);
    add_shape(job, 64, 512);
    assert_int_equal(product_job_pair(job, why, sizeof why), 0);
    product_job_free(job);
}

TEST(what_is_left_out_says_why)
{
    char why[512] = "";
    struct product_job *job = job_of(&takes_any, &takes_whole);
    add_shape(job, 64, 96);
    add_shape(job, 64, 512);
    assert_int_equal(product_job_pair(job, why, sizeof why), 0);
    assert_int_equal(job->pair_count, 4);
    assert_false(product_pair_is_left_out(&job->pairs[0], why, sizeof why));
    assert_true(product_pair_is_left_out(&job->pairs[2], why, sizeof why));
    assert_ptr_equal(job->pairs[2].kernel, &takes_whole);
    assert_non_null(strstr(why, "256"));
    assert_false(product_pair_is_left_out(&job->pairs[3], why, sizeof why));
    job->pairs[3].state = PAIR_TOO_LARGE;
    assert_true(product_pair_is_left_out(&job->pairs[3], why, sizeof why));
    assert_non_null(strstr(why, "larger than the memory"));
    product_job_free(job);
}

TEST_WITH(a_matrix_beyond_all_memory_is_refused_or_left_out, open_bench, close_bench)
{
    struct bench *bench = *state;
    char why[SESSION_WHY] = "";
    struct product_job *job = job_of(&takes_any, NULL);
    add_shape(job, 64, 256);
    assert_int_equal(product_job_pair(job, why, sizeof why), 0);
    assert_int_equal(product_job_check(job, bench->session, why, sizeof why), 0);
    add_shape(job, UINT32_MAX, 65536); /* 256 TiB */
    assert_int_equal(product_job_pair(job, why, sizeof why), 0);
    assert_int_equal(product_job_check(job, bench->session, why, sizeof why), 0);
    assert_int_equal(job->pairs[0].state, PAIR_MEASURED);
    assert_int_equal(job->pairs[1].state, PAIR_TOO_LARGE);
    job->shapes_named = 2;
    assert_int_equal(product_job_pair(job, why, sizeof why), 0);
    assert_int_equal(product_job_check(job, bench->session, why, sizeof why), -ENOMEM);
    assert_true(strlen(why) > 0);
    product_job_free(job);
}

RUN_TESTS(NULL, NULL)
