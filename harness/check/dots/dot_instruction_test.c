/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "harness/check/dots/dot_instruction.h"
#include "unit_test.h"

/* As binutils 2.40 assembles them. */
TEST(the_six_are_decoded)
{
    static const struct {
        uint8_t code[5];
        struct dot_instruction is;
    } table[] = {
        {{0xc4, 0xc2, 0x2f, 0x50, 0xc3},
         {true, true, false, true, false, 0, 10, 11, {0, 0, 0, 0}, 5}}, /* vpdpbssd ymm0, ymm10, ymm11 */
        {{0xc4, 0x62, 0x2b, 0x50, 0xc9},
         {true, true, false, false, false, 9, 10, 1, {0, 0, 0, 0}, 5}}, /* vpdpbssd xmm9, xmm10, xmm1 */
        {{0xc4, 0xe2, 0x6f, 0x51, 0xcb},
         {true, true, true, true, false, 1, 2, 3, {0, 0, 0, 0}, 5}}, /* vpdpbssds ymm1, ymm2, ymm3 */
        {{0xc4, 0x42, 0x06, 0x50, 0xf5},
         {true, false, false, true, false, 14, 15, 13, {0, 0, 0, 0}, 5}}, /* vpdpbsud ymm14, ymm15, ymm13 */
        {{0xc4, 0xe2, 0x6e, 0x51, 0xcb},
         {true, false, true, true, false, 1, 2, 3, {0, 0, 0, 0}, 5}}, /* vpdpbsuds ymm1, ymm2, ymm3 */
        {{0xc4, 0xe2, 0x6c, 0x50, 0xcb},
         {false, false, false, true, false, 1, 2, 3, {0, 0, 0, 0}, 5}}, /* vpdpbuud ymm1, ymm2, ymm3 */
        {{0xc4, 0xe2, 0x68, 0x51, 0xcb},
         {false, false, true, false, false, 1, 2, 3, {0, 0, 0, 0}, 5}}, /* vpdpbuuds xmm1, xmm2, xmm3 */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct dot_instruction instruction;
        memset(&instruction, 0, sizeof instruction);
        if (!dot_decode(table[i].code, &instruction))
            fail_msg("row %zu is not decoded", i);
        const struct dot_instruction *is = &table[i].is;
        if (instruction.first_signed != is->first_signed || instruction.second_signed != is->second_signed ||
            instruction.saturates != is->saturates || instruction.is_256 != is->is_256 || instruction.sum != is->sum ||
            instruction.first != is->first || instruction.second != is->second || instruction.second_in_memory ||
            instruction.length != is->length)
            fail_msg("row %zu: signs %d %d, saturates %d, 256 %d, registers %u %u %u", i, instruction.first_signed,
                     instruction.second_signed, instruction.saturates, instruction.is_256, instruction.sum,
                     instruction.first, instruction.second);
    }
}

/* vpdpbssd ymm6, ymm8, [rsi + 0x20]; vpdpbsud xmm1, xmm2, [r9 + 4 r10 - 0x100]; vpdpbssd ymm1, ymm2, [rip + 0x1000] */
TEST(operands_in_memory_are_found)
{
    static const uint8_t near[] = {0xc4, 0xe2, 0x3f, 0x50, 0x76, 0x20};
    static const uint8_t far[] = {0xc4, 0x82, 0x6a, 0x50, 0x8c, 0x91, 0x00, 0xff, 0xff, 0xff};
    static const uint8_t relative[] = {0xc4, 0xe2, 0x6f, 0x50, 0x0d, 0x00, 0x10, 0x00, 0x00};
    uint64_t general[VEX_REGISTERS] = {[6] = 0x1000, [9] = 0x2000, [10] = 3, [VEX_REGISTER_RIP] = 0x3000};
    struct dot_instruction instruction;
    uint8_t registers[16][32];
    assert_true(dot_decode(near, &instruction) && instruction.second_in_memory && instruction.length == sizeof near);
    assert_int_equal(dot_address(&instruction, general), 0x1020);
    assert_true(instruction.sum == 6 && instruction.first == 8);
    assert_true(dot_decode(far, &instruction) && instruction.length == sizeof far);
    assert_int_equal(dot_address(&instruction, general), 0x2000 + 12 - 0x100);
    assert_true(dot_decode(relative, &instruction) && instruction.length == sizeof relative);
    assert_int_equal(dot_address(&instruction, general), 0x4000);
    memset(registers, 1, sizeof registers);
    uint8_t second[32];
    memset(second, 0xfe, sizeof second);
    dot_execute(&instruction, registers, second); /* 1 times -2, four times */
    int32_t lane;
    memcpy(&lane, registers[1], sizeof lane);
    assert_int_equal(lane, 0x01010101 - 8);
}

