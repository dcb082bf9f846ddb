/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TQ1_0 (layout: micro/families/lookup/ternary_block.h) of one row as a stream of bytes: eight blocks are 432 bytes, seven whole
 * registers, the last one from byte 368 on so that nothing behind them is read. What is no digit (scales, the fifth digit
 * of four bytes of each block, the 16 bytes that were in the register before) meets zeros. A lane has digits of one block, and a
 * permutation of the blocks' scales gives each its own.
 * Digits come without a multiplication (tq1_0_codes.h): a shift, 2 vpermb and 2 vpaddb to two codes, 5 vpermb to the digits.
 * A register: 10 for the digits, 5 vpdpbusd, 3 for scale and sum; the eight scales 3: 129 uops of arithmetic for 64 output vectors.
 * Golden Cove at 512 bits: 129 on p05, 56 of them on p5 only: >= 1.01. Zen 4: 49 shuffles and permutations of bytes on FP12, 7
 * of scales, 42 on FP01: 98 registers of two halves on three pipes: >= 1.02. 143 uops issued: 129 of arithmetic, 14 loads.
 *
 *   zmm0-2 accumulators   zmm3 digits, scales of lanes   zmm4-7 codes of the upper two digits   zmm8-11 of the lower three
 *   zmm12-15 sums   zmm16, zmm17 to the codes   zmm18-22 digits   zmm23 scales   xmm24 scales in half precision   zmm25-31 weights
 *   [rsi] for each register what digits 0-4 meet, minus their sums, the blocks of the lanes; then the blocks' scales
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define BYTES            6.75
#define GROUP_DOTS       7
#define GROUP_VECTORS    64
#define LEAST            1
#define MOST             3
#define WEIGHT_BYTES     432
#define ACTIVATION_BYTES 3168
#define WEIGHT_FILL      FILL_OWN
#define ACTIVATION_FILL  FILL_OWN
#define LANE             LANE_FLOAT32
#define TOLERANCE        1e-5
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"

#define LAST     368 /* where the last register begins */
#define REGISTER 448 /* bytes of [rsi] a register */
#define STARTS   320
#define BLOCKS   384
#define SCALES   3136

#ifdef __ASSEMBLER__

#include "micro/formats/tq1_0/tq1_0_codes.h"

    .section .rodata
    .balign 64
.Lto_upper: .byte TQ1_0_TO_UPPER
.Lto_lower: .byte TQ1_0_TO_LOWER
.Ldigit_0: .byte TQ1_0_DIGIT_0
.Ldigit_1: .byte TQ1_0_DIGIT_1
.Ldigit_2: .byte TQ1_0_DIGIT_2
.Ldigit_3: .byte TQ1_0_DIGIT_3
.Ldigit_4: .byte TQ1_0_DIGIT_4

.macro load_constants
    vmovdqa64 zmm16, [rip + .Lto_upper]
    vmovdqa64 zmm17, [rip + .Lto_lower]
    vmovdqa64 zmm18, [rip + .Ldigit_0]
    vmovdqa64 zmm19, [rip + .Ldigit_1]
    vmovdqa64 zmm20, [rip + .Ldigit_2]
    vmovdqa64 zmm21, [rip + .Ldigit_3]
    vmovdqa64 zmm22, [rip + .Ldigit_4]
.endm

.macro load_weights base, offset
    .irp number, 0, 1, 2, 3, 4, 5
    load_register %(25 + \number), \base, %(\offset + 64 * \number)
    .endr
    load_register 31, \base, %(\offset + LAST)
    .irp block, 0, 1, 2, 3, 4, 5, 6, 7
    load_scale \block, \base, %(\offset + 54 * \block + 52)
    .endr
.endm

.macro load_register number, base, offset
    vmovdqu64 zmm\number, [\base + \offset]
.endm

.macro load_scale block, base, offset
    vpinsrw xmm24, xmm24, [\base + \offset], \block
.endm

.macro dot_into number, source
    vfmadd231ps zmm\number, zmm3, \source
.endm

/* a step of those registers, first to last, whose upper code is in zmm4 + n, the lower one in zmm8 + n and the sum in zmm12 + n */
.macro each macro, first, last, arguments:vararg
    .set register, \first
    .rept \last - \first + 1
    \macro %register, %(4 + register - \first), %(8 + register - \first), %(12 + register - \first), \arguments
    .set register, register + 1
    .endr
.endm

.macro codes_of_registers first, last
    each start, \first, \last
    each find_upper, \first, \last
    each find_lower, \first, \last
    each add_upper, \first, \last
    each add_lower, \first, \last
.endm

.macro start number, upper, lower, sum, unused:vararg
    shift_weight %(25 + \number), \lower
    vmovdqu64 zmm\sum, [rsi + REGISTER * \number + STARTS]
.endm

.macro shift_weight weight, lower
    vpsrlw zmm\lower, zmm\weight, 2
.endm

.macro find_upper number, upper, lower, sum, unused:vararg
    vpermb zmm\upper, zmm\lower, zmm16
.endm

.macro find_lower number, upper, lower, sum, unused:vararg
    vpermb zmm\lower, zmm\lower, zmm17
.endm

.macro add_upper number, upper, lower, sum, unused:vararg
    add_weight %(25 + \number), \upper
.endm

