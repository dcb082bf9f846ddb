/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slow: a model with every format is ten seconds.
 * steady: a member that waits leaves its CPU to the other.
 *
 * Passes of a small model against the scalar one: with every format, alone and as a team, and wrong ones are seen to be.
 */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/decode/decode_check.h"
#include "harness/decode/testing.h"
#include "unit_test.h"

/** A pass and all that it needs. */
struct trial {
    struct decode_weights weights;
    struct decode_cache cache;
    struct decode_pass *pass;
    struct decode_ticks ticks;
    double *expected;
};

static void open_trial(struct trial *trial, struct bench *bench, const struct decode_weights_request *request,
                       size_t positions, const struct decode_code *code)
{
    char why[256];
    *trial = (struct trial){.pass = NULL};
    assert_int_equal(decode_weights_accepted(request, why, sizeof why), 0);
    assert_int_equal(decode_weights_open(&trial->weights, request, bench->team), 0);
    assert_int_equal(decode_cache_open(&trial->cache, code->part[LAYER_ATTENTION]->attention.cache, request->facts, 1,
                                       request->facts->layers, &(struct decode_lengths){1, {positions}}, bench->team,
                                       9),
                     0);
    assert_int_equal(
        decode_pass_open(&trial->pass, &trial->weights.model, &trial->cache, code, bench->team, why, sizeof why), 0);
    trial->expected = calloc(request->facts->vocabulary, sizeof *trial->expected);
    assert_non_null(trial->expected);
}

static void close_trial(struct trial *trial)
{
    decode_pass_close(trial->pass);
    decode_cache_release(&trial->cache);
    decode_weights_release(&trial->weights);
    free(trial->expected);
}

static void run(void *context, unsigned member)
{
    struct trial *trial = context;
    decode_pass_run(trial->pass, member, &trial->ticks);
}

/** How far a pass is from the scalar one of perhaps another model. */
static double distance_of(struct trial *trial, struct bench *bench, const struct decode_model *scalar)
{
    team_run(bench->team, run, trial);
    assert_int_equal(decode_check_logits(scalar, &trial->cache, 0, team_threads(bench->team), trial->expected), 0);
    return decode_check_distance(decode_pass_logits(trial->pass), trial->expected, scalar->head.m);
}

/** The least of some draws of weights: one may have an activation that lies between two int8 values. */
static double distance(struct bench *bench, const struct model *facts, const struct kernel *kernel, size_t positions,
                       const struct decode_code *code)
{
    double least = INFINITY;
    for (uint64_t draw = 0; draw < DECODE_CHECK_DRAWS && least > DECODE_CHECK_BOUND; draw++) {
        struct trial trial;
        struct decode_weights_request request = request_of(facts, kernel, 0);
        request.seed += draw;
        open_trial(&trial, bench, &request, positions, code);
        least = fmin(least, distance_of(&trial, bench, &trial.weights.model));
        close_trial(&trial);
    }
    return least;
}

static void formats_on(struct bench *bench, unsigned threads)
{
    struct model facts = small;
    facts.layers = 1; /* that layers follow each other is the same code with every format */
    with_team(bench, threads);
    for (const struct format *const *format = format_all(); *format; format++) {
        const struct kernel *kernel = best_of(*format, false);
        double apart = kernel ? distance(bench, &facts, kernel, 77, &bench->best) : 0;
        if (!(apart <= DECODE_CHECK_BOUND))
            fail_msg("%s on %u threads: %g away", kernel->name, threads, apart);
    }
    end_team(bench);
}

TEST(every_format_alone)
{
    formats_on(*state, 1);
}

TEST(every_format_as_a_team_of_two)
{
    formats_on(*state, 2);
}

static void caches_on(struct bench *bench, unsigned threads)
{
    static const size_t positions[] = {1, 64, 201}; /* no tile, one, and some that members share */
    const struct kernel *kernel = any_kernel(KERNEL_TAKES_F32, false);
    with_team(bench, threads);
    for (const struct layer_kernel *const *at = layer_kernel_all(); *at; at++) {
        struct decode_code code = bench->best;
        code.part[LAYER_ATTENTION] = *at;
        for (size_t i = 0; (*at)->part == LAYER_ATTENTION && runs_here((*at)->isa) && i < 6; i++) {
            double apart = distance(bench, i % 2 ? &small : &odd, kernel, positions[i / 2], &code);
            if (!(apart <= DECODE_CHECK_BOUND))
                fail_msg("%s on %u threads, %zu positions: %g away", (*at)->name, threads, positions[i / 2], apart);
        }
    }
    end_team(bench);
}

