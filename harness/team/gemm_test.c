/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a GEMM is shared by a team: who has which panels and tokens, and that all of it together is right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/team/gemm.h"
#include "harness/team/scalar_gemm.h"
#include "micro/kernels/random.h"

/** A GEMM on random weights, each member's panels in memory of its own. */
struct trial {
    struct gemm gemm;
    uint8_t *packed;
    uint8_t **share;
};

static struct trial trial_make(const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads)
{
    struct trial trial;
    uint64_t random = 1 + m + k;
    assert_int_equal(gemm_prepare(&trial.gemm, kernel, m, k, tokens, threads, 7 + tokens), 0);
    size_t bytes = format_packed_bytes(kernel->format, m, k);
    trial.packed = malloc(bytes);
    trial.share = calloc(threads, sizeof *trial.share);
    assert_true(trial.packed && trial.share);
    format_fill(kernel->format, trial.packed, trial.gemm.panels * format_steps(kernel->format, k), k, &random);
    for (unsigned t = 0; t < threads; t++) {
        struct gemm_member *member = &trial.gemm.members[t];
        assert_int_equal(gemm_touch(&trial.gemm, t), 0);
        trial.share[t] = malloc(member->panels * trial.gemm.panel_bytes + 1);
        memcpy(trial.share[t], trial.packed + member->first_panel * trial.gemm.panel_bytes,
               member->panels * trial.gemm.panel_bytes);
        member->weights = trial.share[t];
    }
    memset(trial.gemm.out, 0xc5, tokens * trial.gemm.out_stride * sizeof(float));
    return trial;
}

static void trial_release(struct trial *trial)
{
    for (unsigned t = 0; t < trial->gemm.threads; t++)
        free(trial->share[t]);
    free(trial->share);
    free(trial->packed);
    gemm_release(&trial->gemm);
}

/** Results that are not what the whole matrix says; independent of gemm_verify and of who computed what. */
static size_t wrong_results(const struct trial *trial)
{
    const struct gemm *gemm = &trial->gemm;
    const struct kernel *kernel = gemm->kernel;
    struct reference_check check = {0};
    for (size_t i = 0; i < gemm->panels * gemm->tokens; i++) {
        size_t panel = i / gemm->tokens, token = i % gemm->tokens, left = gemm->m - panel * SCALAR_ROWS;
        size_t count = left < SCALAR_ROWS ? left : SCALAR_ROWS;
        struct reference_row rows[SCALAR_ROWS];
        reference_rows(kernel, trial->packed + panel * gemm->panel_bytes, gemm->k, count,
                       gemm->activations + token * gemm->stride * kernel_activation_bytes(kernel), NULL, rows);
        reference_compare_token(kernel, rows, count, gemm->out + token * gemm->out_stride + panel * SCALAR_ROWS,
                                gemm->scales[token], &check);
    }
    assert_int_equal(check.rows, gemm->m * gemm->tokens);
    return check.wrong;
}

static size_t verified_wrong(const struct gemm *gemm)
{
    struct reference_check check;
    assert_int_equal(gemm_verify(gemm, 3, &check), 0);
    assert_true(check.rows > 0);
    return check.wrong;
}

static void run_all(struct gemm *gemm)
{
    for (unsigned t = 0; t < gemm->threads; t++)
        gemm_run_member(gemm, t);
}

static void every_panel_and_token_is_computed_once(void **state)
{
    (void)state;
    const struct kernel kernels[] = {scalar_kernel(), scalar_float_kernel()};
    static const size_t rows[] = {1, 4, 7, 9, 33}, tokens[] = {1, 2, 3, 4, 7, 16};
    for (size_t i = 0; i < 2 * 5 * 6; i++) {
        for (unsigned threads = 1; threads <= 7; threads++) {
            struct trial trial = trial_make(&kernels[i / 30], rows[i % 5], 17, tokens[i / 5 % 6], threads);
            assert_true(wrong_results(&trial) > 0);
            run_all(&trial.gemm);
            assert_int_equal(wrong_results(&trial), 0);
            assert_int_equal(verified_wrong(&trial.gemm), 0);
            trial_release(&trial);
        }
    }
}

