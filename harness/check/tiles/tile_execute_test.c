/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tile instructions do, against scalar products written from their definition, and when they raise #UD and #GP.
 */
#include <math.h>
#include <string.h>

#include "harness/check/tiles/tile_emulator.h"
#include "unit_test.h"

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static const uint64_t no_registers[TILE_REGISTERS];

/** An instruction on memory at `address`, stride in rcx. */
static enum tile_outcome on_memory(struct tile_registers *tiles, enum tile_operation operation, unsigned tile,
                                   const void *address, uint64_t stride)
{
    const struct tile_instruction instruction = {
        .operation = operation, .tiles = {(uint8_t)tile, 0, 0}, .base = 0, .index = 1, .scale = 0};
    const uint64_t general[TILE_REGISTERS] = {(uintptr_t)address, stride};
    const char *why = NULL;
    return tile_execute(tiles, &instruction, general, &why);
}

static enum tile_outcome configure(struct tile_registers *tiles, const uint8_t configuration[64])
{
    const struct tile_instruction instruction = {.operation = TILE_LDTILECFG, .base = 0, .index = TILE_NO_REGISTER};
    const uint64_t general[TILE_REGISTERS] = {(uintptr_t)configuration};
    const char *why = NULL;
    return tile_execute(tiles, &instruction, general, &why);
}

static enum tile_outcome multiply(struct tile_registers *tiles, enum tile_operation operation, unsigned c, unsigned a,
                                  unsigned b)
{
    const struct tile_instruction instruction = {.operation = operation,
                                                 .tiles = {(uint8_t)c, (uint8_t)a, (uint8_t)b},
                                                 .base = TILE_NO_REGISTER,
                                                 .index = TILE_NO_REGISTER};
    const char *why = NULL;
    enum tile_outcome outcome = tile_execute(tiles, &instruction, no_registers, &why);
    assert_int_equal(outcome == TILE_EXECUTED, why == NULL);
    return outcome;
}

/** C of m x n dwords in tile 0, A of m x k in tile 1, B of k x n in tile 2; the others full. */
static void configuration_of(unsigned m, unsigned k, unsigned n, uint8_t configuration[64])
{
    memset(configuration, 0, 64);
    configuration[0] = 1;
    for (unsigned tile = 0; tile < TILE_NAMES; tile++) {
        configuration[16 + 2 * tile] = (uint8_t)(4 * (tile == 1 ? k : tile < 3 ? n : 16));
        configuration[48 + tile] = (uint8_t)(tile == 2 ? k : tile < 3 ? m : 16);
    }
}

/* ---------------------------------------------------------------- products of bytes */

static int64_t byte_value(uint8_t byte, bool is_signed)
{
    return is_signed && byte > 127 ? (int64_t)byte - 256 : byte;
}

