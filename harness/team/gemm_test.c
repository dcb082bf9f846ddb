/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a GEMM is shared by a team: who has which panels and tokens, and that all of it together is right.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/team/gemm.h"
#include "harness/team/scalar_gemm.h"
#include "micro/isa/random.h"
#include "unit_test.h"

/** A GEMM on random weights, each member's panels in memory of its own. */
struct trial {
    struct gemm gemm;
    uint8_t *packed;
    uint8_t **share;
};

static struct trial trial_make_scheduled(const struct kernel *kernel, size_t m, size_t k, size_t tokens,
                                         unsigned threads, const struct schedule *schedule)
{
    struct trial trial;
    uint64_t random = 1 + m + k;
    assert_int_equal(gemm_prepare(&trial.gemm, kernel, m, k, tokens, threads, 7 + tokens), 0);
    assert_int_equal(gemm_set_schedule(&trial.gemm, schedule), 0);
    size_t bytes = format_packed_bytes(kernel->format, m, k);
    trial.packed = malloc(bytes);
    trial.share = calloc(threads, sizeof *trial.share);
    assert_true(trial.packed && trial.share);
    format_fill(kernel->format, trial.packed, trial.gemm.panels * format_steps(kernel->format, k), k, &random);
    for (unsigned t = 0; t < threads; t++) {
        struct gemm_member *member = &trial.gemm.members[t];
        assert_int_equal(gemm_touch(&trial.gemm, t), 0);
        size_t share_bytes = member->panels * trial.gemm.panel_bytes;
        size_t own_bytes = gemm_member_bytes(&trial.gemm, t) - (member->tokens ? share_bytes : 0);
        trial.share[t] = malloc(share_bytes + own_bytes + 1);
        memcpy(trial.share[t], trial.packed + member->first_panel * trial.gemm.panel_bytes, share_bytes);
        memcpy(trial.share[t] + share_bytes,
               trial.packed + (own_bytes
                                   ? schedule_units_before(&trial.gemm.tail, member->own.first) * trial.gemm.panel_bytes
                                   : 0),
               own_bytes);
        member->weights = trial.share[t];
    }
    memset(trial.gemm.out, 0xc5, tokens * trial.gemm.out_stride * sizeof(float));
    return trial;
}

static struct trial trial_make(const struct kernel *kernel, size_t m, size_t k, size_t tokens, unsigned threads)
{
    return trial_make_scheduled(kernel, m, k, tokens, threads, &(const struct schedule){.kind = SCHEDULE_STATIC});
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
        gemm_run_member(gemm, t, 1);
}