static void shares_are_even_and_groups_stay_whole(void **state)
{
    (void)state;
    struct kernel kernel = scalar_kernel();
    struct gemm_share share = gemm_share_of(&kernel, 10, 5, 1, 3); /* panels enough: all tokens */
    assert_int_equal(share.first_panel, 3);
    assert_int_equal(share.panels, 3);
    assert_int_equal(share.tokens, 5);
    share = gemm_share_of(&kernel, 1, 10, 0, 2); /* four groups of three tokens, the last of one */
    assert_int_equal(share.panels, 1);
    assert_int_equal(share.tokens, 6);
    share = gemm_share_of(&kernel, 1, 10, 1, 2);
    assert_int_equal(share.first_token, 6);
    assert_int_equal(share.tokens, 4);
    share = gemm_share_of(&kernel, 2, 10, 4, 5); /* two by two: the fifth has nothing to do */
    assert_int_equal(share.tokens, 0);
    share = gemm_share_of(&kernel, 1, 2, 0, 2); /* one group: the second has it */
    assert_int_equal(share.tokens + gemm_share_of(&kernel, 1, 2, 1, 2).tokens, 2);
}

static void verification_finds_a_wrong_result(void **state)
{
    (void)state;
    const struct kernel kernels[] = {scalar_kernel(), scalar_float_kernel()};
    for (size_t i = 0; i < 2; i++) {
        struct trial trial = trial_make(&kernels[i], 30, 40, 9, 2);
        float *last = trial.gemm.out + 8 * trial.gemm.out_stride + 29;
        run_all(&trial.gemm);
        *last *= 1.0001f;
        assert_int_equal(verified_wrong(&trial.gemm), 1);
        trial_release(&trial);
    }
}

/** Too large to be compared whole: the ends of each member, of panels and of tokens, are among what is. */
static void verification_of_a_large_one_looks_at_the_ends(void **state)
{
    (void)state;
    struct kernel kernel = scalar_kernel();
    struct trial trial = trial_make(&kernel, 4 * 100, 64, 60, 2);
    run_all(&trial.gemm);
    assert_int_equal(verified_wrong(&trial.gemm), 0);
    static const size_t ends[] = {0, 199, 200, 399};
    for (size_t i = 0; i < 8; i++) {
        float *at = trial.gemm.out + (i / 4 ? 59 : 0) * trial.gemm.out_stride + ends[i % 4];
        uint32_t former, spoilt;
        memcpy(&former, at, sizeof former);
        spoilt = former ^ 1; /* the last bit */
        memcpy(at, &spoilt, sizeof spoilt);
        assert_true(verified_wrong(&trial.gemm) >= 1);
        memcpy(at, &former, sizeof former);
    }
    trial_release(&trial);
}

static void what_is_allocated_is_what_is_said(void **state)
{
    (void)state;
    struct kernel kernel = scalar_kernel();
    struct trial trial = trial_make(&kernel, 64, 100, 8, 2);
    uint64_t stated = gemm_working_bytes(&kernel, 64, 100, 8, 2);
    uint64_t operands = 8 * (128 + 64 * 4 + 8) + kernel_gemm_prepared_bytes(&kernel, 100, 8);
    assert_int_equal(gemm_scratch_bytes(&trial.gemm), 2 * 128);
    assert_int_equal(stated, operands + 2 * (100 + sizeof(struct gemm_member)));
    assert_int_equal(gemm_member_bytes(&trial.gemm, 1), 8 * format_panel_bytes(kernel.format, 100));
    trial_release(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_panel_and_token_is_computed_once),
        cmocka_unit_test(shares_are_even_and_groups_stay_whole),
        cmocka_unit_test(verification_finds_a_wrong_result),
        cmocka_unit_test(verification_of_a_large_one_looks_at_the_ends),
        cmocka_unit_test(what_is_allocated_is_what_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
