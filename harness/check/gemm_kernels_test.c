/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every GEMM against the scalar reference of each token: numbers of tokens and panels, odd K, extremes, guard pages on
 * both sides of every operand, junk in scratch and beside the output. Broken ones, each with one fault, show that the
 * checker sees such a fault.
 */
#include "harness/check/item_tests.h"
#include "harness/check/operands/guarded_gemm.h"
#include "harness/team/scalar_gemm.h"

static const size_t tokens_tried[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100};
enum { TOKENS_MOST = 100, ROWS_WANTED = 80, PANELS_LEAST = 3, PANELS_MOST = 7 };

/** An odd number of panels, of few rows together: the reference takes most of the time. */
static size_t panels_of(const struct kernel *kernel)
{
    size_t panels = ROWS_WANTED / kernel->format->rows_per_panel | 1;
    return panels < PANELS_LEAST ? PANELS_LEAST : panels > PANELS_MOST ? PANELS_MOST : panels;
}

/* Weights of the kernels of a format, read once for all of them. */
static struct guarded_kept kept;

static void make(struct guarded_gemm *gemm, const struct kernel *kernel, size_t panels, size_t k, size_t tokens,
                 int guard_at_end)
{
    assert_int_equal(guarded_gemm_make(gemm, kernel, panels, k, tokens, guard_at_end), 0);
    gemm->decoded.kept = &kept;
}

/** Weights that are the same for every kernel of the format. */
static void draw_weights(struct guarded_gemm *gemm, uint64_t seed)
{
    uint64_t random = 2 * (seed << 32 | gemm->k) + gemm->at_end;
    guarded_gemm_weights_random(gemm, &random);
}

static void must_be_right(struct guarded_gemm *gemm, size_t panels, size_t tokens, size_t prefetch_bytes)
{
    struct reference_check check;
    enum call_fault fault = guarded_gemm_run(gemm, panels, tokens, prefetch_bytes, &check);
    if (fault != CALL_CLEAN || check.wrong || check.rows != panels * gemm->kernel->format->rows_per_panel * tokens)
        fail_msg("%s, %zu panels, K = %zu, %zu tokens, guard at the %s: %s, %zu of %zu results wrong, error %g",
                 gemm->called, panels, gemm->k, tokens, gemm->at_end ? "end" : "beginning", call_fault_name(fault),
                 check.wrong, check.rows, reference_error(&check));
}

static void give_tokens(struct guarded_gemm *gemm, enum token_pattern first, uint64_t *random)
{
    enum call_fault fault = guarded_gemm_tokens(gemm, first, random);
    if (fault != CALL_CLEAN)
        fail_msg("prepare() for row(), K = %zu: %s", gemm->k, call_fault_name(fault));
}

/** Every number of tokens with all panels, and every number of panels with some numbers of tokens. */
static void each_number(struct guarded_gemm *gemm)
{
    static const size_t few[] = {1, 5, 16, 33};
    for (size_t i = 0; i < COUNT(tokens_tried); i++)
        must_be_right(gemm, gemm->panels, tokens_tried[i], gemm->kernel->prefetch_bytes);
    for (size_t i = 0; i < COUNT(few); i++) {
        for (size_t panels = 1; panels < gemm->panels; panels++)
            must_be_right(gemm, panels, few[i], gemm->kernel->prefetch_bytes);
    }
}

static void every_number_of_tokens_is_right(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    const struct format *format = kernel->format;
    const size_t steps = format->k_per_step, k_tried[] = {1, 17, 3 * steps + 1, 133, 5 * steps - 1};
    uint64_t random = 1;
    for (int at_end = 0; at_end < 2; at_end++) {
        for (size_t i = 0, former = 0; i < COUNT(k_tried); i++) {
            struct guarded_gemm gemm;
            size_t k = kernel_next_k(kernel, k_tried[i]);
            if (k == former)
                continue;
            former = k;
            make(&gemm, kernel, panels_of(kernel), k, TOKENS_MOST, at_end);
            draw_weights(&gemm, 1);
            give_tokens(&gemm, i % 2 ? TOKEN_RANDOM : TOKEN_RUNS_4, &random);
            each_number(&gemm);
            guarded_gemm_release(&gemm);
        }
    }
}