TEST(products_of_bytes)
{
    static const struct {
        enum tile_operation operation;
        bool a_signed, b_signed;
    } cases[] = {{TILE_TDPBSSD, true, true},
                 {TILE_TDPBSUD, true, false},
                 {TILE_TDPBUSD, false, true},
                 {TILE_TDPBUUD, false, false}};
    static const unsigned sizes[][3] = {{16, 16, 16}, {1, 1, 1}, {3, 5, 7}, {16, 8, 16}, {5, 16, 1}, {1, 16, 16}};
    uint64_t random = 1;
    for (size_t which = 0; which < 4 * sizeof sizes / sizeof *sizes; which++) {
        const unsigned *size = sizes[which / 4], m = size[0], k = size[1], n = size[2];
        uint8_t configuration[64], a[16][64], b[16][64], c[16][64], got[16][64];
        struct tile_registers tiles = {0};
        configuration_of(m, k, n, configuration);
        assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
        for (unsigned i = 0; i < 1024; i++) {
            uint64_t bits = draw(&random);
            a[i / 64][i % 64] = (uint8_t)(bits & 3 ? bits >> 8 : bits & 4 ? 0x80 : 0xff);
            b[i / 64][i % 64] = (uint8_t)(bits >> 16);
            c[i / 64][i % 64] = (uint8_t)(bits >> 24);
        }
        assert_int_equal(on_memory(&tiles, TILE_TILELOADD, 0, c, 64), TILE_EXECUTED);
        assert_int_equal(on_memory(&tiles, TILE_TILELOADD, 1, a, 64), TILE_EXECUTED);
        assert_int_equal(on_memory(&tiles, TILE_TILELOADDT1, 2, b, 64), TILE_EXECUTED);
        assert_int_equal(multiply(&tiles, cases[which % 4].operation, 0, 1, 2), TILE_EXECUTED);
        memset(got, 0xaa, sizeof got);
        assert_int_equal(on_memory(&tiles, TILE_TILESTORED, 0, got, 64), TILE_EXECUTED);
        for (unsigned row = 0; row < 16; row++) {
            for (unsigned column = 0; column < 16; column++) {
                int32_t before, have;
                memcpy(&have, &got[row][4 * column], 4);
                memcpy(&before, &c[row][4 * column], 4);
                int64_t want = before;
                for (unsigned i = 0; i < 4 * k; i++)
                    want += byte_value(a[row][i], cases[which % 4].a_signed) *
                            byte_value(b[i / 4][4 * column + i % 4], cases[which % 4].b_signed);
                uint32_t outside = 0xaaaaaaaa;
                assert_int_equal((uint32_t)have, row < m && column < n ? (uint32_t)want : outside);
            }
        }
    }
}

/** Sums wrap modulo 2^32; rows and columns past the configured ones of a loaded tile are zero. */
TEST(sums_wrap)
{
    uint8_t configuration[64], ones[16][64];
    int32_t c[16][16];
    struct tile_registers tiles = {0};
    configuration_of(2, 16, 16, configuration);
    assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
    memset(ones, 0xff, sizeof ones);
    for (unsigned i = 0; i < 256; i++)
        c[i / 16][i % 16] = INT32_MAX;
    on_memory(&tiles, TILE_TILELOADD, 0, c, 64);
    on_memory(&tiles, TILE_TILELOADD, 1, ones, 64);
    on_memory(&tiles, TILE_TILELOADD, 2, ones, 64);
    multiply(&tiles, TILE_TDPBUUD, 0, 1, 2);
    on_memory(&tiles, TILE_TILESTORED, 0, c, 64);
    assert_int_equal(c[0][0], (int32_t)(0x7fffffffu + 64u * 255 * 255));
    assert_int_equal(c[1][15], c[0][0]);
    assert_int_equal(c[2][0], INT32_MAX);
}

/* ---------------------------------------------------------------- products of 16-bit floats */

static float bits_to_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** One product of two pairs of bf16 (or of fp16), C before it, and what comes of it. */
static float one_pair(enum tile_operation operation, float before, uint16_t a0, uint16_t b0, uint16_t a1, uint16_t b1)
{
    uint8_t configuration[64];
    struct tile_registers tiles = {0};
    const uint16_t a[2] = {a0, a1}, b[2] = {b0, b1};
    float c = before;
    configuration_of(1, 1, 1, configuration);
    assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
    on_memory(&tiles, TILE_TILELOADD, 0, &c, 64);
    on_memory(&tiles, TILE_TILELOADD, 1, a, 64);
    on_memory(&tiles, TILE_TILELOADD, 2, b, 64);
    assert_int_equal(multiply(&tiles, operation, 0, 1, 2), TILE_EXECUTED);
    on_memory(&tiles, TILE_TILESTORED, 0, &c, 64);
    return c;
}

enum { BF16_ONE = 0x3f80, BF16_TWO = 0x4000, BF16_DENORMAL = 0x0040, BF16_LEAST = 0x0080, BF16_HALF = 0x3f00 };
enum { FP16_ONE = 0x3c00, FP16_DENORMAL = 0x0001 };