TEST(every_panel_and_token_is_computed_once)
{
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

/** As scalar_prepare_many() of activations whose pairs of columns are in this order. */
static void prepare_pairs(const void *activations, size_t stride, size_t k, size_t tokens, const uint16_t *order,
                          void *prepared)
{
    for (size_t column = 0; column < k; column++) {
        size_t from = 2u * order[column / 2] + column % 2;
        for (size_t token = 0; token < SCALAR_GROUP; token++)
            ((int8_t *)prepared)[column * SCALAR_GROUP + token] =
                token < tokens ? ((const int8_t *)activations)[token * stride + from] : 0;
    }
}

/** A weight of a column multiplies the activation that the order has there, whether the kernel or a copy brings it. */
TEST(columns_multiply_the_activations_of_their_groups)
{
    enum { M = 9, K = 38, TOKENS = 5 };
    struct format format = scalar_format;
    format.order_columns = 2;
    struct kernel kernels[] = {scalar_kernel(), scalar_kernel(), scalar_float_kernel()};
    kernels[1].ordered.prepare_many = prepare_pairs;
    for (size_t i = 0; i < 3; i++) {
        kernels[i].format = &format;
        struct trial trial = trial_make(&kernels[i], M, K, TOKENS, 3);
        const struct gemm *gemm = &trial.gemm;
        bool floats = kernels[i].takes == KERNEL_TAKES_F32;
        if (i == 0) { /* the operands again, from the source alone */
            memset(gemm->activations, 0, TOKENS * gemm->stride);
            gemm_prepare_groups(&trial.gemm, 0, gemm_groups(gemm));
        }
        run_all(&trial.gemm);
        assert_int_equal(gemm_groups(gemm), floats ? TOKENS : 2);
        assert_int_equal(verified_wrong(gemm), 0);
        for (size_t at = 0; at < M * TOKENS; at++) {
            size_t row = at / TOKENS, token = at % TOKENS;
            const uint8_t *panel = trial.packed + row / SCALAR_ROWS * gemm->panel_bytes;
            double sum = 0;
            for (uint32_t column = 0; column < K; column++) {
                size_t from = token * gemm->stride + 2u * gemm->order[column / 2] + column % 2;
                double a = floats ? (double)((const float *)gemm->source)[from] : ((const int8_t *)gemm->source)[from];
                sum += scalar_get(panel, row % SCALAR_ROWS, column) * a;
            }
            float expected = floats ? (float)sum : gemm->scales[token] * (float)sum;
            assert_true(fabsf(gemm->out[token * gemm->out_stride + row] - expected) <= 1e-5f * (1 + fabsf(expected)));
        }
        trial_release(&trial);
    }
}

TEST(shares_are_even_and_groups_stay_whole)
{
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

/** Whatever there is of panels: each member has all of them, for tokens of its own. */
TEST(tokens_are_shared_where_it_is_asked_for)
{
    const struct kernel kernels[] = {scalar_kernel(), scalar_float_kernel()};
    const struct schedule by_tokens = {.kind = SCHEDULE_STATIC, .shares_tokens = true};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        struct trial trial = trial_make_scheduled(&kernels[i], 9, 13, 8, 2, &by_tokens);
        size_t tokens = 0;
        for (unsigned t = 0; t < 2; t++) {
            assert_int_equal(trial.gemm.members[t].panels, trial.gemm.panels);
            assert_int_equal(trial.gemm.members[t].first_token, tokens);
            tokens += trial.gemm.members[t].tokens;
        }
        assert_int_equal(tokens, 8);
        assert_int_equal(gemm_largest_share(&kernels[i], 9, 13, 8, 2, &by_tokens),
                         trial.gemm.panels * trial.gemm.panel_bytes);
        run_all(&trial.gemm);
        assert_int_equal(wrong_results(&trial), 0);
        assert_int_equal(verified_wrong(&trial.gemm), 0);
        trial_release(&trial);
    }
}

TEST(verification_finds_a_wrong_result)
{
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
TEST(verification_of_a_large_one_looks_at_the_ends)
{
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

static const double uneven[] = {1, 0.25, 0.7, 0.05, 1, 0.5};

/** By every schedule, weights and size of a tail; once the first member draws all there is, and once the last. */
TEST(every_schedule_computes_every_panel)
{
    const struct kernel kernels[] = {scalar_kernel(), scalar_float_kernel()};
    static const size_t rows[] = {24, 33, 450};
    static const double tails[] = {0.01, 0.25, 1};
    for (size_t i = 0; i < 2 * 3 * 3 * 2 * SCHEDULE_KINDS; i++) {
        for (unsigned threads = 1; threads <= 6; threads++) {
            const struct schedule schedule = {.kind = (enum schedule_kind)(i / 36),
                                              .weights = i / 18 % 2 ? uneven : NULL,
                                              .tail_share = tails[i % 3]};
            struct trial trial = trial_make_scheduled(&kernels[i / 9 % 2], rows[i / 3 % 3], 9, 5, threads, &schedule);
            struct gemm *gemm = &trial.gemm;
            gemm_emulate_speed(gemm, threads - 1, i % 2 ? 0.9 : 1);
            run_all(gemm);
            assert_int_equal(wrong_results(&trial), 0);
            memset(gemm->out, 0xc5, gemm->tokens * gemm->out_stride * sizeof *gemm->out);
            for (unsigned t = threads; t > 0; t--)
                gemm_run_member(gemm, t - 1, 2);
            assert_int_equal(wrong_results(&trial), 0);
            assert_int_equal(verified_wrong(gemm), 0);
            uint64_t drawn = 0, most = 0;
            for (unsigned t = 0; t < threads; t++) {
                drawn += gemm->members[t].pieces;
                most = gemm_member_bytes(gemm, t) > most ? gemm_member_bytes(gemm, t) : most;
            }
            assert_int_equal(drawn, 2 * gemm->tail.pieces);
            assert_int_equal(gemm->tail.pieces > 0, schedule.kind == SCHEDULE_DYNAMIC && threads > 1);
            assert_int_equal(most, gemm_largest_share(gemm->kernel, gemm->m, 9, 5, threads, &schedule));
            trial_release(&trial);
        }
    }
}

TEST(shares_are_by_weight_and_a_tail_is_behind_them)
{
    static const double weights[] = {1, 0.25};
    struct kernel kernel = scalar_kernel();
    struct schedule schedule = {.kind = SCHEDULE_WEIGHTED, .weights = weights, .tail_share = 0.2};
    struct trial trial = trial_make_scheduled(&kernel, 4 * 100, 8, 3, 2, &schedule);
    assert_int_equal(trial.gemm.members[0].panels, 80);
    assert_int_equal(trial.gemm.members[1].first_panel, 80);
    assert_int_equal(trial.gemm.members[1].panels, 20);
    trial_release(&trial);
    schedule.kind = SCHEDULE_DYNAMIC;
    trial = trial_make_scheduled(&kernel, 4 * 2000, 100, 3, 2, &schedule);
    assert_int_equal(trial.gemm.members[0].panels, 1280);
    assert_int_equal(trial.gemm.members[1].panels, 320);
    assert_int_equal(trial.gemm.tail.panels, 400);
    assert_true(gemm_member_bytes(&trial.gemm, 0) > 3 * gemm_member_bytes(&trial.gemm, 1));
    trial_release(&trial);
}

/** Fewer panels than members: the tokens are shared, by equal shares or not at all. */
TEST(where_tokens_are_shared_shares_are_equal)
{
    struct kernel kernel = scalar_kernel();
    struct trial trial = trial_make(&kernel, 5, 8, 9, 3);
    const struct schedule schedule = {.kind = SCHEDULE_DYNAMIC, .tail_share = 0.25};
    assert_true(gemm_splits_tokens(&kernel, 5, 3));
    assert_false(gemm_splits_tokens(&kernel, 5, 2));
    assert_int_equal(gemm_set_schedule(&trial.gemm, &schedule), -EINVAL);
    run_all(&trial.gemm);
    assert_int_equal(wrong_results(&trial), 0);
    trial_release(&trial);
}

enum { RACERS = 3, GENERATIONS = 4 };

/** Members that draw the tail from all sides at once, generation after generation. */
struct race {
    struct gemm *gemm;
    pthread_barrier_t barrier;
    atomic_uint next_member;
};

static void *draw_all(void *context)
{
    struct race *race = context;
    unsigned member = atomic_fetch_add(&race->next_member, 1);
    for (unsigned generation = 1; generation <= GENERATIONS; generation++) {
        pthread_barrier_wait(&race->barrier);
        gemm_run_member(race->gemm, member, generation);
    }
    return NULL;
}

TEST(a_team_draws_each_piece_once)
{
    const struct schedule schedule = {.kind = SCHEDULE_DYNAMIC, .tail_share = 1};
    struct kernel kernel = scalar_kernel();
    struct trial trial = trial_make_scheduled(&kernel, 4 * 150, 9, 4, RACERS, &schedule);
    struct race race = {.gemm = &trial.gemm};
    pthread_t threads[RACERS];
    uint64_t drawn = 0;
    pthread_barrier_init(&race.barrier, NULL, RACERS);
    for (unsigned t = 0; t < RACERS; t++)
        assert_int_equal(pthread_create(&threads[t], NULL, draw_all, &race), 0);
    for (unsigned t = 0; t < RACERS; t++) {
        pthread_join(threads[t], NULL);
        drawn += trial.gemm.members[t].pieces;
    }
    pthread_barrier_destroy(&race.barrier);
    assert_int_equal(wrong_results(&trial), 0);
    assert_int_equal(drawn, GENERATIONS * trial.gemm.tail.pieces);
    trial_release(&trial);
}

TEST(verification_looks_at_what_was_drawn)
{
    const struct schedule schedule = {.kind = SCHEDULE_DYNAMIC, .weights = uneven, .tail_share = 0.5};
    struct kernel kernel = scalar_kernel();
    struct trial trial = trial_make_scheduled(&kernel, 4 * 100, 64, 60, 2, &schedule);
    run_all(&trial.gemm);
    assert_int_equal(verified_wrong(&trial.gemm), 0);
    trial.gemm.out[59 * trial.gemm.out_stride + 4 * 50] += 1; /* first row of the tail */
    assert_true(verified_wrong(&trial.gemm) >= 1);
    trial.gemm.out[59 * trial.gemm.out_stride + 4 * 50] -= 1;
    trial.gemm.out[59 * trial.gemm.out_stride + 399] += 1;
    assert_true(verified_wrong(&trial.gemm) >= 1);
    trial_release(&trial);
}

TEST(what_is_allocated_is_what_is_said)
{
    struct kernel kernel = scalar_kernel();
    struct trial trial = trial_make(&kernel, 64, 100, 8, 2);
    uint64_t stated = gemm_working_bytes(&kernel, 64, 100, 8, 2);
    uint64_t operands = 8 * (128 + 64 * 4 + 8) + kernel_gemm_prepared_bytes(&kernel, 100, 8);
    assert_int_equal(gemm_scratch_bytes(&trial.gemm), 2 * 128);
    assert_int_equal(stated, operands + 2 * (100 + sizeof(struct gemm_member)));
    assert_int_equal(gemm_member_bytes(&trial.gemm, 1), 8 * format_panel_bytes(kernel.format, 100));
    trial_release(&trial);
}

RUN_TESTS(NULL, NULL)
