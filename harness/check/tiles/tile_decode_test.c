/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every encoding that the GNU assembler makes of the tile instructions, and those that no assembler makes.
 */
#include <stdlib.h>

#include "harness/check/tiles/assembled_tests.h"
#include "harness/check/tiles/tile_decode.h"
#include "unit_test.h"

enum { CODE_BYTES = 1 << 20 };

static const char *const register_names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                             "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
enum { REGISTER_NAMES = 16, RSP = 4 };

struct expected {
    char *text;
    size_t used;
    uint8_t *code;
    size_t length, at;
};

static struct expected begin(void)
{
    return (struct expected){.text = calloc(1, CODE_BYTES), .code = malloc(CODE_BYTES)};
}

static void add(struct expected *expected, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    expected->used +=
        (size_t)vsnprintf(expected->text + expected->used, CODE_BYTES - expected->used, format, arguments);
    va_end(arguments);
}

static void assemble(struct expected *expected)
{
    expected->length = assembled(expected->text, expected->code, CODE_BYTES);
    if (!expected->length)
        fail_msg("does not assemble:\n%.400s", expected->text);
}

static struct tile_instruction next(struct expected *expected)
{
    struct tile_instruction instruction = {0};
    assert_true(expected->at < expected->length);
    assert_int_equal(tile_decode(expected->code + expected->at, &instruction), TILE_IS_DECODED);
    assert_true(instruction.length >= 5 && instruction.length <= 10);
    expected->at += instruction.length;
    return instruction;
}

static void end(struct expected *expected)
{
    assert_int_equal(expected->at, expected->length);
    free(expected->text);
    free(expected->code);
}

/* ---------------------------------------------------------------- what an assembler makes */

TEST(three_tiles)
{
    struct expected expected = begin();
    for (int operation = TILE_TDPBSSD; operation < TILE_OPERATIONS; operation++) {
        for (int i = 0; i < 512; i++)
            if (i % 8 != i / 8 % 8 && i % 8 != i / 64 && i / 8 % 8 != i / 64)
                add(&expected, "%s tmm%d, tmm%d, tmm%d\n", tile_operation_name((enum tile_operation)operation), i % 8,
                    i / 8 % 8, i / 64);
    }
    assemble(&expected);
    for (int operation = TILE_TDPBSSD; operation < TILE_OPERATIONS; operation++) {
        for (int i = 0; i < 512; i++) {
            if (i % 8 == i / 8 % 8 || i % 8 == i / 64 || i / 8 % 8 == i / 64)
                continue;
            struct tile_instruction instruction = next(&expected);
            assert_int_equal(instruction.operation, operation);
            assert_int_equal(instruction.tiles[0], i % 8);
            assert_int_equal(instruction.tiles[1], i / 8 % 8);
            assert_int_equal(instruction.tiles[2], i / 64);
            assert_int_equal(instruction.base, TILE_NO_REGISTER);
        }
    }
    end(&expected);
}

TEST(one_tile_or_none)
{
    struct expected expected = begin();
    for (int tile = 0; tile < 8; tile++)
        add(&expected, "tilezero tmm%d\n tileloadd tmm%d, [rax + rcx]\n tileloaddt1 tmm%d, [rax + rcx]\n", tile, tile,
            tile);
    for (int tile = 0; tile < 8; tile++)
        add(&expected, "tilestored [rax + rcx], tmm%d\n", tile);
    add(&expected, "tilerelease\n");
    assemble(&expected);
    for (uint8_t tile = 0; tile < 8; tile++) {
        for (int which = 0; which < 3; which++) {
            static const enum tile_operation operations[] = {TILE_TILEZERO, TILE_TILELOADD, TILE_TILELOADDT1};
            struct tile_instruction instruction = next(&expected);
            assert_int_equal(instruction.operation, operations[which]);
            assert_int_equal(instruction.tiles[0], tile);
        }
    }
    for (uint8_t tile = 0; tile < 8; tile++) {
        struct tile_instruction instruction = next(&expected);
        assert_int_equal(instruction.operation, TILE_TILESTORED);
        assert_int_equal(instruction.tiles[0], tile);
    }
    assert_int_equal(next(&expected).operation, TILE_TILERELEASE);
    end(&expected);
}

