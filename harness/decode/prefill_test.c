/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slow: a model with every format is ten seconds.
 * steady: a member that waits leaves its CPU to the other.
 *
 * Prompts through a small model against the scalar pass, token by token: with every format, alone and as a team.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/decode/decode_check.h"
#include "harness/decode/prefill_pass.h"
#include "harness/decode/testing.h"
#include "unit_test.h"

/** A pass and all that it needs. */
struct trial {
    struct decode_weights weights;
    struct prefill_pass *pass;
    double *expected;
};

static void open_trial(struct trial *trial, struct bench *bench, const struct decode_weights_request *request,
                       const struct decode_code *code)
{
    char why[256];
    *trial = (struct trial){.pass = NULL};
    if (decode_weights_accepted(request, why, sizeof why))
        fail_msg("%s", why);
    assert_int_equal(decode_weights_open(&trial->weights, request, bench->team), 0);
    assert_int_equal(prefill_pass_open(&trial->pass, &trial->weights.model, NULL, request->tokens,
                                       request->facts->layers, code, bench->team, why, sizeof why),
                     0);
    trial->expected = calloc(request->facts->vocabulary, sizeof *trial->expected);
    assert_non_null(trial->expected);
}

static void close_trial(struct trial *trial)
{
    prefill_pass_close(trial->pass);
    decode_weights_release(&trial->weights);
    free(trial->expected);
}

static void run(void *context, unsigned member)
{
    struct trial *trial = context;
    prefill_pass_run(trial->pass, member, NULL);
}

/** How far a pass is from the scalar one of perhaps another model or number of tokens. */
static double distance_of(struct trial *trial, struct bench *bench, const struct decode_model *scalar, size_t tokens)
{
    team_run(bench->team, run, trial);
    assert_int_equal(prefill_check_logits(scalar, tokens, team_threads(bench->team), trial->expected), 0);
    return decode_check_distance(prefill_pass_logits(trial->pass), trial->expected, scalar->head.m);
}

/**
 * A trial of weights with which the pass is right: with one draw, an activation, key or value may lie between two values of its
 * format. @return the distance of the last draw
 */
static double open_right(struct trial *trial, struct bench *bench, struct decode_weights_request *request,
                         const struct decode_code *code)
{
    for (int draw = 1;; draw++) {
        open_trial(trial, bench, request, code);
        double apart = distance_of(trial, bench, &trial->weights.model, request->tokens);
        if (apart <= DECODE_CHECK_BOUND || draw == DECODE_CHECK_DRAWS)
            return apart;
        close_trial(trial);
        request->seed++;
    }
}

static double distance(struct bench *bench, const struct model *facts, const struct kernel *kernel, size_t tokens,
                       const struct decode_code *code)
{
    struct trial trial;
    struct decode_weights_request request = request_of(facts, kernel, tokens);
    double apart = open_right(&trial, bench, &request, code);
    close_trial(&trial);
    return apart;
}

static void formats_on(struct bench *bench, unsigned threads, size_t tokens)
{
    struct model facts = small;
    facts.layers = 1; /* that layers follow each other is the same code with every format */
    with_team(bench, threads);
    for (const struct format *const *format = format_all(); *format; format++) {
        const struct kernel *kernel = best_of(*format, true);
        double apart = kernel ? distance(bench, &facts, kernel, tokens, &bench->best) : 0;
        if (!(apart <= DECODE_CHECK_BOUND))
            fail_msg("%s on %u threads, %zu tokens: %g away", kernel->name, threads, tokens, apart);
    }
    end_team(bench);
}

TEST(every_format_alone)
{
    formats_on(*state, 1, 2);
}

TEST(every_format_as_a_team_of_two)
{
    formats_on(*state, 2, 5);
}

/** As in decode_test.c. */
TEST_GIVEN(column_groups_have_an_order, struct bench *bench)
{
    const struct kernel *const given[] = {any_kernel(KERNEL_TAKES_F32, true), any_kernel(KERNEL_TAKES_INT8, true)};
    with_team(bench, 2);
    for (size_t i = 0; i < 2; i++) {
        struct format format = *given[i]->format;
        struct kernel ordered = *given[i];
        struct trial trial, without;
        struct decode_weights_request request = request_of(&small, &ordered, 5),
                                      plain = request_of(&small, given[i], 5);
        format.order_columns = format.k_per_step;
        ordered.format = &format;
        assert_true(open_right(&trial, bench, &request, &bench->best) <= DECODE_CHECK_BOUND);
        plain.seed = request.seed;
        open_trial(&without, bench, &plain, &bench->best);
        assert_true(distance_of(&without, bench, &trial.weights.model, 5) > DECODE_CHECK_BOUND);
        close_trial(&without);
        close_trial(&trial);
    }
    end_team(bench);
}