TEST(every_cache_alone)
{
    caches_on(*state, 1);
}

TEST(every_cache_as_a_team_of_two)
{
    caches_on(*state, 2);
}

/* A check that cannot fail checks nothing: what is read is what the cache has. */
TEST_GIVEN(other_values_of_a_cache_are_seen, struct bench *bench)
{
    struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_F32, false), 0);
    with_team(bench, 1);
    for (const struct layer_kernel *const *at = layer_kernel_all(); *at; at++) {
        struct decode_code code = bench->best;
        struct trial trial;
        if ((*at)->part != LAYER_ATTENTION || !runs_here((*at)->isa))
            continue;
        code.part[LAYER_ATTENTION] = *at;
        open_trial(&trial, bench, &request, 70, &code);
        assert_true(distance_of(&trial, bench, &trial.weights.model) <= DECODE_CHECK_BOUND);
        uint8_t *values = decode_cache_values(&trial.cache, 1, &trial.cache.pieces[0]);
        for (size_t i = 0; i < 256; i++)
            values[i] ^= 0x88; /* of floats the signs, of integers half of what there is */
        assert_int_equal(decode_check_logits(&trial.weights.model, &trial.cache, 0, 1, trial.expected), 0);
        assert_true(decode_check_distance(decode_pass_logits(trial.pass), trial.expected, small.vocabulary) >
                    DECODE_CHECK_BOUND);
        close_trial(&trial);
    }
    end_team(bench);
}

/**
 * Matrices with an order of column groups: activations are brought into it for kernels of floats and of int8, with an operand or without, and
 * the pass is another one than that of the same bytes without an order.
 */
TEST_GIVEN(column_groups_have_an_order, struct bench *bench)
{
    const struct kernel *const given[] = {any_kernel(KERNEL_TAKES_F32, false), any_kernel(KERNEL_TAKES_INT8, false)};
    with_team(bench, 2);
    for (size_t i = 0; i < 2; i++) {
        struct format format = *given[i]->format;
        struct kernel ordered = *given[i];
        struct trial trial;
        struct decode_weights_request request = request_of(&small, &ordered, 0),
                                      plain = request_of(&small, given[i], 0);
        format.order_columns = format.k_per_step;
        ordered.format = &format;
        assert_true(distance(bench, &small, &ordered, 33, &bench->best) <= DECODE_CHECK_BOUND);
        open_trial(&trial, bench, &request, 33, &bench->best);
        team_run(bench->team, run, &trial);
        struct trial without;
        open_trial(&without, bench, &plain, 33, &bench->best);
        assert_true(distance_of(&without, bench, &trial.weights.model) > DECODE_CHECK_BOUND);
        close_trial(&without);
        close_trial(&trial);
    }
    end_team(bench);
}

static void pass_over(void *context, const struct kernel *kernel, unsigned member)
{
    (void)context, (void)kernel, (void)member;
}

static void pass_over_results(void *context, const void *results, size_t bytes)
{
    (void)context, (void)results, (void)bytes;
}

static const struct pass_hooks watched = {pass_over, pass_over, pass_over_results, NULL};

/** Layers that take turns have one set of GEMVs, whose partial sums and pieces are each layer's own. */
TEST_GIVEN(shares_by_weight_and_drawn_pieces_are_the_same_model, struct bench *bench)
{
    static const double weights[] = {1, 0.4}, speeds[] = {1, 0.5};
    static const struct schedule schedules[] = {
        {.kind = SCHEDULE_STATIC, .weights = NULL, .tail_share = 0},
        {.kind = SCHEDULE_WEIGHTED, .weights = weights, .tail_share = 0},
        {.kind = SCHEDULE_DYNAMIC, .weights = weights, .tail_share = SCHEDULE_TAIL_SHARE},
        {.kind = SCHEDULE_DYNAMIC, .tail_share = 1}};
    const struct kernel *const kernels[] = {any_kernel(KERNEL_TAKES_F32, false), any_kernel(KERNEL_TAKES_INT8, false)};
    with_team(bench, 2);
    for (size_t i = 0; i < 2 * sizeof schedules / sizeof *schedules; i++) {
        struct trial trial;
        struct decode_weights_request request = request_of(&small, kernels[i % 2], 0);
        request.distinct = 1;
        request.schedule = request.head_schedule = schedules[i / 2];
        request.speeds = i / 2 == 2 ? speeds : NULL;
        open_trial(&trial, bench, &request, 33, &bench->best);
        double watched_apart = -1;
        for (int again = 0; again < 5; again++) {
            watched_pass_watch(decode_pass_watched(trial.pass), again % 2 ? &watched : NULL);
            double apart = distance_of(&trial, bench, &trial.weights.model);
            if (!(apart <= DECODE_CHECK_BOUND))
                fail_msg("%s, %s: %g away", kernels[i % 2]->name, schedule_name(schedules[i / 2].kind), apart);
            if (again % 2 && watched_apart >= 0)
                assert_true(apart == watched_apart); /* bit for bit, also of floats */
            watched_apart = again % 2 ? apart : watched_apart;
        }
        watched_pass_watch(decode_pass_watched(trial.pass), NULL);
        struct reference_check check;
        int role;
        assert_int_equal(watched_pass_verify(decode_pass_watched(trial.pass), 3, &check, &role), 0);
        assert_int_equal(check.wrong, 0);
        close_trial(&trial);
    }
    end_team(bench);
}

