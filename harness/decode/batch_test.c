/* SPDX-License-Identifier: BSD-3-Clause
 *
 * steady: a member that waits leaves its CPU to the other.
 *
 * The next token of several users at once: each has the logits that it has alone, over its own keys and values.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/decode/decode_check.h"
#include "harness/decode/prefill_pass.h"
#include "harness/decode/testing.h"
#include "unit_test.h"

/* of the users, in turn */
static const struct decode_lengths lengths = {3, {21, 34, 1}};

/** A pass and all that it needs. */
struct trial {
    struct decode_weights weights;
    struct decode_cache cache;
    struct prefill_pass *pass;
    struct decode_ticks ticks;
    double *expected; /* [users][vocabulary] */
};

static struct decode_weights_request batch_of(const struct model *facts, const struct kernel *kernel, size_t users)
{
    struct decode_weights_request request = request_of(facts, kernel, users);
    request.users = true;
    return request;
}

static void open_trial_with(struct trial *trial, struct bench *bench, const struct decode_weights_request *request,
                            const struct decode_code *code)
{
    char why[256];
    *trial = (struct trial){.pass = NULL};
    assert_int_equal(decode_weights_open(&trial->weights, request, bench->team), 0);
    assert_int_equal(decode_cache_open(&trial->cache, code->part[LAYER_ATTENTION]->attention.cache, request->facts,
                                       request->tokens, request->facts->layers, &lengths, bench->team, 9),
                     0);
    assert_int_equal(prefill_pass_open(&trial->pass, &trial->weights.model, &trial->cache, request->tokens,
                                       request->facts->layers, code, bench->team, why, sizeof why),
                     0);
    trial->expected = calloc(request->tokens * request->facts->vocabulary, sizeof *trial->expected);
    assert_non_null(trial->expected);
}

static void open_trial(struct trial *trial, struct bench *bench, const struct decode_weights_request *request)
{
    open_trial_with(trial, bench, request, &bench->best);
}

static void close_trial(struct trial *trial)
{
    prefill_pass_close(trial->pass);
    decode_cache_release(&trial->cache);
    decode_weights_release(&trial->weights);
    free(trial->expected);
}

static void run(void *context, unsigned member)
{
    struct trial *trial = context;
    prefill_pass_run(trial->pass, member, &trial->ticks);
}

/** How far the user is that is furthest from the scalar pass of its token alone, of perhaps another model. */
static double distance_of(struct trial *trial, struct bench *bench, const struct decode_model *scalar, size_t users)
{
    const size_t vocabulary = scalar->head.m;
    double most = 0;
    team_run(bench->team, run, trial);
    for (size_t user = 0; user < users; user++) {
        double *expected = trial->expected + user * vocabulary;
        assert_int_equal(decode_check_logits(scalar, &trial->cache, user, team_threads(bench->team), expected), 0);
        double apart =
            decode_check_distance(prefill_pass_logits(trial->pass) + user * vocabulary, expected, vocabulary);
        most = apart <= most ? most : apart;
    }
    return most;
}

/** A trial of weights with which the pass is right, as in prefill_test.c. @return the distance of the last draw */
static double open_right_with(struct trial *trial, struct bench *bench, struct decode_weights_request *request,
                              const struct decode_code *code, double bound)
{
    for (int draw = 1;; draw++) {
        open_trial_with(trial, bench, request, code);
        double apart = distance_of(trial, bench, &trial->weights.model, request->tokens);
        if (apart <= bound || draw == DECODE_CHECK_DRAWS)
            return apart;
        close_trial(trial);
        request->seed++;
    }
}

static double open_right(struct trial *trial, struct bench *bench, struct decode_weights_request *request)
{
    return open_right_with(trial, bench, request, &bench->best, DECODE_CHECK_BOUND);
}