TEST(bf16_rounds_and_flushes)
{
    const float least = 0x1p-126f;
    assert_true(one_pair(TILE_TDPBF16PS, 3, BF16_ONE, BF16_TWO, BF16_TWO, BF16_TWO) == 9);
    /* a denormal that goes in is zero, and so is one that comes out */
    assert_true(one_pair(TILE_TDPBF16PS, 0, BF16_DENORMAL, 0x7f00, 0, 0) == 0);
    assert_true(one_pair(TILE_TDPBF16PS, 0, BF16_LEAST, BF16_HALF, 0, 0) == 0);
    assert_true(one_pair(TILE_TDPBF16PS, 0, BF16_LEAST, BF16_ONE, 0, 0) == least);
    assert_true(one_pair(TILE_TDPBF16PS, least / 4, BF16_ONE, 0, 0, 0) == 0);
    assert_true(signbit(one_pair(TILE_TDPBF16PS, -0.0f, BF16_LEAST, 0xbf00, BF16_LEAST, 0xbf00)) != 0);
    /* to nearest, ties to even: 1 + 2^-24 is 1, 1 + 3 * 2^-24 is 1 + 2^-22 */
    assert_true(one_pair(TILE_TDPBF16PS, 1, 0x3380, BF16_ONE, 0, 0) == 1);
    assert_true(one_pair(TILE_TDPBF16PS, 1, 0x3440, BF16_ONE, 0, 0) == 1 + 0x1p-22f);
    /* the pair is added first: 2^-24 + 2^-24 reaches the last bit of 1 */
    assert_true(one_pair(TILE_TDPBF16PS, 1, 0x3380, BF16_ONE, 0x3380, BF16_ONE) == 1 + 0x1p-23f);
    assert_true(isinf(one_pair(TILE_TDPBF16PS, 0, 0x7f7f, BF16_TWO, 0, 0)));
    assert_true(isnan(one_pair(TILE_TDPBF16PS, 0, 0x7fc0, BF16_ONE, 0, 0)));
    assert_true(isnan(one_pair(TILE_TDPBF16PS, -INFINITY, 0x7f80, BF16_ONE, 0, 0)));
    /* C is read with denormals as zero even where nothing is added */
    assert_true(one_pair(TILE_TDPBF16PS, bits_to_float(1), 0, 0, 0, 0) == 0);
}

TEST(fp16_denormals_are_values)
{
    assert_true(one_pair(TILE_TDPFP16PS, 1, FP16_DENORMAL, FP16_ONE, 0, 0) == 1); /* 2^-24 is a tie */
    assert_true(one_pair(TILE_TDPFP16PS, 0, FP16_DENORMAL, FP16_ONE, 0, 0) == 0x1p-24f);
    assert_true(one_pair(TILE_TDPFP16PS, 0, FP16_DENORMAL, FP16_DENORMAL, 0xbc00, FP16_ONE) == -1);
    assert_true(one_pair(TILE_TDPFP16PS, 0, 0x3555, FP16_ONE, 0x4248, FP16_ONE) == 0x1.554p-2f + 0x1.92p1f);
    assert_true(one_pair(TILE_TDPFP16PS, 0, 0x7bff, 0x7bff, 0, 0) == 65504.f * 65504.f);
    assert_true(isinf(one_pair(TILE_TDPFP16PS, 0, 0x7c00, FP16_ONE, 0, 0)));
    assert_true(isnan(one_pair(TILE_TDPFP16PS, 0, 0x7e00, FP16_ONE, 0, 0)));
}