/** The kernel that takes any K and leaves the fewest or the most results of so many rows. */
static const struct kernel *padded_kernel(size_t m, bool most)
{
    const struct kernel *found = NULL;
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        const struct format *format = (*at)->format;
        if (!(*at)->gemv || format->k_multiple || !runs_here((*at)->isa) || kernel_accepts(*at, m, 64, NULL, 0))
            continue;
        size_t rows = format_panels(format, m) * format->rows_per_panel;
        size_t other = found ? format_panels(found->format, m) * found->format->rows_per_panel : rows;
        found = !found || (most ? rows > other : rows < other) ? *at : found;
    }
    return found;
}

/* Layers share the memory of their results, of which a kernel may fill more than another. */
TEST_GIVEN(results_of_all_layers_end_before_what_is_marked, struct bench *bench)
{
    const struct kernel *kernel[2 * DECODE_ROLES + 1], *few = padded_kernel(odd.ffn, false);
    const struct decode_given given = {.kernel = kernel};
    struct decode_weights_request request = request_of(&odd, few, 0);
    struct trial trial;
    assert_non_null(few);
    for (size_t i = 0; i < 2 * DECODE_ROLES; i++)
        kernel[i] = i / DECODE_ROLES ? padded_kernel(odd.ffn, true) : few;
    kernel[2 * DECODE_ROLES] = few;
    request.given = &given;
    with_team(bench, 1);
    open_trial(&trial, bench, &request, 9, &bench->best);
    watched_pass_watch(decode_pass_watched(trial.pass), &watched);
    team_run(bench->team, run, &trial);
    assert_false(watched_pass_overran(decode_pass_watched(trial.pass)));
    close_trial(&trial);
    end_team(bench);
}

/* Floats differ by rounding alone, far below what a moved activation does. */
TEST_GIVEN(odd_sides_and_short_caches, struct bench *bench)
{
    const struct kernel *kernel = any_kernel(KERNEL_TAKES_F32, false), *integers = any_kernel(KERNEL_TAKES_INT8, false);
    for (unsigned threads = 1; threads <= 2; threads++) {
        with_team(bench, threads);
        for (size_t positions = 1; positions <= 5; positions += 2) {
            assert_true(distance(bench, &odd, kernel, positions, &bench->best) < 1e-4);
            assert_true(distance(bench, &odd, integers, positions, &bench->best) < DECODE_CHECK_BOUND);
        }
        assert_true(distance(bench, &odd, kernel, 200, &bench->plainest) < 1e-4);
        end_team(bench);
    }
}

TEST_GIVEN(a_pass_again_gives_the_same, struct bench *bench)
{
    struct trial trial;
    const struct kernel *kernel = any_kernel(KERNEL_TAKES_INT8, false);
    struct decode_weights_request request = request_of(&small, kernel, 0);
    with_team(bench, 2);
    open_trial(&trial, bench, &request, 33, &bench->best);
    float first[321];
    team_run(bench->team, run, &trial);
    memcpy(first, decode_pass_logits(trial.pass), sizeof first);
    size_t joins = decode_pass_joins(trial.pass), stamps = decode_pass_stamps(trial.pass);
    for (int again = 0; again < 20; again++)
        team_run(bench->team, run, &trial);
    assert_memory_equal(first, decode_pass_logits(trial.pass), sizeof first);
    assert_int_equal(decode_pass_joins(trial.pass), joins);
    assert_int_equal(decode_pass_stamps(trial.pass), stamps);
    for (int part = 0; part < DECODE_PARTS; part++)
        assert_true(trial.ticks.of[part] > 0);
    struct reference_check check;
    int role;
    assert_int_equal(watched_pass_verify(decode_pass_watched(trial.pass), 3, &check, &role), 0);
    assert_int_equal(check.wrong, 0);
    assert_true(check.rows > small.vocabulary);
    ((uint8_t *)(uintptr_t)trial.weights.model.layer[2].matrix[DECODE_DOWN].stretch[1])[70] ^= 0x5a;
    assert_int_equal(watched_pass_verify(decode_pass_watched(trial.pass), 3, &check, &role), 0);
    assert_true(check.wrong > 0);
    assert_int_equal(role, DECODE_DOWN);
    close_trial(&trial);
    end_team(bench);
}