/** All least, all most, and each half of a panel's rows at one end: the planes of a byte at opposite ends. */
static void extreme_weights_are_right(void **state)
{
    static const size_t tokens[] = {1, 4, 8, 13, 33};
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    float ends[2];
    uint64_t random = 2;
    struct guarded_gemm gemm;
    guarded_extremes(kernel->format, ends);
    make(&gemm, kernel, PANELS_LEAST, kernel_next_k(kernel, 261), 33, 1);
    for (unsigned pair = 0; pair < 4; pair++) {
        assert_int_equal(guarded_gemm_weights_constant(&gemm, ends[pair & 1], ends[pair >> 1]), 0);
        for (unsigned first = TOKEN_LEAST; first <= TOKEN_MOST; first++) {
            give_tokens(&gemm, first, &random);
            for (size_t i = 0; i < COUNT(tokens); i++)
                must_be_right(&gemm, PANELS_LEAST, tokens[i], kernel->prefetch_bytes);
        }
    }
    guarded_gemm_release(&gemm);
}

/** Longer than what a kernel keeps of K at once, and more tokens than it takes at once. */
static void blocks_of_k_and_of_tokens_meet(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    static const struct {
        size_t k, tokens[3];
    } tried[] = {{4353, {1, 5, 19}}, {40, {128, 200, 273}}};
    uint64_t random = 3;
    for (size_t i = 0; i < COUNT(tried); i++) {
        struct guarded_gemm gemm;
        make(&gemm, kernel, PANELS_LEAST, kernel_next_k(kernel, tried[i].k), tried[i].tokens[2], 1);
        draw_weights(&gemm, 2);
        give_tokens(&gemm, TOKEN_RANDOM, &random);
        for (size_t n = 0; n < COUNT(tried[i].tokens); n++)
            must_be_right(&gemm, PANELS_LEAST, tried[i].tokens[n], kernel->prefetch_bytes);
        guarded_gemm_release(&gemm);
    }
}

static bool has_tiles(const struct kernel *kernel)
{
    return strncmp(kernel->isa, "amx", 3) == 0;
}

/** Kernels on tiles divide K, too, where an operand does not stay in a cache: two parts of it, two blocks of rows and ten of tokens. */
static void parts_of_k_add_up(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    enum { ROWS = 33, TOKENS = 289 };
    uint64_t random = 5;
    struct guarded_gemm gemm;
    const size_t panels = (ROWS + kernel->format->rows_per_panel - 1) / kernel->format->rows_per_panel;
    make(&gemm, kernel, panels, kernel_next_k(kernel, 4353), TOKENS, 1);
    draw_weights(&gemm, 5);
    give_tokens(&gemm, TOKEN_RANDOM, &random);
    must_be_right(&gemm, panels, TOKENS, kernel->prefetch_bytes);
    guarded_gemm_release(&gemm);
}

/** At max_k the worst weights and activations still fit, though sums on the way may wrap around. */
static void the_largest_k_is_exact(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    float ends[2];
    struct guarded_gemm gemm;
    size_t granule = kernel->format->k_multiple ? kernel->format->k_multiple : 1;
    /* tiles in software take a hundred times as long: one token, all least and all most will do */
    const size_t tokens = emulator_stands_in(kernel->isa) ? 1 : 3;
    guarded_extremes(kernel->format, ends);
    make(&gemm, kernel, 1, kernel->format->max_k / granule * granule, tokens, 1);
    for (unsigned pattern = TOKEN_LEAST; pattern <= TOKEN_MOST; pattern++) {
        for (unsigned pair = 0; pair < 4; pair += emulator_stands_in(kernel->isa) ? 3 : 1) {
            assert_int_equal(guarded_gemm_weights_constant(&gemm, ends[pair & 1], ends[pair >> 1]), 0);
            guarded_gemm_tokens_constant(&gemm, pattern, ends[pair & 1], ends[pair >> 1]);
            must_be_right(&gemm, 1, tokens, kernel->prefetch_bytes);
        }
    }
    guarded_gemm_release(&gemm);
}

