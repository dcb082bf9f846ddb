/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What lies between the matrices of a layer: every instruction set against the definitions in double, between guard pages.
 */
#include "harness/check/item_tests.h"

#include <math.h>
#include <string.h>

#include "micro/layers/layer.h"
#include "micro/layers/layer_reference.h"
#include "platforms/memory/memory.h"

enum { MOST = 1040, SIZES = 7 };
static const size_t sizes[SIZES] = {1, 2, 15, 16, 17, 100, 1000};

/** [-1, 1) */
static float draw_unit(uint64_t *random)
{
    return (float)(draw(random) >> 40) * 0x1p-23f - 1;
}

static size_t padded(size_t n)
{
    return (n + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD;
}

/** A guarded vector of n values, zero up to its padding: the guard follows right after `room` of them. */
struct vector {
    struct memory_guarded memory;
    float *at;
};

static struct vector vector_of(size_t n, size_t room, float magnitude, uint64_t *random)
{
    struct vector vector;
    assert_int_equal(memory_guarded_reserve(room * sizeof(float), 1, &vector.memory), 0);
    vector.at = vector.memory.bytes;
    memset(vector.at, 0, room * sizeof(float));
    for (size_t i = 0; i < n; i++)
        vector.at[i] = magnitude * draw_unit(random);
    return vector;
}

static void must_be_near(const char *name, const float *is, const double *must, size_t n, double bound)
{
    for (size_t i = 0; i < n; i++) {
        if (!(fabs((double)is[i] - must[i]) <= bound))
            fail_msg("%s: %zu of %zu is %.9g, not %.9g", name, i, n, (double)is[i], must[i]);
    }
}

static void a_norm_is_right(const struct layer_kernel *kernel, size_t n)
{
    uint64_t random = 7 + n;
    struct vector x = vector_of(n, padded(n), 3, &random), gain = vector_of(n, padded(n), 1, &random);
    struct vector y = vector_of(0, padded(n), 1, &random);
    double wide[MOST];
    for (size_t i = 0; i < n; i++)
        wide[i] = (double)x.at[i];
    layer_reference_norm(wide, gain.at, n, 1e-5, wide);
    kernel->norm(x.at, gain.at, n, 1e-5f, y.at);
    must_be_near(kernel->name, y.at, wide, n, 1e-5);
    for (size_t i = n; i < padded(n); i++)
        assert_true(y.at[i] == 0);
    kernel->norm(x.at, gain.at, n, 1e-5f, x.at);
    assert_memory_equal(x.at, y.at, padded(n) * sizeof(float));
    memory_guarded_release(&x.memory);
    memory_guarded_release(&gain.memory);
    memory_guarded_release(&y.memory);
}

static void scales_are_right(const struct layer_kernel *kernel, size_t n)
{
    uint64_t random = 17 + n;
    struct vector x = vector_of(n, n, 1, &random), y = vector_of(n, n, 1, &random);
    struct memory_guarded whole;
    assert_int_equal(memory_guarded_reserve(n * sizeof(int32_t), 1, &whole), 0);
    int32_t *sums = whole.bytes;
    double scaled[MOST], added[MOST];
    for (size_t i = 0; i < n; i++)
        sums[i] = (int32_t)(draw(&random) >> 40);
    for (int floats = 0; floats < 2; floats++) {
        for (size_t i = 0; i < n; i++) {
            scaled[i] = floats ? 0.3 * (double)x.at[i] : 1e-7 * sums[i];
            added[i] = (double)y.at[i] + scaled[i];
        }
        if (floats)
            kernel->scale.add_f32(x.at, 0.3f, n, y.at);
        else
            kernel->scale.add_i32(sums, 1e-7f, n, y.at);
        must_be_near(kernel->name, y.at, added, n, 1e-6);
        if (floats)
            kernel->scale.from_f32(x.at, 0.3f, n, y.at);
        else
            kernel->scale.from_i32(sums, 1e-7f, n, y.at);
        must_be_near(kernel->name, y.at, scaled, n, 1e-6);
    }
    memory_guarded_release(&x.memory);
    memory_guarded_release(&y.memory);
    memory_guarded_release(&whole);
}

/** The rotation of a head's first 2 half values, y may not be x. */
static void rotated(const double *x, const float *cosine, const float *sine, size_t half, double *y)
{
    for (size_t i = 0; i < half; i++) {
        y[i] = x[i] * (double)cosine[i] - x[half + i] * (double)sine[i];
        y[half + i] = x[half + i] * (double)cosine[i] + x[i] * (double)sine[i];
    }
}

static void a_rotation_is_right(const struct layer_kernel *kernel, size_t half)
{
    uint64_t random = 27 + half;
    struct vector x = vector_of(2 * half, 2 * half, 2, &random), cosine = vector_of(half, half, 1, &random);
    struct vector sine = vector_of(half, half, 1, &random);
    double wide[2 * MOST], must[2 * MOST];
    for (size_t i = 0; i < 2 * half; i++)
        wide[i] = (double)x.at[i];
    rotated(wide, cosine.at, sine.at, half, must);
    kernel->rope(x.at, cosine.at, sine.at, half, x.at);
    must_be_near(kernel->name, x.at, must, 2 * half, 1e-6);
    memory_guarded_release(&x.memory);
    memory_guarded_release(&cosine.memory);
    memory_guarded_release(&sine.memory);
}

static void gates_are_right(const struct layer_kernel *kernel, size_t n)
{
    static const float magnitudes[] = {1, 20, 200}; /* where the exponential saturates, too */
    for (size_t m = 0; m < 3; m++) {
        for (int activation = 0; activation < LAYER_ACTIVATIONS; activation++) {
            uint64_t random = 37 + n + m;
            struct vector gate = vector_of(n, padded(n), magnitudes[m], &random);
            struct vector up = vector_of(n, padded(n), 1, &random);
            double must[MOST];
            for (size_t i = 0; i < n; i++)
                must[i] = layer_reference_gate((enum layer_activation)activation, (double)gate.at[i], (double)up.at[i]);
            kernel->gate((enum layer_activation)activation, gate.at, up.at, n, up.at);
            double largest = (double)magnitudes[m] * (activation == LAYER_RELU2 ? (double)magnitudes[m] : 1);
            must_be_near(kernel->name, up.at, must, n, 1e-6 * largest);
            memory_guarded_release(&gate.memory);
            memory_guarded_release(&up.memory);
        }
    }
}

/** A cache whose rows, or tiles, end at a guard page; what is past the positions is no number. */
static void *rows_of(enum layer_cache cache, size_t positions, size_t size, bool values, struct memory_guarded *memory,
                     uint64_t *random)
{
    const size_t together = layer_cache_positions(cache), bytes = layer_cache_bytes(cache, size);
    float row[256];
    assert_int_equal(memory_guarded_reserve((positions + together - 1) / together * bytes, 1, memory), 0);
    memset(memory->bytes, 0xff, memory->length);
    for (size_t p = 0; p < positions; p++) {
        for (size_t i = 0; i < size; i++)
            row[i] = 2 * draw_unit(random);
        layer_reference_store(cache, row, size, memory->bytes, p, values);
    }
    return memory->bytes;
}

/** What the kernel of a cache may be away from the definition: of integers by 1/65534 of each weight, too. */
static double attention_bound(enum layer_cache cache, float magnitude)
{
    return (cache == LAYER_CACHE_BF16 ? 2e-5 : 4e-5) * (1 + (double)magnitude);
}

/** All heads over all positions, in one part and in two that are put together; tiles are not cut. */
static void attention_of(const struct layer_kernel *kernel, size_t heads, size_t size, size_t positions,
                         float magnitude)
{
    const enum layer_cache cache = kernel->attention.cache;
    const size_t together = layer_cache_positions(cache), bytes = layer_cache_bytes(cache, size);
    uint64_t random = 47 + heads + size + positions;
    struct memory_guarded keys, values;
    struct vector queries = vector_of(heads * size, heads * size, magnitude, &random);
    struct vector out[2] = {vector_of(0, heads * size, 1, &random), vector_of(0, heads * size, 1, &random)};
    struct vector y = vector_of(0, size, 1, &random);
    float most[2][16], sum[2][16];
    const uint8_t *key = rows_of(cache, positions, size, false, &keys, &random);
    const uint8_t *value = rows_of(cache, positions, size, true, &values, &random);
    const size_t cut = (positions / 3 / together + 1) * together;
    for (size_t parts = 1; parts <= 2 && (parts == 1 || cut < positions); parts++) {
        for (size_t p = 0; p < parts; p++) {
            size_t first = p ? cut : 0, end = p + 1 < parts ? cut : positions;
            kernel->attention.attend(&(struct layer_attention){queries.at, heads, size, key + first / together * bytes,
                                                               value + first / together * bytes, end - first, most[p],
                                                               sum[p], out[p].at});
        }
        for (size_t h = 0; h < heads; h++) {
            double query[256], must[256];
            struct layer_attention_part part[2];
            for (size_t p = 0; p < parts; p++)
                part[p] = (struct layer_attention_part){most[p][h], sum[p][h], out[p].at + h * size};
            for (size_t i = 0; i < size; i++)
                query[i] = (double)queries.at[h * size + i];
            assert_int_equal(layer_reference_attention(cache, query, key, value, positions, size, must), 0);
            kernel->attention.merge(part, parts, size, y.at);
            must_be_near(kernel->name, y.at, must, size, attention_bound(cache, magnitude));
        }
    }
    memory_guarded_release(&keys);
    memory_guarded_release(&values);
    memory_guarded_release(&queries.memory);
    memory_guarded_release(&out[0].memory);
    memory_guarded_release(&out[1].memory);
    memory_guarded_release(&y.memory);
}

static void bf16_is_stored_to_nearest_even(const struct layer_kernel *kernel)
{
    uint64_t random = 57;
    struct vector x = vector_of(64, 64, 1, &random);
    uint16_t stored[64];
    x.at[0] = 0x1.01p0f;  /* half way, to even below */
    x.at[1] = 0x1.03p0f;  /* half way, to even above */
    x.at[2] = -0x1.01p0f; /* signs do not matter */
    kernel->attention.store(x.at, 64, stored, 0, false);
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(stored[i], layer_to_bf16(x.at[i]));
    assert_int_equal(stored[0], 0x3f80);
    assert_int_equal(stored[1], 0x3f82);
    assert_int_equal(stored[2], 0xbf80);
    memory_guarded_release(&x.memory);
}

/** Positions in any order, each beside others that stay as they are; a block of nothing but zeros, too. */
static void rows_are_stored(const struct layer_kernel *kernel, size_t size, bool values)
{
    static const size_t order[] = {0, 3, 2, 1, 63, 62, 64, 127, 90};
    const enum layer_cache cache = kernel->attention.cache;
    const size_t bytes = 128 / layer_cache_positions(cache) * layer_cache_bytes(cache, size);
    uint64_t random = 61 + size;
    struct memory_guarded is, must;
    struct vector x = vector_of(size, size, 3, &random);
    assert_int_equal(memory_guarded_reserve(bytes, 1, &is), 0);
    assert_int_equal(memory_guarded_reserve(bytes, 1, &must), 0);
    memset(is.bytes, 0xa5, bytes);
    memset(must.bytes, 0xa5, bytes);
    for (size_t p = 0; p < sizeof order / sizeof *order; p++) {
        for (size_t i = 0; i < size; i++)
            x.at[i] = p == 4 && i < 32 ? 0 : 3 * draw_unit(&random);
        kernel->attention.store(x.at, size, is.bytes, order[p], values);
        layer_reference_store(cache, x.at, size, must.bytes, order[p], values);
        assert_memory_equal(is.bytes, must.bytes, bytes);
        float most = 0;
        for (size_t i = 0; i < size; i++)
            most = fmaxf(most, fabsf(x.at[i]));
        const double step = cache == LAYER_CACHE_BF16 ? 0.005 : cache == LAYER_CACHE_Q8_0 ? 0.0045 : 0.13;
        for (size_t i = 0; i < size; i++)
            assert_true(fabs(layer_reference_cached(cache, is.bytes, size, values, order[p], i) - (double)x.at[i]) <=
                        step * (double)most);
    }
    memory_guarded_release(&is);
    memory_guarded_release(&must);
    memory_guarded_release(&x.memory);
}

static void attention_is_right(const struct layer_kernel *kernel)
{
    static const size_t positions[] = {1, 3, 4, 63, 64, 65, 200};
    for (size_t heads = 1; heads <= 8; heads++)
        attention_of(kernel, heads, 64, 70, 0.3f);
    for (size_t size = 16; size <= 256; size += 48)
        attention_of(kernel, 3, size, 67, 0.2f);
    for (size_t p = 0; p < sizeof positions / sizeof *positions; p++) {
        attention_of(kernel, 4, 128, positions[p], 0.1f);
        attention_of(kernel, 1, 32, positions[p], 20); /* scores of hundreds: one position has it all */
    }
    if (kernel->attention.cache == LAYER_CACHE_BF16)
        bf16_is_stored_to_nearest_even(kernel);
    for (size_t size = 16; size <= 80; size += 16) {
        rows_are_stored(kernel, size, false);
        rows_are_stored(kernel, size, true);
    }
}

/** Tokens of a prompt after earlier ones, each over the positions up to its own; nothing is written beside their rows. */
static void prompt_of(const struct layer_kernel *kernel, size_t tokens, size_t heads, size_t before, size_t head_size,
                      float magnitude)
{
    enum { GAP = 3 };
    uint64_t random = 83 + tokens + heads + before + head_size;
    size_t size = (head_size + LAYER_PAD - 1) / LAYER_PAD * LAYER_PAD, positions = before + tokens;
    size_t stride = heads * size + LAYER_PAD, out_stride = heads * head_size + GAP;
    struct memory_guarded keys, values;
    struct vector queries = vector_of(tokens * stride, tokens * stride, magnitude, &random);
    struct vector out = vector_of(0, tokens * out_stride - GAP, 1, &random);
    struct vector scratch = vector_of(0, kernel->prefill_attention.scratch_bytes(size) / sizeof(float), 1, &random);
    const uint16_t *key = rows_of(LAYER_CACHE_BF16, positions, size, false, &keys, &random);
    const uint16_t *value = rows_of(LAYER_CACHE_BF16, positions, size, true, &values, &random);
    for (size_t i = 0; i < tokens * out_stride - GAP; i++)
        out.at[i] = 7;
    kernel->prefill_attention.attend(&(struct layer_prefill_attention){queries.at, stride, tokens, heads, size, key,
                                                                       value, before, out.at, out_stride, head_size},
                                     scratch.at);
    for (size_t row = 0; row < tokens * heads; row++) {
        size_t token = row / heads, head = row % heads;
        double query[256], must[256];
        for (size_t i = 0; i < size; i++)
            query[i] = (double)queries.at[token * stride + head * size + i];
        assert_int_equal(layer_reference_attention(LAYER_CACHE_BF16, query, key, value, before + token + 1, size, must),
                         0);
        must_be_near(kernel->name, out.at + token * out_stride + head * head_size, must, head_size,
                     2e-5 * (1 + (double)magnitude));
        for (size_t i = 0; head + 1 == heads && token + 1 < tokens && i < GAP; i++)
            assert_true(out.at[token * out_stride + heads * head_size + i] == 7.0f);
    }
    memory_guarded_release(&keys);
    memory_guarded_release(&values);
    memory_guarded_release(&queries.memory);
    memory_guarded_release(&out.memory);
    memory_guarded_release(&scratch.memory);
}

static void prompts_are_right(const struct layer_kernel *kernel)
{
    static const size_t tokens[] = {1, 2, 15, 16, 17, 47, 48, 49, 65, 130};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++)
        prompt_of(kernel, tokens[i], 1, 0, 32, 0.3f);
    for (size_t heads = 2; heads <= 7; heads++)
        prompt_of(kernel, 11, heads, 5 * heads, 64, 0.2f);
    prompt_of(kernel, 70, 3, 95, 128, 0.1f); /* a tile of queries ends within a token */
    prompt_of(kernel, 2, 80, 3, 16, 0.2f);   /* a token has more heads than a tile */
    prompt_of(kernel, 9, 2, 96, 38, 0.3f);   /* a head with padding */
    prompt_of(kernel, 5, 2, 40, 256, 0.1f);
    prompt_of(kernel, 60, 1, 0, 32, 20); /* scores of hundreds: one position has it all */
}