/** Small integers are exact in any order: whole tiles against int64. */
TEST(whole_tiles_of_bf16)
{
    uint64_t random = 3;
    uint8_t configuration[64];
    uint16_t a[16][32], b[16][32];
    int64_t of_a[16][32], of_b[16][32];
    float c[16][16];
    struct tile_registers tiles = {0};
    configuration_of(7, 16, 11, configuration);
    assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
    for (unsigned i = 0; i < 512; i++) {
        float x = (float)(of_a[i / 32][i % 32] = (int64_t)(draw(&random) % 255) - 127);
        float y = (float)(of_b[i / 32][i % 32] = (int64_t)(draw(&random) % 255) - 127);
        uint32_t bits;
        memcpy(&bits, &x, 4), a[i / 32][i % 32] = (uint16_t)(bits >> 16);
        memcpy(&bits, &y, 4), b[i / 32][i % 32] = (uint16_t)(bits >> 16);
    }
    memset(c, 0, sizeof c);
    assert_int_equal(on_memory(&tiles, TILE_TILEZERO, 0, NULL, 0), TILE_EXECUTED);
    on_memory(&tiles, TILE_TILELOADD, 1, a, 64);
    on_memory(&tiles, TILE_TILELOADD, 2, b, 64);
    multiply(&tiles, TILE_TDPBF16PS, 0, 1, 2);
    on_memory(&tiles, TILE_TILESTORED, 0, c, 64);
    for (unsigned row = 0; row < 16; row++) {
        for (unsigned column = 0; column < 16; column++) {
            int64_t want = 0;
            for (unsigned i = 0; i < 32; i++)
                want += of_a[row][i] * of_b[i / 2][2 * column + i % 2];
            assert_true(c[row][column] == (row < 7 && column < 11 ? (float)want : 0));
        }
    }
}

/* ---------------------------------------------------------------- memory and configuration */

TEST(rows_lie_a_stride_apart)
{
    uint8_t configuration[64], memory[16 * 100], back[16 * 100];
    struct tile_registers tiles = {0};
    uint64_t random = 4;
    configuration_of(16, 16, 3, configuration); /* C: 16 rows of 12 bytes */
    assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)draw(&random);
    memset(tiles.data[0], 0x77, sizeof tiles.data[0]);
    assert_int_equal(on_memory(&tiles, TILE_TILELOADD, 0, memory, 100), TILE_EXECUTED);
    for (unsigned row = 0; row < 16; row++) {
        assert_memory_equal(tiles.data[0][row], memory + row * 100, 12);
        for (unsigned i = 12; i < 64; i++)
            assert_int_equal(tiles.data[0][row][i], 0);
    }
    memset(back, 0x55, sizeof back);
    assert_int_equal(on_memory(&tiles, TILE_TILESTORED, 0, back + 15 * 100, (uint64_t)-100), TILE_EXECUTED);
    for (unsigned row = 0; row < 16; row++) {
        assert_memory_equal(back + (15 - row) * 100, memory + row * 100, 12);
        assert_int_equal(back[(15 - row) * 100 + 12], 0x55);
    }
}

TEST(a_start_row_begins_there_once)
{
    uint8_t configuration[64], memory[16][64], stored[64];
    struct tile_registers tiles = {0};
    memset(memory, 0x11, sizeof memory);
    configuration_of(16, 16, 16, configuration);
    configuration[1] = 5;
    assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
    assert_int_equal(on_memory(&tiles, TILE_TILELOADD, 0, memory, 64), TILE_EXECUTED);
    assert_int_equal(tiles.data[0][4][0], 0);
    assert_int_equal(tiles.data[0][5][0], 0x11);
    on_memory(&tiles, TILE_STTILECFG, 0, stored, 0);
    configuration[1] = 0;
    assert_memory_equal(stored, configuration, 64);
}

TEST(configurations_are_stored_as_loaded)
{
    uint8_t configuration[64], stored[64], none[64] = {0};
    struct tile_registers tiles = {0};
    memset(stored, 0xee, sizeof stored);
    configuration_of(3, 4, 5, configuration);
    assert_int_equal(on_memory(&tiles, TILE_STTILECFG, 0, stored, 0), TILE_EXECUTED);
    assert_memory_equal(stored, none, 64);
    assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
    memset(tiles.data[3], 1, sizeof tiles.data[3]);
    on_memory(&tiles, TILE_STTILECFG, 0, stored, 0);
    assert_memory_equal(stored, configuration, 64);
    assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED); /* and tiles are zero again */
    assert_int_equal(tiles.data[3][0][0], 0);
    const struct tile_instruction release = {
        .operation = TILE_TILERELEASE, .base = TILE_NO_REGISTER, .index = TILE_NO_REGISTER};
    const char *why = NULL;
    assert_int_equal(tile_execute(&tiles, &release, no_registers, &why), TILE_EXECUTED);
    assert_false(tiles.configured);
    assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
    assert_int_equal(configure(&tiles, none), TILE_EXECUTED); /* palette 0 releases, too */
    assert_false(tiles.configured);
}