static void any_prefetch_distance_will_do(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    static const size_t distances[] = {0, 1, 64, 2048, 1 << 20, (size_t)1 << 40, SIZE_MAX / 2};
    uint64_t random = 4;
    for (int at_end = 0; at_end < 2; at_end++) {
        struct guarded_gemm gemm;
        make(&gemm, kernel, PANELS_LEAST, kernel_next_k(kernel, 65), 17, at_end);
        draw_weights(&gemm, 3);
        give_tokens(&gemm, TOKEN_RANDOM, &random);
        for (size_t i = 0; i < COUNT(distances); i++)
            must_be_right(&gemm, PANELS_LEAST, 17, distances[i]);
        guarded_gemm_release(&gemm);
    }
}

/** With no token, of several panels and of several pieces of K: what it leaves is what it multiplies with. */
static void unpacks_alone_as_before_it_multiplies(void **state)
{
    const struct kernel *kernel = *state;
    require_isa_or_emulator(kernel->isa);
    static const size_t k_tried[] = {17, 133, 1100};
    uint64_t random = 6;
    for (size_t i = 0; i < 2 * COUNT(k_tried); i++) {
        struct guarded_gemm gemm;
        bool alike;
        size_t k = kernel_next_k(kernel, k_tried[i / 2]);
        make(&gemm, kernel, PANELS_LEAST, k, 1, i % 2);
        draw_weights(&gemm, 4);
        give_tokens(&gemm, TOKEN_RANDOM, &random);
        for (size_t panels = 1; panels <= PANELS_LEAST; panels += PANELS_LEAST - 1) {
            enum call_fault fault = guarded_gemm_unpack(&gemm, panels, &alike);
            if (fault != CALL_CLEAN || !alike)
                fail_msg("%s, %zu panels, K = %zu: %s, unpacked %s", gemm.called, panels, k, call_fault_name(fault),
                         alike ? "alike" : "otherwise");
        }
        guarded_gemm_release(&gemm);
    }
}

/* ---- the checker itself ---- */

static void adds_no_correction(const struct gemm_slice *slice)
{
    static const int32_t none[TOKENS_MOST];
    struct gemm_slice changed = *slice;
    changed.corrections = none;
    scalar_run(&changed);
}

/** Right but for the rounding: one too many. */
static void rounds_twice(const struct gemm_slice *slice)
{
    scalar_run(slice);
    for (size_t token = 0; token < slice->tokens; token++)
        slice->out[token * slice->out_stride] = slice->out[token * slice->out_stride] * 3 * (1.0f / 3);
}

static void swaps_tokens(const struct gemm_slice *slice)
{
    scalar_run(slice);
    if (slice->tokens < 17)
        return;
    float *last = slice->out + (slice->tokens - 1) * slice->out_stride, former = last[0];
    last[0] = slice->out[0];
    slice->out[0] = former;
}

static void adds_to_the_output(const struct gemm_slice *slice)
{
    float former = slice->out[0];
    scalar_run(slice);
    slice->out[0] += former;
}

static void writes_between_rows(const struct gemm_slice *slice)
{
    scalar_run(slice);
    if (slice->tokens > 1 && slice->panels * SCALAR_ROWS < slice->out_stride)
        slice->out[slice->panels * SCALAR_ROWS] = 0;
}

static void writes_past_the_output(const struct gemm_slice *slice)
{
    scalar_run(slice);
    slice->out[(slice->tokens - 1) * slice->out_stride + slice->panels * SCALAR_ROWS] = 0;
}

static void writes_past_scratch(const struct gemm_slice *slice)
{
    scalar_run(slice);
    ((uint8_t *)slice->scratch)[(slice->k + 63) / 64 * 64] = 0;
}

static void writes_just_past_scratch(const struct gemm_slice *slice)
{
    scalar_run(slice);
    if (slice->k % 64)
        ((uint8_t *)slice->scratch)[slice->k] = 0;
}

static void reads_scratch(const struct gemm_slice *slice)
{
    uint8_t former = *(const uint8_t *)slice->scratch;
    scalar_run(slice);
    if (former == 0xff)
        slice->out[0] += 1;
}

static void reads_past_weights(const struct gemm_slice *slice)
{
    scalar_run(slice);
    (void)*(volatile const uint8_t *)(slice->weights + slice->panels * slice->panel_bytes);
}