static void users_on(struct bench *bench, unsigned threads)
{
    static const size_t users[] = {1, 2, 5};
    const enum kernel_takes takes[] = {KERNEL_TAKES_F32, KERNEL_TAKES_INT8};
    const struct model *const facts[] = {&small, &odd};
    with_team(bench, threads);
    for (size_t i = 0; i < 12; i++) {
        struct trial trial;
        struct decode_weights_request request =
            batch_of(facts[i % 2], any_kernel(takes[i / 2 % 2], true), users[i / 4]);
        double apart = open_right(&trial, bench, &request);
        if (!(apart <= DECODE_CHECK_BOUND))
            fail_msg("%s through %s, %zu users on %u threads: %g away", request.head->name, facts[i % 2]->name,
                     users[i / 4], threads, apart);
        close_trial(&trial);
    }
    end_team(bench);
}

TEST(each_user_has_the_logits_that_it_has_alone)
{
    users_on(*state, 1);
}

TEST(so_as_a_team_of_two)
{
    users_on(*state, 2);
}

TEST_GIVEN(so_over_every_cache, struct bench *bench)
{
    struct decode_weights_request request = batch_of(&odd, any_kernel(KERNEL_TAKES_F32, true), 5);
    const double bound = decode_check_bound(&request);
    with_team(bench, 2);
    for (const struct layer_kernel *const *at = layer_kernel_all(); *at; at++) {
        struct decode_code code = bench->best;
        struct trial trial;
        if ((*at)->part != LAYER_ATTENTION || !runs_here((*at)->isa))
            continue;
        code.part[LAYER_ATTENTION] = *at;
        double apart = open_right_with(&trial, bench, &request, &code, bound);
        if (!(apart <= bound))
            fail_msg("%s: %g away", (*at)->name, apart);
        close_trial(&trial);
    }
    end_team(bench);
}

/* The positions of users are one line, however many each has. */
TEST_GIVEN(users_of_several_lengths_are_dealt_evenly, struct bench *bench)
{
    struct decode_cache cache;
    size_t of_head[5 * 8] = {0}, users = 5, all = 21 + 34 + 1 + 21 + 34;
    with_team(bench, 2);
    assert_true(small.kv_heads <= 8);
    assert_int_equal(decode_cache_open(&cache, LAYER_CACHE_BF16, &small, users, 2, &lengths, bench->team, 1), 0);
    for (size_t i = 0; i < cache.first_piece[2]; i++) {
        assert_int_equal(cache.pieces[i].first, of_head[cache.pieces[i].head]);
        of_head[cache.pieces[i].head] += cache.pieces[i].positions;
    }
    for (size_t head = 0; head < users * small.kv_heads; head++)
        assert_int_equal(of_head[head], decode_lengths_of(&lengths, head / small.kv_heads));
    assert_int_equal(cache.tiles[0] + cache.tiles[1], all * small.kv_heads);
    assert_true(cache.tiles[1] - cache.tiles[0] <= 1);
    assert_int_equal(decode_cache_bytes(LAYER_CACHE_BF16, &small, users, 2, &lengths),
                     cache.block[0].length + cache.block[1].length);
    decode_cache_release(&cache);
    end_team(bench);
}

/* A check that cannot fail checks nothing: users differ, and so do their keys and values. */
TEST_GIVEN(users_are_not_taken_for_each_other, struct bench *bench)
{
    struct trial trial;
    struct decode_weights_request request = batch_of(&small, any_kernel(KERNEL_TAKES_F32, true), 3);
    const size_t vocabulary = small.vocabulary;
    with_team(bench, 2);
    assert_true(open_right(&trial, bench, &request) <= DECODE_CHECK_BOUND);
    for (size_t user = 0; user < 3; user++) {
        const float *logits = prefill_pass_logits(trial.pass) + user * vocabulary;
        for (size_t other = 0; other < 3; other++) {
            bool own =
                decode_check_distance(logits, trial.expected + other * vocabulary, vocabulary) <= DECODE_CHECK_BOUND;
            assert_int_equal(own, user == other);
        }
    }
    /* a key of the second user, which the others do not see */
    const struct decode_piece *piece = &trial.cache.pieces[trial.cache.head_piece[small.kv_heads]];
    uint16_t *key = decode_cache_keys(&trial.cache, 1, piece);
    float before[3 * 321];
    memcpy(before, prefill_pass_logits(trial.pass), sizeof before);
    for (size_t i = 0; i < 64; i++)
        key[i] ^= 0x8000;
    team_run(bench->team, run, &trial);
    const float *after = prefill_pass_logits(trial.pass);
    assert_memory_equal(before, after, vocabulary * sizeof *before);
    assert_memory_not_equal(before + vocabulary, after + vocabulary, vocabulary * sizeof *before);
    assert_memory_equal(before + 2 * vocabulary, after + 2 * vocabulary, vocabulary * sizeof *before);
    struct decode_model wrong = trial.weights.model;
    wrong.facts.rope_base = 5000;
    assert_true(distance_of(&trial, bench, &wrong, 3) > DECODE_CHECK_BOUND);
    close_trial(&trial);
    end_team(bench);
}