static const int displacements[] = {0, 1, 127, -128, 128, -129, 0x12345678, -0x12345678};
enum { DISPLACEMENTS = sizeof displacements / sizeof *displacements };

static const struct {
    const char *before, *after;
    enum tile_operation operation;
} with_memory[] = {
    {"tileloadd tmm5, ", "", TILE_TILELOADD},   {"tileloaddt1 tmm5, ", "", TILE_TILELOADDT1},
    {"tilestored ", ", tmm5", TILE_TILESTORED}, {"ldtilecfg ", "", TILE_LDTILECFG},
    {"sttilecfg ", "", TILE_STTILECFG},
};
enum { WITH_MEMORY = sizeof with_memory / sizeof *with_memory };

TEST(every_base_index_scale_and_displacement)
{
    for (int which = 0; which < WITH_MEMORY; which++) {
        struct expected expected = begin();
        for (int i = 0; i < REGISTER_NAMES * REGISTER_NAMES * DISPLACEMENTS; i++) {
            int base = i % REGISTER_NAMES, index = i / REGISTER_NAMES % REGISTER_NAMES;
            if (index != RSP)
                add(&expected, "%s[%s + %s * %d + %d]%s\n", with_memory[which].before, register_names[base],
                    register_names[index], 1 << i % 4, displacements[i / REGISTER_NAMES / REGISTER_NAMES],
                    with_memory[which].after);
        }
        assemble(&expected);
        for (int i = 0; i < REGISTER_NAMES * REGISTER_NAMES * DISPLACEMENTS; i++) {
            if (i / REGISTER_NAMES % REGISTER_NAMES == RSP)
                continue;
            struct tile_instruction instruction = next(&expected);
            assert_int_equal(instruction.operation, with_memory[which].operation);
            assert_int_equal(instruction.base, i % REGISTER_NAMES);
            assert_int_equal(instruction.index, i / REGISTER_NAMES % REGISTER_NAMES);
            assert_int_equal(instruction.scale, i % 4);
            assert_int_equal(instruction.displacement, displacements[i / REGISTER_NAMES / REGISTER_NAMES]);
        }
        end(&expected);
    }
}

TEST(without_an_index_or_a_base)
{
    for (int which = 0; which < WITH_MEMORY; which++) {
        struct expected expected = begin();
        for (int i = 0; i < REGISTER_NAMES * DISPLACEMENTS; i++)
            add(&expected, "%s[%s + %d]%s\n", with_memory[which].before, register_names[i % REGISTER_NAMES],
                displacements[i / REGISTER_NAMES], with_memory[which].after);
        for (int index = 0; index < REGISTER_NAMES; index++)
            if (index != RSP)
                add(&expected, "%s[%s * 8 + 0x40]%s\n", with_memory[which].before, register_names[index],
                    with_memory[which].after);
        assemble(&expected);
        for (int i = 0; i < REGISTER_NAMES * DISPLACEMENTS; i++) {
            struct tile_instruction instruction = next(&expected);
            assert_int_equal(instruction.base, i % REGISTER_NAMES);
            assert_int_equal(instruction.index, TILE_NO_REGISTER);
            assert_int_equal(instruction.displacement, displacements[i / REGISTER_NAMES]);
        }
        for (int index = 0; index < REGISTER_NAMES; index++) {
            if (index == RSP)
                continue;
            struct tile_instruction instruction = next(&expected);
            assert_int_equal(instruction.base, TILE_NO_REGISTER);
            assert_int_equal(instruction.index, index);
            assert_int_equal(instruction.scale, 3);
            assert_int_equal(instruction.displacement, 0x40);
        }
        end(&expected);
    }
}