TEST(others_are_left_alone)
{
    static const uint8_t table[][5] = {
        {0xc4, 0xe2, 0x6d, 0x50, 0xcb}, /* vpdpbusd ymm1, ymm2, ymm3: AVX-VNNI */
        {0xc4, 0xe2, 0xef, 0x50, 0xcb}, /* W1 */
        {0xc4, 0xe1, 0x6f, 0x50, 0xcb}, /* map 0F */
        {0xc4, 0xe2, 0x6f, 0x52, 0xcb}, /* AVX-VNNI-INT16 */
        {0xc5, 0xed, 0xfe, 0xcb, 0xc3}, /* vpaddd */
        {0x62, 0xf2, 0x6f, 0x50, 0xcb}, /* EVEX */
    };
    struct dot_instruction instruction;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (dot_decode(table[i], &instruction))
            fail_msg("row %zu was taken for one", i);
    }
}

static int32_t lane_of(uint8_t registers[16][32], unsigned number, unsigned lane)
{
    int32_t value;
    memcpy(&value, registers[number] + 4 * lane, sizeof value);
    return value;
}

/* Registers 1 and 2 are four times 0x80 and 0xff in each lane, register 3 a sum. */
static void run(bool first_signed, bool second_signed, bool saturates, bool is_256, uint32_t before,
                uint8_t registers[16][32])
{
    memset(registers, 0x55, 16 * 32);
    memset(registers[1], 0x80, 32);
    memset(registers[2], 0xff, 32);
    for (unsigned lane = 0; lane < 8; lane++)
        memcpy(registers[3] + 4 * lane, &before, sizeof before);
    const struct dot_instruction instruction = {.first_signed = first_signed,
                                                .second_signed = second_signed,
                                                .saturates = saturates,
                                                .is_256 = is_256,
                                                .sum = 3,
                                                .first = 1,
                                                .second = 2};
    dot_execute(&instruction, registers, NULL);
}

TEST(signs_are_of_the_operand_that_has_them)
{
    uint8_t registers[16][32];
    run(true, true, false, true, 7, registers);
    assert_int_equal(lane_of(registers, 3, 7), 7 + 4 * 128);
    run(true, false, false, true, 7, registers);
    assert_int_equal(lane_of(registers, 3, 0), 7 - 4 * 128 * 255);
    run(false, false, false, true, 7, registers);
    assert_int_equal(lane_of(registers, 3, 3), 7 + 4 * 128 * 255);
    assert_int_equal(registers[2][0], 0xff); /* and nothing else changes */
    assert_int_equal(registers[4][31], 0x55);
}

TEST(sums_wrap_or_saturate)
{
    uint8_t registers[16][32];
    run(true, true, false, true, INT32_MAX, registers);
    assert_int_equal(lane_of(registers, 3, 0), INT32_MIN + 511);
    run(true, true, true, true, INT32_MAX, registers);
    assert_int_equal(lane_of(registers, 3, 0), INT32_MAX);
    run(true, false, true, true, (uint32_t)INT32_MIN, registers);
    assert_int_equal(lane_of(registers, 3, 0), INT32_MIN);
    run(false, false, true, true, UINT32_MAX - 1, registers);
    assert_int_equal(lane_of(registers, 3, 0), -1);
}

TEST(of_128_bits_the_upper_half_becomes_zero)
{
    uint8_t registers[16][32];
    run(true, true, false, false, 7, registers);
    assert_int_equal(lane_of(registers, 3, 3), 7 + 4 * 128);
    assert_int_equal(lane_of(registers, 3, 4), 0);
}

RUN_TESTS(NULL, NULL)