/* A group of tokens and a rest; one token; sides that no vector divides; layers that take turns. */
TEST_GIVEN(odd_sides_and_numbers_of_tokens, struct bench *bench)
{
    static const size_t tokens[] = {1, 3, 23};
    const struct kernel *floats = any_kernel(KERNEL_TAKES_F32, true), *integers = any_kernel(KERNEL_TAKES_INT8, true);
    with_team(bench, 2);
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        assert_true(distance(bench, &odd, floats, tokens[i], &bench->best) <= DECODE_CHECK_BOUND);
        assert_true(distance(bench, &odd, integers, tokens[i], &bench->best) <= DECODE_CHECK_BOUND);
    }
    assert_true(distance(bench, &odd, floats, 4, &bench->plainest) <= DECODE_CHECK_BOUND);
    struct trial trial;
    struct decode_weights_request request = request_of(&small, floats, 3);
    request.distinct = 2;
    double apart = open_right(&trial, bench, &request, &bench->best);
    if (!(apart <= DECODE_CHECK_BOUND))
        fail_msg("%s with layers that take turns: %g away", floats->name, apart);
    close_trial(&trial);
    end_team(bench);
}

/* The last of a prompt of one token is the token of a decode pass over one position. */
TEST_GIVEN(a_prompt_of_one_token_is_a_decoded_one, struct bench *bench)
{
    struct trial trial;
    struct decode_cache cache;
    struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_F32, true), 1);
    double prompt[321], decoded[321];
    with_team(bench, 1);
    open_trial(&trial, bench, &request, &bench->best);
    assert_int_equal(decode_cache_open(&cache, LAYER_CACHE_BF16, &small, 1, small.layers,
                                       &(struct decode_lengths){1, {1}}, bench->team, 1),
                     0);
    assert_int_equal(prefill_check_logits(&trial.weights.model, 1, 1, prompt), 0);
    assert_int_equal(decode_check_logits(&trial.weights.model, &cache, 0, 1, decoded), 0);
    assert_memory_equal(prompt, decoded, sizeof prompt);
    decode_cache_release(&cache);
    close_trial(&trial);
    end_team(bench);
}

TEST_GIVEN(a_pass_again_gives_the_same_and_bad_rows_are_seen, struct bench *bench)
{
    struct trial trial;
    float first[321];
    struct reference_check check;
    int role;
    struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_INT8, true), 9);
    with_team(bench, 2);
    open_trial(&trial, bench, &request, &bench->best);
    team_run(bench->team, run, &trial);
    memcpy(first, prefill_pass_logits(trial.pass), sizeof first);
    for (int again = 0; again < 10; again++)
        team_run(bench->team, run, &trial);
    assert_memory_equal(first, prefill_pass_logits(trial.pass), sizeof first);
    assert_int_equal(watched_pass_verify(prefill_pass_watched(trial.pass), 3, &check, &role), 0);
    assert_int_equal(check.wrong, 0);
    assert_true(check.rows > small.vocabulary);
    ((uint8_t *)(uintptr_t)trial.weights.model.layer[2].matrix[DECODE_DOWN].stretch[1])[70] ^= 0x5a;
    assert_int_equal(watched_pass_verify(prefill_pass_watched(trial.pass), 3, &check, &role), 0);
    assert_true(check.wrong > 0);
    assert_int_equal(role, DECODE_DOWN);
    close_trial(&trial);
    end_team(bench);
}

static size_t stages_of(const struct decode_model *model, size_t layer, struct prefill_stage *stage)
{
    const struct kernel *kernel[DECODE_ROLES];
    for (int role = 0; role < DECODE_ROLES; role++)
        kernel[role] = model->layer[layer].matrix[role].kernel;
    return prefill_layer_stages(&model->facts, kernel, stage);
}