static void reads_past_scales(const struct gemm_slice *slice)
{
    scalar_run(slice);
    (void)*(volatile const float *)(slice->scales + slice->tokens);
}

static void reads_before_activations(const struct gemm_slice *slice)
{
    scalar_run(slice);
    (void)*(volatile const int8_t *)(slice->activations - 1);
}

static void reads_past_prepared(const struct gemm_slice *slice)
{
    scalar_run(slice);
    size_t groups = (slice->tokens + SCALAR_GROUP - 1) / SCALAR_GROUP;
    (void)*((volatile const uint8_t *)slice->prepared + groups * scalar_prepared_bytes(slice->k));
}

static void writes_corrections(const struct gemm_slice *slice)
{
    scalar_run(slice);
    *(volatile int32_t *)(uintptr_t)slice->corrections = 0;
}

static void prepares_too_much(const void *activations, size_t stride, size_t k, size_t tokens, void *prepared)
{
    scalar_prepare_many(activations, stride, k, tokens, prepared);
    ((uint8_t *)prepared)[scalar_prepared_bytes(k)] = 0;
}

static const struct fake {
    const char *name;
    void (*run)(const struct gemm_slice *slice);
    enum call_fault fault; /* CALL_CLEAN: it is wrong */
    int guard_at_end;
} fakes[] = {
    {"adds no correction", adds_no_correction, CALL_CLEAN, 1},
    {"rounds twice", rounds_twice, CALL_CLEAN, 1},
    {"swaps tokens", swaps_tokens, CALL_CLEAN, 1},
    {"adds to the output", adds_to_the_output, CALL_CLEAN, 1},
    {"writes between rows", writes_between_rows, CALL_WROTE_OUTSIDE, 1},
    {"writes past the output", writes_past_the_output, CALL_SEGV, 1},
    {"writes past scratch", writes_past_scratch, CALL_SEGV, 1},
    {"writes just past scratch", writes_just_past_scratch, CALL_WROTE_OUTSIDE, 0},
    {"reads scratch", reads_scratch, CALL_CLEAN, 1},
    {"reads past weights", reads_past_weights, CALL_SEGV, 1},
    {"reads past scales", reads_past_scales, CALL_SEGV, 1},
    {"reads before activations", reads_before_activations, CALL_SEGV, 0},
    {"reads past what is prepared", reads_past_prepared, CALL_SEGV, 1},
    {"writes corrections", writes_corrections, CALL_SEGV, 1},
};

/** The worst of some numbers of tokens. */
static enum call_fault try_all(const struct kernel *kernel, int at_end, size_t *wrong)
{
    static const size_t tokens[] = {1, 3, 4, 17};
    enum call_fault worst = CALL_CLEAN;
    uint64_t random = 5;
    struct guarded_gemm gemm;
    make(&gemm, kernel, 3, 17, 17, at_end);
    draw_weights(&gemm, 5);
    give_tokens(&gemm, TOKEN_RANDOM, &random);
    for (size_t i = 0; i < COUNT(tokens); i++) {
        struct reference_check check;
        enum call_fault fault = guarded_gemm_run(&gemm, 3, tokens[i], 0, &check);
        worst = fault != CALL_CLEAN ? fault : worst;
        *wrong += check.wrong;
    }
    guarded_gemm_release(&gemm);
    return worst;
}

static void is_judged_rightly(void **state)
{
    const struct fake *fake = *state;
    struct kernel kernel = scalar_kernel();
    size_t wrong = 0;
    kernel.gemm.run = fake->run;
    assert_int_equal(try_all(&kernel, fake->guard_at_end, &wrong), fake->fault);
    assert_true(fake->fault != CALL_CLEAN || wrong > 0);
}

static void a_prepare_that_writes_too_much_is_seen(void **state)
{
    (void)state;
    struct kernel kernel = scalar_kernel();
    size_t wrong = 0;
    kernel.gemm.prepare_many = prepares_too_much;
    assert_int_equal(try_all(&kernel, 1, &wrong), CALL_WROTE_OUTSIDE);
    assert_int_equal(try_all(&kernel, 0, &wrong), CALL_WROTE_OUTSIDE);
}