.macro add_lower number, upper, lower, sum, unused:vararg
    add_weight %(25 + \number), \lower
.endm

.macro add_weight weight, code
    vpaddb zmm\code, zmm\code, zmm\weight
.endm

.macro digit_of_upper number, upper, lower, sum, digit:vararg
    add_digit \number, \upper, \sum, \digit
.endm

.macro digit_of_lower number, upper, lower, sum, digit:vararg
    add_digit \number, \lower, \sum, \digit
.endm

.macro add_digit number, code, sum, digit
    find_digit \code, %(18 + \digit)
    vpdpbusd zmm\sum, zmm3, [rsi + REGISTER * \number + 64 * \digit]
.endm

.macro find_digit code, table
    vpermb zmm3, zmm\code, zmm\table
.endm

.macro finish number, upper, lower, sum, unused:vararg
    vmovdqu64 zmm3, [rsi + REGISTER * \number + BLOCKS]
    vpermps zmm3, zmm3, zmm23
    vcvtdq2ps zmm\sum, zmm\sum
    dot zmm\sum
.endm

.macro registers first, last
    codes_of_registers \first, \last
    each digit_of_upper, \first, \last, 0
    each digit_of_upper, \first, \last, 1
    each digit_of_lower, \first, \last, 2
    each digit_of_lower, \first, \last, 3
    each digit_of_lower, \first, \last, 4
    each finish, \first, \last
.endm

/* four registers and then three in step, as a kernel takes four rows */
.macro group
    vcvtph2ps ymm23, xmm24
    vmulps ymm23, ymm23, [rsi + SCALES]
    registers 0, 3
    registers 4, 6
.endm

    sequence_functions

#else

#include "micro/families/lookup/ternary_block.h"

enum { STREAM_BLOCKS = 8, STREAM_REGISTERS = 7 };

/** Where byte `byte` of a register lies in the stream; SIZE_MAX if the register before has it. */
static size_t stream_byte(uint32_t number, uint32_t byte)
{
    if (number + 1 < STREAM_REGISTERS)
        return 64 * number + byte;
    return LAST + byte < 64 * number ? SIZE_MAX : LAST + byte;
}

/** Weight of its block that digit n of byte m is, -1 if none. */
static int32_t stream_weight(uint32_t m, uint32_t n)
{
    if (m < 48)
        return (int32_t)(m < 32 ? 32 * n + m : 160 + 16 * n + m - 32);
    return m < 52 && n < 4 ? (int32_t)(240 + 4 * n + m - 48) : -1;
}

/** Lane l of dot product r adds bytes 4 l … 4 l + 3 of register r; their activations lie by registers and digits. */
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    const uint8_t *met = data->activations + dot * REGISTER;
    for (uint32_t lane = 0; lane < 16; lane++) {
        int32_t whole = 0;
        size_t block = 0;
        for (uint32_t byte = 4 * lane; byte < 4 * lane + 4; byte++) {
            size_t at = stream_byte(dot, byte);
            for (uint32_t n = 0; at != SIZE_MAX && n < 5; n++) {
                int32_t weight = stream_weight((uint32_t)(at % TQ1_0_BYTES), n);
                if (weight < 0)
                    continue;
                block = at / TQ1_0_BYTES;
                whole += (tq1_0_code(data->weights[at], (uint32_t)weight) - 1) * (int8_t)met[64 * n + byte];
            }
        }
        uint16_t scale;
        float of_activations;
        memcpy(&scale, data->weights + block * TQ1_0_BYTES + 52, sizeof scale);
        memcpy(&of_activations, data->activations + SCALES + 4 * block, sizeof of_activations);
        reference_add(sum, magnitude, lane, ternary_scaled(whole, scale, of_activations));
    }
}

/** What register `number` meets of the blocks' activations. */
static void put_register(uint8_t *met, uint32_t number, const struct ternary_activations *of_block)
{
    int32_t starts[16] = {0}, blocks[16] = {0};
    for (uint32_t byte = 0; byte < 64; byte++) {
        size_t at = stream_byte(number, byte);
        for (uint32_t n = 0; at != SIZE_MAX && n < 5; n++) {
            int32_t weight = stream_weight((uint32_t)(at % TQ1_0_BYTES), n);
            if (weight < 0)
                continue;
            int8_t value = of_block[at / TQ1_0_BYTES].values[weight];
            met[64 * n + byte] = (uint8_t)value;
            starts[byte / 4] -= value;
            blocks[byte / 4] = (int32_t)(at / TQ1_0_BYTES);
        }
    }
    memcpy(met + STARTS, starts, sizeof starts);
    memcpy(met + BLOCKS, blocks, sizeof blocks);
}

void sequence_fill(uint8_t *weights, uint8_t *activations, uint64_t seed)
{
    struct ternary_activations of_block[STREAM_BLOCKS];
    memset(activations, 0, ACTIVATION_BYTES);
    for (uint32_t block = 0; block < STREAM_BLOCKS; block++) {
        ternary_fill(weights + block * TQ1_0_BYTES, 52, 1, (uint8_t *)&of_block[block], seed + block);
        memcpy(activations + SCALES + 4 * block, &of_block[block].scale, 4);
    }
    for (uint32_t number = 0; number < STREAM_REGISTERS; number++)
        put_register(activations + number * REGISTER, number, of_block);
}

#endif
