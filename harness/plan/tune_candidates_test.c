/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What there is to choose from for a problem, and settings that come back from a table.
 */
#include "harness/plan/tune_candidates.h"
#include "harness/team/scalar_gemm.h"
#include "micro/tuning.h"
#include "unit_test.h"

enum { MOST = 512 };

static size_t of(const struct kernel *kernel, size_t m, size_t n, unsigned threads, struct tune_candidate *all)
{
    const struct tuning_problem problem = tune_problem(kernel, m, 64, n, threads, true);
    return tune_candidates(kernel, &problem, all, MOST);
}

TEST(the_kernel_itself_is_first)
{
    const struct kernel kernel = scalar_kernel();
    struct tune_candidate all[MOST];
    assert_int_equal(of(&kernel, 64, 8, 1, all), 1); /* it has no prefetch */
    assert_true(all[0].gemm && product_settings_are_default(&all[0].settings, &kernel));
}

TEST(distances_are_around_its_own)
{
    struct kernel kernel = scalar_kernel();
    struct tune_candidate all[MOST];
    kernel.prefetch_bytes = 1024;
    assert_int_equal(of(&kernel, 64, 8, 1, all), 4);
    static const size_t distances[] = {1024, 0, 2048, 512};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(all[i].settings.prefetch_bytes, distances[i]);
}

static void no_gemv(const struct gemv_slice *slice)
{
    (void)slice;
}

/** What suits memory depends on the machine, so that a GEMV's own distance may be far from it. */
TEST(gemvs_try_every_distance)
{
    struct kernel kernel = scalar_kernel();
    struct tune_candidate all[MOST];
    kernel.prefetch_bytes = 1536;
    kernel.gemm.run = NULL;
    kernel.gemv = no_gemv;
    static const size_t distances[] = {1536, 0, 3072, 768, 128, 256, 512, 1024, 2048, 4096};
    assert_int_equal(of(&kernel, 64, 1, 1, all), 10);
    for (size_t i = 0; i < 10; i++)
        assert_int_equal(all[i].settings.prefetch_bytes, distances[i]);
    kernel.prefetch_bytes = 0;
    assert_int_equal(of(&kernel, 64, 1, 1, all), 1);
}

/** A member needs a group of tokens, and panels, which would be too few to share in the first place. */
TEST(tokens_are_shared_where_there_are_enough)
{
    const struct kernel kernel = scalar_kernel();
    struct tune_candidate all[MOST];
    assert_int_equal(of(&kernel, 64, SCALAR_GROUP + 1, 2, all), 2);
    assert_true(!all[0].settings.shares_tokens && all[1].settings.shares_tokens);
    assert_int_equal(of(&kernel, 64, SCALAR_GROUP, 2, all), 1);
    assert_int_equal(of(&kernel, SCALAR_ROWS, 64, 2, all), 1);
}

TEST(gemvs_are_of_one_token)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        struct tune_candidate all[MOST];
        size_t one = of(*kernel, 4096, 1, 1, all);
        assert_true(one <= MOST);
        for (size_t i = 0; i < one; i++)
            assert_true(all[i].gemm ? (*kernel)->gemm.run != NULL : (*kernel)->gemv != NULL);
        assert_true(one > 0);
        size_t two = of(*kernel, 4096, 2, 1, all);
        assert_true((two > 0) == ((*kernel)->gemm.run != NULL));
        for (size_t i = 0; i < two; i++)
            assert_true(all[i].gemm);
    }
}

/** As a table has it: by name. */
TEST(settings_come_back_from_a_table)
{
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        struct tune_candidate all[MOST];
        size_t count = of(*kernel, 4096, 64, 2, all);
        assert_true(count <= MOST);
        for (size_t i = 0; i < count; i++) {
            const struct product_settings *given = &all[i].settings;
            struct tuning_cell cell = {
                .gemm = true, .prefetch_bytes = given->prefetch_bytes, .shares_tokens = given->shares_tokens};
            struct product_settings back;
            snprintf(cell.variant, sizeof cell.variant, "%s", given->variant ? given->variant : "");
            assert_true(tune_settings_of(*kernel, &cell, &back));
            assert_true(back.run == given->run && back.variant == given->variant);
            assert_true(back.prefetch_bytes == given->prefetch_bytes && back.shares_tokens == given->shares_tokens);
            assert_true((given->variant == NULL) == (given->run == NULL));
        }
        struct product_settings none;
        assert_false(tune_settings_of(*kernel, &(const struct tuning_cell){.gemm = true, .variant = "none"}, &none));
    }
}

RUN_TESTS(NULL, NULL)