/* As it is timed: every step in pieces, as many as it can be cut into, and some. */
static void run_in_pieces(void *context, unsigned member)
{
    const struct trial *trial = context;
    const struct decode_model *model = &trial->weights.model;
    struct prefill_stage stage[PREFILL_LAYER_STAGES] = {prefill_norm_head, prefill_head};
    prefill_pass_begin(trial->pass, member);
    for (size_t layer = 0; layer <= model->facts.layers; layer++) {
        bool head = layer == model->facts.layers;
        size_t count = head ? 2 : stages_of(model, layer, stage);
        for (size_t i = 0; i < count; i++) {
            const struct prefill_stage *at = head ? i ? &prefill_head : &prefill_norm_head : &stage[i];
            size_t index = head ? 0 : layer, most = prefill_pass_pieces(trial->pass, index, at),
                   pieces = layer % 2 && most > 3 ? 3 : most;
            for (size_t piece = 0; piece < pieces; piece++)
                prefill_pass_step(trial->pass, member, index, at, piece, pieces);
        }
    }
}

static void shares_add_up(const struct trial *trial, size_t layer, const struct prefill_stage *stage)
{
    double sum = 0;
    size_t pieces = prefill_pass_pieces(trial->pass, layer, stage);
    for (size_t piece = 0; piece < pieces; piece++)
        sum += prefill_pass_share(trial->pass, layer, stage, piece, pieces);
    assert_true(fabs(sum - 1) < 1e-9);
}

TEST_GIVEN(pieces_are_the_whole, struct bench *bench)
{
    struct trial trial;
    const enum kernel_takes takes[] = {KERNEL_TAKES_F32, KERNEL_TAKES_INT8};
    const struct model *const facts[] = {&small, &odd};
    with_team(bench, 2);
    for (int i = 0; i < 4; i++) {
        float whole[321];
        struct decode_weights_request request = request_of(facts[i / 2], any_kernel(takes[i % 2], true), 41);
        size_t bytes = facts[i / 2]->vocabulary * sizeof *whole;
        open_trial(&trial, bench, &request, &bench->best);
        team_run(bench->team, run, &trial);
        memcpy(whole, prefill_pass_logits(trial.pass), bytes);
        memset((void *)(uintptr_t)prefill_pass_logits(trial.pass), 0, bytes);
        team_run(bench->team, run_in_pieces, &trial);
        assert_memory_equal(whole, prefill_pass_logits(trial.pass), bytes);
        struct prefill_stage stage[PREFILL_LAYER_STAGES];
        size_t count = stages_of(&trial.weights.model, 1, stage);
        for (size_t at = 0; at < count; at++)
            shares_add_up(&trial, 1, &stage[at]);
        shares_add_up(&trial, 0, &prefill_norm_head);
        shares_add_up(&trial, 0, &prefill_head);
        close_trial(&trial);
    }
    end_team(bench);
}

static void run_head_again(void *context, unsigned member)
{
    const struct trial *trial = context;
    prefill_pass_step(trial->pass, member, 1, &prefill_norm_head, 0, 1);
    prefill_pass_step(trial->pass, member, 1, &prefill_head, 0, 1);
}

/* As it is timed: the head again after the same layers. */
TEST_GIVEN(a_head_again_gives_the_same, struct bench *bench)
{
    struct trial trial;
    float first[321];
    struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_INT8, true), 5);
    with_team(bench, 2);
    open_trial(&trial, bench, &request, &bench->best);
    team_run(bench->team, run, &trial);
    memcpy(first, prefill_pass_logits(trial.pass), sizeof first);
    team_run(bench->team, run_head_again, &trial);
    assert_memory_equal(first, prefill_pass_logits(trial.pass), sizeof first);
    close_trial(&trial);
    end_team(bench);
}

static void prepare_nothing(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    (void)activations, (void)stride, (void)k, (void)tokens, (void)prepared;
}

static size_t bytes_of_operand(size_t k)
{
    return k;
}