static void equals_the_definition(void **state)
{
    const struct layer_kernel *kernel = *state;
    require_isa(kernel->isa);
    for (size_t s = 0; s < SIZES; s++) {
        switch (kernel->part) {
        case LAYER_NORM: a_norm_is_right(kernel, sizes[s]); break;
        case LAYER_SCALE: scales_are_right(kernel, sizes[s]); break;
        case LAYER_ROPE: a_rotation_is_right(kernel, sizes[s]); break;
        case LAYER_GATE: gates_are_right(kernel, sizes[s]); break;
        case LAYER_ATTENTION:
            if (s == 0)
                attention_is_right(kernel);
            break;
        case LAYER_PREFILL_ATTENTION:
            if (s == 0)
                prompts_are_right(kernel);
            break;
        default: fail();
        }
    }
}

static void every_part_runs_anywhere(void **state)
{
    (void)state;
    static const char *const words[LAYER_PARTS] = {"norm", "scale", "rope", "attention", "prefill_attention", "gate"};
    for (int part = 0; part < LAYER_PARTS; part++) {
        size_t found[LAYER_CACHES] = {0};
        for (const struct layer_kernel *const *at = layer_kernel_all(); *at; at++) {
            char name[64];
            if ((*at)->part != (enum layer_part)part)
                continue;
            const enum layer_cache cache = part == LAYER_ATTENTION ? (*at)->attention.cache : LAYER_CACHE_BF16;
            snprintf(name, sizeof name, "%s%s%s.%s", words[part], cache ? "_" : "",
                     cache ? layer_cache_name(cache) : "", (*at)->isa);
            found[cache] += strcmp((*at)->isa, "reference") == 0;
            assert_string_equal((*at)->name, name);
        }
        for (int cache = 0; cache < (part == LAYER_ATTENTION ? LAYER_CACHES : 1); cache++)
            assert_int_equal(found[cache], 1);
    }
    assert_string_equal(layer_activation_name(LAYER_ACTIVATIONS), "unknown");
}

int main(void)
{
    static struct item_tests suite;
    item_tests_add(&suite, "parts", "every part runs anywhere", every_part_runs_anywhere, NULL);
    for (const struct layer_kernel *const *at = layer_kernel_all(); *at; at++)
        item_tests_add(&suite, (*at)->name, "equals the definition", equals_the_definition, *at);
    return item_tests_run("layers", &suite);
}