static void floats_are_off(const struct gemm_slice *slice)
{
    scalar_run_floats(slice);
    slice->out[0] *= 1.0001f;
}

static void floats_are_held_to_their_bound(void **state)
{
    (void)state;
    struct kernel kernel = scalar_float_kernel();
    size_t wrong = 0;
    kernel.gemm.run = floats_are_off;
    assert_int_equal(try_all(&kernel, 1, &wrong), CALL_CLEAN);
    assert_true(wrong > 0);
}

/** Scratch of scalar_run: what it unpacks goes there, or would. */
static void unpacks_nothing(const struct gemm_slice *slice)
{
    if (slice->tokens)
        scalar_run(slice);
}

static void unpacks_otherwise(const struct gemm_slice *slice)
{
    if (slice->tokens)
        scalar_run(slice);
    else
        memset(slice->scratch, 1, slice->k);
}

static void unpacks_past_scratch(const struct gemm_slice *slice)
{
    if (slice->tokens)
        scalar_run(slice);
    else
        memset(slice->scratch, 0, slice->k + 1);
}

static void unpacking_otherwise_or_not_at_all_is_seen(void **state)
{
    (void)state;
    static const struct {
        void (*run)(const struct gemm_slice *slice);
        enum call_fault fault;
    } broken[] = {
        {unpacks_nothing, CALL_CLEAN}, {unpacks_otherwise, CALL_CLEAN}, {unpacks_past_scratch, CALL_WROTE_OUTSIDE}};
    for (size_t i = 0; i < COUNT(broken); i++) {
        struct kernel kernel = scalar_kernel();
        struct guarded_gemm gemm;
        uint64_t random = 7;
        bool alike = true;
        kernel.gemm.run = broken[i].run;
        make(&gemm, &kernel, 3, 17, 1, 0);
        draw_weights(&gemm, 6);
        give_tokens(&gemm, TOKEN_RANDOM, &random);
        assert_int_equal(guarded_gemm_unpack(&gemm, 3, &alike), broken[i].fault);
        assert_false(alike);
        guarded_gemm_release(&gemm);
    }
}

static void add_kernel(struct item_tests *suite, const struct kernel *kernel)
{
    item_tests_add(suite, kernel->name, "is right for every number of tokens", every_number_of_tokens_is_right, kernel);
    item_tests_add(suite, kernel->name, "extreme weights are right", extreme_weights_are_right, kernel);
    item_tests_add(suite, kernel->name, "blocks of K and of tokens meet", blocks_of_k_and_of_tokens_meet, kernel);
    if (has_tiles(kernel))
        item_tests_add(suite, kernel->name, "parts of K add up", parts_of_k_add_up, kernel);
    if (kernel->gives == KERNEL_GIVES_INT32)
        item_tests_add(suite, kernel->name, "the largest K is exact", the_largest_k_is_exact, kernel);
    item_tests_add(suite, kernel->name, "any prefetch distance will do", any_prefetch_distance_will_do, kernel);
    if (kernel->gemm.unpacks_alone)
        item_tests_add(suite, kernel->name, "unpacks alone as before it multiplies",
                       unpacks_alone_as_before_it_multiplies, kernel);
}

int main(void)
{
    static struct item_tests suite;
    static struct kernel scalar, floats;
    scalar = scalar_kernel();
    floats = scalar_float_kernel();
    add_kernel(&suite, &scalar);
    add_kernel(&suite, &floats);
    for (size_t i = 0; i < COUNT(fakes); i++)
        item_tests_add(&suite, "checker:", fakes[i].name, is_judged_rightly, &fakes[i]);
    item_tests_add(&suite, "checker:", "prepares too much", a_prepare_that_writes_too_much_is_seen, NULL);
    item_tests_add(&suite, "checker:", "floats are off", floats_are_held_to_their_bound, NULL);
    item_tests_add(&suite, "checker:", "unpacks otherwise or not at all", unpacking_otherwise_or_not_at_all_is_seen,
                   NULL);
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if ((*kernel)->gemm.run)
            add_kernel(&suite, *kernel);
    }
    int failed = item_tests_run("GEMM kernels", &suite);
    guarded_kept_release(&kept);
    return failed;
}