/* What is timed step by step is what a layer has. */
TEST(the_steps_of_a_layer_are_those_of_its_model_and_kernel)
{
    struct prefill_stage stage[PREFILL_LAYER_STAGES];
    struct model with_norms = small;
    struct format format = {.name = "of the kernel", .k_per_step = 16};
    struct kernel kernel = {.takes = KERNEL_TAKES_F32, .format = &format};
    const struct kernel *all[DECODE_ROLES] = {&kernel, &kernel, &kernel, &kernel, &kernel, &kernel, &kernel};
    const struct decode_weights_request request = request_of(&small, &kernel, 5);
    size_t count = prefill_layer_stages(&small, all, stage), norms = 0;
    assert_int_equal(count, 9);
    assert_int_equal(prefill_pass_joins(&request), 3 * count + 2);
    for (size_t i = 0; i < count; i++) {
        assert_true(i == 0 || stage[i].step > stage[i - 1].step);
        norms += prefill_step_part(stage[i].step) == DECODE_PART_NORM;
    }
    assert_int_equal(norms, 2);
    kernel.takes = KERNEL_TAKES_INT8;
    assert_int_equal(prefill_layer_stages(&small, all, stage), 13);
    format.order_columns = 16; /* without prepare_many() there is a copy to be made */
    assert_int_equal(prefill_layer_stages(&small, all, stage), 17);
    format.order_columns = 0;
    with_norms.sub_norms = true;
    assert_int_equal(prefill_layer_stages(&with_norms, all, stage), 15);
    assert_int_equal(stage[14].step, PREFILL_DOWN);
    assert_int_equal(prefill_step_part(PREFILL_HEAD), DECODE_PART_HEAD);
}

static void expect_stage(const struct prefill_stage *stage, enum prefill_step step, int first, int last)
{
    assert_int_equal(stage->step, step);
    assert_int_equal(stage->first, first);
    assert_int_equal(stage->last, last);
}

/* v and down of another type: GEMMs of their own, and operands of their own unless both read the same. */
TEST(kernels_that_differ_have_stages_of_their_own)
{
    struct prefill_stage stage[PREFILL_LAYER_STAGES];
    struct format format = {.name = "of both", .k_per_step = 16};
    struct kernel_gemm gemm = {
        .prepare_many = prepare_nothing, .tokens_per_group = 16, .prepared_bytes = bytes_of_operand};
    struct kernel one = {.takes = KERNEL_TAKES_F32, .format = &format, .gemm = gemm}, other = one;
    const struct kernel *mixed[DECODE_ROLES] = {&one, &one, &other, &one, &one, &one, &other};
    assert_true(prefill_shares_operand(&one, &other, 512));
    assert_int_equal(prefill_layer_stages(&small, mixed, stage), 14);
    expect_stage(&stage[1], PREFILL_OPERAND_ATTENTION, DECODE_Q, DECODE_Q);
    expect_stage(&stage[2], PREFILL_QKV, DECODE_Q, DECODE_K);
    expect_stage(&stage[3], PREFILL_QKV, DECODE_V, DECODE_V);
    expect_stage(&stage[10], PREFILL_GATE_UP, DECODE_GATE, DECODE_UP);
    other.gemm.tokens_per_group = 32;
    assert_false(prefill_shares_operand(&one, &other, 512));
    assert_int_equal(prefill_layer_stages(&small, mixed, stage), 15);
    expect_stage(&stage[2], PREFILL_OPERAND_ATTENTION, DECODE_V, DECODE_V);
    other.gemm.prepare_many = NULL;
    other.takes = KERNEL_TAKES_INT8; /* v and down are quantized then, and the others are not */
    assert_int_equal(prefill_layer_stages(&small, mixed, stage), 15);
    expect_stage(&stage[1], PREFILL_QUANTIZE_ATTENTION, 0, 0);
    expect_stage(&stage[2], PREFILL_OPERAND_ATTENTION, DECODE_Q, DECODE_Q);
    mixed[DECODE_K] = &other;
    mixed[DECODE_V] = &one;
    assert_int_equal(prefill_layer_stages(&small, mixed, stage), 16);
    expect_stage(&stage[3], PREFILL_QKV, DECODE_Q, DECODE_Q);
    expect_stage(&stage[5], PREFILL_QKV, DECODE_V, DECODE_V);
}

/** Kernels of a mix: floats and int8, and K-quants where any run. @return how many */
static size_t kernels_to_mix(const struct kernel *kernel[4])
{
    static const char *const quants[] = {"q4_k", "q6_k"};
    size_t count = 2;
    kernel[0] = any_kernel(KERNEL_TAKES_F32, true);
    kernel[1] = any_kernel(KERNEL_TAKES_INT8, true);
    for (size_t i = 0; i < 2; i++) {
        const struct kernel *best = best_of(format_find(quants[i]), true);
        if (best)
            kernel[count++] = best;
    }
    return count;
}