TEST(relative_to_the_next_instruction)
{
    struct expected expected = begin();
    add(&expected, "ldtilecfg [rip + 0x100]\n sttilecfg [rip - 0x100]\n");
    assemble(&expected);
    struct tile_instruction instruction = next(&expected);
    assert_int_equal(instruction.base, TILE_REGISTER_RIP);
    assert_int_equal(instruction.displacement, 0x100);
    instruction = next(&expected);
    assert_int_equal(instruction.base, TILE_REGISTER_RIP);
    assert_int_equal(instruction.displacement, -0x100);
    assert_int_equal(instruction.length, 9);
    end(&expected);
}

/* ---------------------------------------------------------------- what none makes */

TEST(other_instructions_are_left_alone)
{
    static const uint8_t others[][10] = {
        {0x90},
        {0x0f, 0x0b},                               /* ud2 */
        {0xc5, 0xf9, 0xef, 0xc0},                   /* vpxor */
        {0xc4, 0xe2, 0x7d, 0x78, 0xc0},             /* vpbroadcastb: same map */
        {0xc4, 0xe1, 0x7b, 0x5e, 0xd1},             /* the opcode in another map: vdivsd */
        {0x62, 0xf2, 0x7f, 0x48, 0x5e, 0xd1},       /* EVEX */
        {0x64, 0xc4, 0xe2, 0x7b, 0x4b, 0x04, 0x08}, /* fs: */
        {0x67, 0xc4, 0xe2, 0x7b, 0x4b, 0x04, 0x08}, /* 32-bit address */
    };
    struct tile_instruction instruction;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(tile_decode(others[i], &instruction), TILE_IS_OTHER);
}

TEST(undefined_encodings)
{
    static const uint8_t undefined[][10] = {
        {0xc4, 0xe2, 0x7f, 0x5e, 0xd1},       /* tdpbssd, L = 1 */
        {0xc4, 0xe2, 0xfb, 0x5e, 0xd1},       /* W = 1 */
        {0xc4, 0x62, 0x7b, 0x5e, 0xd1},       /* tmm10 by R */
        {0xc4, 0xc2, 0x7b, 0x5e, 0xd1},       /* tmm9 by B */
        {0xc4, 0xe2, 0x3b, 0x5e, 0xd1},       /* tmm8 by vvvv */
        {0xc4, 0xe2, 0x7b, 0x5e, 0x11},       /* memory */
        {0xc4, 0xe2, 0x7b, 0x4b, 0x00},       /* tileloadd without a SIB byte */
        {0xc4, 0xe2, 0x73, 0x4b, 0x04, 0x08}, /* vvvv */
        {0xc4, 0x62, 0x7b, 0x4b, 0x04, 0x08}, /* tmm8 */
        {0xc4, 0xe2, 0x78, 0x4b, 0x04, 0x08}, /* 4b without pp */
        {0xc4, 0xe2, 0x7b, 0x49, 0xc1},       /* tilezero, rm = 1 */
        {0xc4, 0xe2, 0x78, 0x49, 0xc8},       /* tilerelease, reg = 1 */
        {0xc4, 0xe2, 0x78, 0x49, 0x08},       /* ldtilecfg, reg = 1 */
        {0xc4, 0xe2, 0x7a, 0x49, 0x00},       /* 49 with F3 */
        {0xc4, 0xe2, 0x78, 0x5c, 0xd1},       /* 5c without pp */
    };
    struct tile_instruction instruction;
    for (size_t i = 0; i < sizeof undefined / sizeof *undefined; i++) {
        if (tile_decode(undefined[i], &instruction) != TILE_IS_UNDEFINED)
            fail_msg("case %zu", i);
    }
}

RUN_TESTS(NULL, NULL)