/* As it is timed: again and again over the same caches; layers and their keys and values take turns; its rows are checked. */
TEST_GIVEN(a_pass_again_gives_the_same_and_bad_rows_are_seen, struct bench *bench)
{
    struct trial trial;
    float first[4 * 321];
    struct reference_check check;
    int role;
    struct decode_weights_request request = batch_of(&small, any_kernel(KERNEL_TAKES_INT8, true), 4);
    request.distinct = 2;
    with_team(bench, 2);
    assert_true(open_right(&trial, bench, &request) <= DECODE_CHECK_BOUND);
    memcpy(first, prefill_pass_logits(trial.pass), sizeof first);
    for (int again = 0; again < 10; again++)
        team_run(bench->team, run, &trial);
    assert_memory_equal(first, prefill_pass_logits(trial.pass), sizeof first);
    assert_int_equal(watched_pass_verify(prefill_pass_watched(trial.pass), 3, &check, &role), 0);
    assert_int_equal(check.wrong, 0);
    ((uint8_t *)(uintptr_t)trial.weights.model.head.stretch[1])[70] ^= 0x5a;
    assert_int_equal(watched_pass_verify(prefill_pass_watched(trial.pass), 3, &check, &role), 0);
    assert_true(check.wrong > 0);
    assert_int_equal(role, DECODE_ROLES);
    close_trial(&trial);
    end_team(bench);
}

/* What a pass is timed by: a reading of the clock for each step, and a meeting more where attention is put together. */
TEST_GIVEN(parts_are_timed_at_the_barriers, struct bench *bench)
{
    struct trial trial;
    struct decode_weights_request request = batch_of(&small, any_kernel(KERNEL_TAKES_F32, true), 2);
    with_team(bench, 2);
    open_trial(&trial, bench, &request);
    team_run(bench->team, run, &trial);
    assert_int_equal(prefill_pass_met(trial.pass), prefill_pass_joins(&request) + small.layers);
    assert_true(prefill_pass_stamps(trial.pass) < prefill_pass_met(trial.pass));
    assert_int_equal(trial.ticks.of[DECODE_PART_QUANTIZE], 0); /* of a kernel of floats */
    for (int part = 0; part < DECODE_PARTS; part++)
        assert_true(part == DECODE_PART_QUANTIZE || part == DECODE_PART_OPERAND || trial.ticks.of[part] > 0);
    close_trial(&trial);
    end_team(bench);
}

TEST(a_batch_is_checked_on_a_reduced_model)
{
    struct decode_weights_request request = batch_of(&small, any_kernel(KERNEL_TAKES_F32, true), 32);
    wrong_kernel_is_seen(*state, &request, &request.head);
}

TEST_GIVEN(weights_of_a_prompt_are_no_batch, struct bench *bench)
{
    struct decode_weights weights;
    struct decode_cache cache;
    struct prefill_pass *pass = NULL;
    char why[256] = "";
    struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_INT8, true), 8);
    with_team(bench, 1);
    assert_int_equal(decode_weights_open(&weights, &request, bench->team), 0);
    assert_int_equal(decode_cache_open(&cache, LAYER_CACHE_BF16, &small, 8, 3, &lengths, bench->team, 1), 0);
    assert_int_equal(prefill_pass_open(&pass, &weights.model, &cache, 8, 3, &bench->best, bench->team, why, sizeof why),
                     -EINVAL);
    assert_null(pass);
    assert_non_null(strstr(why, "not all its matrices are assigned for GEMMs with 8 tokens"));
    decode_cache_release(&cache);
    decode_weights_release(&weights);
    end_team(bench);
}

RUN_TESTS(open_bench, close_bench)