/* Matrices that read the same vector, and layers that follow each other, of any kernels. */
TEST_GIVEN(matrices_may_each_have_a_kernel_of_its_own, struct bench *bench)
{
    const struct kernel *mix[4], *kernel[3 * DECODE_ROLES + 1];
    size_t count = kernels_to_mix(mix);
    with_team(bench, 2);
    for (size_t turn = 0; turn < 2; turn++) {
        const struct decode_given given = {.kernel = kernel};
        struct decode_weights_request request = request_of(&small, mix[0], 11);
        struct trial trial;
        float whole[321];
        for (size_t i = 0; i <= 3 * DECODE_ROLES; i++)
            kernel[i] = mix[(i / DECODE_ROLES + turn + i % DECODE_ROLES * (i % DECODE_ROLES)) % count];
        request.given = &given;
        double apart = open_right(&trial, bench, &request, &bench->best);
        if (!(apart <= decode_check_bound(&request)))
            fail_msg("mix %zu is %g away", turn, apart);
        memcpy(whole, prefill_pass_logits(trial.pass), sizeof whole);
        team_run(bench->team, run_in_pieces, &trial);
        assert_memory_equal(whole, prefill_pass_logits(trial.pass), sizeof whole);
        struct reference_check check;
        int role;
        assert_int_equal(watched_pass_verify(prefill_pass_watched(trial.pass), 3, &check, &role), 0);
        assert_int_equal(check.wrong, 0);
        close_trial(&trial);
    }
    end_team(bench);
}

/* The reduced model has all kernels of a role, and its check sees one whose rows are wrong. */
TEST(the_reduced_model_has_all_kernels)
{
    const struct kernel *mix[4], *kernel[3 * DECODE_ROLES + 1];
    kernels_to_mix(mix);
    const struct decode_given given = {.kernel = kernel};
    struct decode_weights_request request = request_of(&small, mix[0], 3);
    request.given = &given;
    for (size_t i = 0; i <= 3 * DECODE_ROLES; i++)
        kernel[i] = mix[i == 2 * DECODE_ROLES + DECODE_V];
    wrong_kernel_is_seen(*state, &request, &kernel[2 * DECODE_ROLES + DECODE_V]);
}

/* A check that cannot fail checks nothing. */
TEST_GIVEN(wrong_passes_are_far_away, struct bench *bench)
{
    struct trial trial;
    struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_F32, true), 6);
    with_team(bench, 2);
    assert_true(open_right(&trial, bench, &request, &bench->best) <= DECODE_CHECK_BOUND);
    const struct decode_model right = trial.weights.model;
    assert_true(distance_of(&trial, bench, &right, 5) > DECODE_CHECK_BOUND);
    assert_true(distance_of(&trial, bench, &right, 7) > DECODE_CHECK_BOUND);
    struct decode_model wrong = right;
    wrong.facts.rope_base = 5000;
    assert_true(distance_of(&trial, bench, &wrong, 6) > DECODE_CHECK_BOUND);
    for (int role = 0; role < DECODE_ROLES; role++) {
        struct decode_layer layers[3] = {right.layer[0], right.layer[1], right.layer[2]};
        layers[1].matrix[role].scale *= 1.25f;
        wrong = right;
        wrong.layer = layers;
        if (!(distance_of(&trial, bench, &wrong, 6) > DECODE_CHECK_BOUND))
            fail_msg("a wrong scale of %s is not seen", decode_role_name(role));
    }
    close_trial(&trial);
    end_team(bench);
}