TEST(what_palette_1_does_not_allow)
{
    static const struct {
        unsigned byte, value;
    } cases[] = {
        {0, 2},   /* palette */
        {2, 1},   /* reserved */
        {15, 1},  /* reserved */
        {16, 65}, /* more than 64 bytes a row */
        {17, 1},  /* 256 and more */
        {16, 0},  /* rows of no bytes */
        {32, 4},  /* a ninth tile's bytes */
        {47, 1},  /* reserved */
        {48, 17}, /* more than 16 rows */
        {48, 0},  /* bytes of no rows */
        {56, 1},  /* a ninth tile's rows */
        {63, 1},  /* reserved */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t configuration[64];
        struct tile_registers tiles = {0};
        configuration_of(16, 16, 16, configuration);
        configuration[cases[i].byte] = (uint8_t)cases[i].value;
        if (configure(&tiles, configuration) != TILE_RAISES_GP || tiles.configured)
            fail_msg("byte %u may be %u", cases[i].byte, cases[i].value);
    }
}

TEST(what_raises_ud)
{
    struct tile_registers tiles = {0};
    uint8_t configuration[64], memory[16][64] = {{0}};
    assert_int_equal(on_memory(&tiles, TILE_TILELOADD, 0, memory, 64), TILE_RAISES_UD); /* not configured */
    assert_int_equal(on_memory(&tiles, TILE_TILESTORED, 0, memory, 64), TILE_RAISES_UD);
    assert_int_equal(on_memory(&tiles, TILE_TILEZERO, 0, NULL, 0), TILE_RAISES_UD);
    assert_int_equal(multiply(&tiles, TILE_TDPBSSD, 0, 1, 2), TILE_RAISES_UD);

    configuration_of(16, 16, 16, configuration);
    configuration[16 + 2 * 7] = configuration[48 + 7] = 0;
    assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
    assert_int_equal(on_memory(&tiles, TILE_TILELOADD, 7, memory, 64), TILE_RAISES_UD); /* no such tile */
    assert_int_equal(on_memory(&tiles, TILE_TILEZERO, 7, NULL, 0), TILE_RAISES_UD);
    assert_int_equal(multiply(&tiles, TILE_TDPBSSD, 7, 1, 2), TILE_RAISES_UD);
    assert_int_equal(multiply(&tiles, TILE_TDPBSSD, 0, 7, 2), TILE_RAISES_UD);
    assert_int_equal(multiply(&tiles, TILE_TDPBSSD, 0, 1, 7), TILE_RAISES_UD);
    assert_int_equal(multiply(&tiles, TILE_TDPBSSD, 0, 0, 2), TILE_RAISES_UD); /* the same twice */
    assert_int_equal(multiply(&tiles, TILE_TDPBSSD, 0, 1, 0), TILE_RAISES_UD);
    assert_int_equal(multiply(&tiles, TILE_TDPBSSD, 0, 1, 1), TILE_RAISES_UD);

    static const struct {
        unsigned byte, value;
    } misfits[] = {{48, 15}, {49, 15}, {50, 15}, {16, 60}, {18, 60}, {20, 60}, {16, 62}, {18, 63}};
    for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++) {
        configuration_of(16, 16, 16, configuration);
        configuration[misfits[i].byte] = (uint8_t)misfits[i].value;
        assert_int_equal(configure(&tiles, configuration), TILE_EXECUTED);
        if (multiply(&tiles, TILE_TDPBSSD, 0, 1, 2) != TILE_RAISES_UD)
            fail_msg("byte %u may be %u", misfits[i].byte, misfits[i].value);
    }
}

RUN_TESTS(NULL, NULL)