/* A check that cannot fail checks nothing: each of these is one thing that a pass could do wrong. */
TEST_GIVEN(wrong_passes_are_far_away, struct bench *bench)
{
    struct trial trial;
    struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_INT8, false), 0);
    with_team(bench, 2);
    open_trial(&trial, bench, &request, 40, &bench->best);
    const struct decode_model right = trial.weights.model;
    assert_true(distance_of(&trial, bench, &right) < DECODE_CHECK_BOUND);
    struct decode_model wrong = right;
    wrong.facts.rope_base = 9000;
    assert_true(distance_of(&trial, bench, &wrong) > DECODE_CHECK_BOUND);
    wrong = right;
    wrong.facts.activation = LAYER_RELU2;
    assert_true(distance_of(&trial, bench, &wrong) > DECODE_CHECK_BOUND);
    wrong = right;
    wrong.facts.layers = 2;
    assert_true(distance_of(&trial, bench, &wrong) > DECODE_CHECK_BOUND);
    wrong = right;
    wrong.last_gain = right.layer[0].gain[0];
    assert_true(distance_of(&trial, bench, &wrong) > DECODE_CHECK_BOUND);
    for (int role = 0; role < DECODE_ROLES; role++) {
        struct decode_layer layers[3] = {right.layer[0], right.layer[1], right.layer[2]};
        layers[1].matrix[role].scale *= 1.25f;
        wrong = right;
        wrong.layer = layers;
        if (!(distance_of(&trial, bench, &wrong) > DECODE_CHECK_BOUND))
            fail_msg("a wrong scale of %s is not seen", decode_role_name(role));
    }
    close_trial(&trial);
    end_team(bench);
}

TEST_GIVEN(fewer_layers_take_turns, struct bench *bench)
{
    struct trial trial;
    struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_INT8, false), 0);
    request.distinct = 2;
    with_team(bench, 2);
    open_trial(&trial, bench, &request, 40, &bench->best);
    assert_true(distance_of(&trial, bench, &trial.weights.model) < DECODE_CHECK_BOUND);
    close_trial(&trial);
    end_team(bench);
}

TEST_GIVEN(a_request_is_checked_on_a_reduced_model, struct bench *bench)
{
    struct model facts, reduced;
    char why[256];
    double apart;
    with_team(bench, 2);
    assert_int_equal(model_find("llama3-8b", &facts, why, sizeof why), 0);
    for (const struct format *const *format = format_all(); *format; format++) {
        const struct kernel *kernel = best_of(*format, false);
        if (!kernel)
            continue;
        struct decode_weights_request request = request_of(&facts, kernel, 0);
        if (decode_weights_accepted(&request, why, sizeof why))
            continue;
        assert_int_equal(decode_check_reduce(&request, &reduced, why, sizeof why), 0);
        assert_int_equal(reduced.heads / reduced.kv_heads, 4);
        assert_int_equal(reduced.head_size, 128);
        assert_true(reduced.hidden <= 1024 && reduced.ffn <= 1024 && reduced.kv_heads >= 2);
    }
    struct decode_weights_request request = request_of(&facts, any_kernel(KERNEL_TAKES_INT8, false), 0);
    assert_int_equal(decode_check(&request, &bench->best, bench->team, &apart, why, sizeof why), 0);
    assert_true(apart < DECODE_CHECK_BOUND);
    end_team(bench);
}