/* Kernels that round to bf16 may be further apart, and what is wrong still is further. */
TEST_GIVEN(wrong_passes_of_bf16_are_far_away, struct bench *bench)
{
    const struct kernel *bf16 = best_of(format_find("bf16"), true);
    skip_if(!bf16 || !bf16->row, "not on this machine: no GEMM that rounds to bf16 runs here");
    struct trial trial;
    struct decode_weights_request request = request_of(&small, bf16, 6);
    double bound = decode_check_bound(&request);
    assert_true(bound > DECODE_CHECK_BOUND && bound < 5e-3);
    with_team(bench, 2);
    open_trial(&trial, bench, &request, &bench->best);
    assert_true(distance_of(&trial, bench, &trial.weights.model, 6) <= bound);
    assert_true(distance_of(&trial, bench, &trial.weights.model, 5) > bound);
    struct decode_model wrong = trial.weights.model;
    wrong.facts.rope_base = 5000;
    assert_true(distance_of(&trial, bench, &wrong, 6) > bound);
    close_trial(&trial);
    end_team(bench);
    request.kernel[DECODE_Q] = any_kernel(KERNEL_TAKES_INT8, true);
    for (int role = 0; role < DECODE_ROLES; role++)
        request.kernel[role] = request.kernel[DECODE_Q];
    assert_true(decode_check_bound(&request) == DECODE_CHECK_BOUND);
}

/* Kernels of plug-ins that make 8 bits of their activations by themselves may be further apart, too. */
TEST_GIVEN(wrong_passes_of_coarse_operands_are_far_away, struct bench *bench)
{
    const double of_8_bits = 0.012;
    struct kernel coarse = *any_kernel(KERNEL_TAKES_F32, true);
    coarse.row = NULL;
    coarse.error_bound = of_8_bits;
    struct trial trial;
    struct decode_weights_request request = request_of(&small, &coarse, 6);
    const double bound = decode_check_bound(&request);
    assert_true(bound == DECODE_CHECK_COARSE * of_8_bits);
    with_team(bench, 2);
    open_trial(&trial, bench, &request, &bench->best);
    assert_true(distance_of(&trial, bench, &trial.weights.model, 6) <= bound);
    assert_true(distance_of(&trial, bench, &trial.weights.model, 5) > bound);
    assert_true(distance_of(&trial, bench, &trial.weights.model, 7) > bound);
    struct decode_model wrong = trial.weights.model;
    wrong.facts.activation = LAYER_RELU2;
    assert_true(distance_of(&trial, bench, &wrong, 6) > bound);
    for (int role = DECODE_V; role < DECODE_ROLES; role++) { /* of q and k: nearer than that */
        struct decode_layer layers[3];
        memcpy(layers, trial.weights.model.layer, sizeof layers);
        layers[1].matrix[role].scale *= 1.25f;
        wrong = trial.weights.model;
        wrong.layer = layers;
        if (!(distance_of(&trial, bench, &wrong, 6) > bound))
            fail_msg("a wrong scale of %s is not seen", decode_role_name(role));
    }
    close_trial(&trial);
    end_team(bench);
}

/* As of plug-ins: a member's share of the weights, and the rows of a head, are of as many. */
TEST_GIVEN(panels_may_only_be_taken_together, struct bench *bench)
{
    const enum kernel_takes takes[] = {KERNEL_TAKES_F32, KERNEL_TAKES_INT8};
    struct model facts = small;
    facts.kv_heads = 4;
    facts.vocabulary = 512;
    with_team(bench, 2);
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++) {
        struct kernel together = *any_kernel(takes[i], true);
        together.panels_per_call = 2;
        const struct decode_weights_request request = request_of(&facts, &together, 6);
        double apart = distance(bench, &facts, &together, 6, &bench->best);
        if (!(apart <= decode_check_bound(&request)))
            fail_msg("%s, %u panels at once: %g away", together.name, together.panels_per_call, apart);
    }
    end_team(bench);
}

TEST_GIVEN(what_is_not_dealt_for_it_is_refused, struct bench *bench)
{
    struct decode_weights weights;
    struct prefill_pass *pass = NULL;
    char why[256] = "";
    struct decode_weights_request request = request_of(&small, any_kernel(KERNEL_TAKES_INT8, true), 8);
    with_team(bench, 1);
    assert_int_equal(decode_weights_open(&weights, &request, bench->team), 0);
    assert_int_equal(prefill_pass_open(&pass, &weights.model, NULL, 9, 3, &bench->best, bench->team, why, sizeof why),
                     -EINVAL);
    assert_null(pass);
    assert_non_null(strstr(why, "not all its matrices are assigned for GEMMs with 9 tokens"));
    decode_weights_release(&weights);
    end_team(bench);
}

RUN_TESTS(open_bench, close_bench)