TEST_GIVEN(what_a_format_cannot_hold_is_refused, struct bench *bench)
{
    const struct kernel *picky = NULL;
    char why[256] = "";
    for (const struct format *const *format = format_all(); *format && !picky; format++)
        picky = (*format)->k_multiple > 32 ? best_of(*format, false) : NULL;
    skip_if(!picky, "not on this machine: no kernel of a format that wants certain K runs here");
    struct decode_weights_request request = request_of(&odd, picky, 0);
    assert_int_equal(decode_weights_accepted(&request, why, sizeof why), -EINVAL);
    assert_non_null(strstr(why, picky->format->name));
    assert_non_null(strstr(why, "matrix q of odd"));

    struct model heads = small;
    struct decode_weights weights;
    struct decode_cache cache;
    struct decode_pass *pass = NULL;
    heads.heads = 7; /* do not share two heads */
    with_team(bench, 1);
    request = request_of(&heads, any_kernel(KERNEL_TAKES_INT8, false), 0);
    assert_int_equal(decode_weights_open(&weights, &request, bench->team), 0);
    assert_int_equal(
        decode_cache_open(&cache, LAYER_CACHE_BF16, &heads, 1, 3, &(struct decode_lengths){1, {4}}, bench->team, 1), 0);
    assert_int_equal(decode_pass_open(&pass, &weights.model, &cache, &bench->best, bench->team, why, sizeof why),
                     -EINVAL);
    assert_null(pass);
    assert_non_null(strstr(why, "7 heads"));
    decode_cache_release(&cache);
    decode_weights_release(&weights);
    end_team(bench);
}

/* Members' pieces are the whole line, in order, each once. */
TEST_GIVEN(a_cache_is_dealt_evenly, struct bench *bench)
{
    struct decode_cache cache;
    with_team(bench, 2);
    struct model facts = small;
    facts.kv_heads = 3;
    facts.heads = 6;
    assert_int_equal(
        decode_cache_open(&cache, LAYER_CACHE_BF16, &facts, 1, 2, &(struct decode_lengths){1, {7}}, bench->team, 1), 0);
    size_t at = 0;
    for (size_t i = 0; i < cache.first_piece[2]; i++) {
        assert_int_equal(cache.pieces[i].head * 7 + cache.pieces[i].first, at);
        at += cache.pieces[i].positions;
    }
    assert_int_equal(at, 21);
    assert_int_equal(cache.tiles[0], 10);
    assert_int_equal(cache.tiles[1], 11);
    assert_int_equal(cache.head_piece[1], 1);
    assert_int_equal(cache.head_piece[2], 3); /* the second head is cut */
    assert_int_equal(decode_cache_newest(&cache, 1)->member, 1);
    const uint16_t *values = decode_cache_keys(&cache, 0, &cache.pieces[0]);
    for (size_t i = 0; i < 2 * 2 * 10 * cache.row_values; i++)
        assert_true((values[i] & 0x7fff) < 0x3f80); /* a number below 1 */
    decode_cache_release(&cache);
    end_team(bench);
}

/** Counts bytes, each once. */
static void count_bytes(const void *context, const uint8_t *place, size_t bytes)
{
    atomic_size_t *sum = (atomic_size_t *)(uintptr_t)context;
    uint8_t any = 0;
    for (size_t i = 0; i < bytes; i++)
        any |= place[i];
    *sum += bytes + (any == 0 && bytes > 100);
}

/** A type that no kernel takes is read to its last byte; its rows are 0, others are what they would be. */
TEST_GIVEN(a_matrix_that_no_kernel_takes_is_read, struct bench *bench)
{
    struct decode_read read;
    decode_read_describe(&read, "Q_TEST", 32, 22);
    assert_true(decode_is_read(&read.kernel));
    assert_false(decode_is_read(any_kernel(KERNEL_TAKES_F32, false)));
    for (unsigned threads = 1; threads <= 2; threads++) {
        with_team(bench, threads);
        struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_F32, false), 0);
        atomic_size_t sum = 0;
        request.kernel[DECODE_O] = request.kernel[DECODE_UP] = &read.kernel;
        request.reader = (struct decode_reader){count_bytes, &sum};
        struct trial trial;
        open_trial(&trial, bench, &request, 7, &bench->best);
        double apart = distance_of(&trial, bench, &trial.weights.model);
        assert_true(apart <= DECODE_CHECK_BOUND);
        size_t rows = small.layers * (small.hidden * (small.heads * small.head_size) + small.ffn * small.hidden);
        assert_int_equal(sum, rows / 32 * 22);
        struct reference_check check;
        int role;
        assert_int_equal(watched_pass_verify(decode_pass_watched(trial.pass), 1, &check, &role), 0);
        assert_int_equal(check.wrong, 0);
        close_trial(&trial);
        end_team(bench);
    }
}

RUN_TESTS(open_bench, close_bench)
