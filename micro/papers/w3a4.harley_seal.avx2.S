/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 4-bit activations, bit-serial, Harley-Seal: [apt-llm, III-B] on AVX2 with carry-save adders, so that 8
 * registers of bits are counted in place of 24. 24 XORs, 16 full adders of 5, 4 half adders of 2, 8 counts of 7; 173
 * uops of arithmetic and 8 loads of tables for 512 weights. With 16 registers the trees are short: that bounds the
 * gain over nibble look-ups of each XOR.
 * Golden Cove: 10 on p01, 16 on p15, 2 on p5, 145 anywhere: 173 on three ports, 3.60 cycles per output vector. Zen 3:
 * 173 on four pipes, 2.70. Register map: bit_serial_carry.h. 181 uops issued: 173 of arithmetic, 8 loads.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      3
#define ACTIVATION_BITS  4
#define REGISTERS        2
#define BYTES            12.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_VECTORS    16
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     192
#define ACTIVATION_BYTES 256
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_carry.h"

#ifdef __ASSEMBLER__
/* levels 0 to 5 have 2, 4, 6, 6, 4, 2 exclusive ors and 0, 1, 2, 4, 5, 4 carries */
.macro group
    differ 3, 0, 0, 0
    differ 4, 0, 0, 1
    half 3, 4
    count 2, 0, 3
    differ 3, 0, 1, 0
    differ 9, 0, 1, 1
    full 3, 4, 9
    differ 5, 1, 0, 0
    differ 9, 1, 0, 1
    full 3, 5, 9
    count 3, 1, 2
    differ 3, 0, 2, 0
    differ 9, 0, 2, 1
    full 3, 4, 9
    differ 9, 1, 1, 0
    full 3, 5, 9
    differ 6, 1, 1, 1
    differ 9, 2, 0, 0
    full 3, 6, 9
    differ 7, 2, 0, 1
    half 3, 7
    count 2, 2, 3
    differ 3, 0, 3, 0
    differ 9, 0, 3, 1
    full 3, 4, 9
    differ 9, 1, 2, 0
    full 3, 5, 9
    differ 9, 1, 2, 1
    full 3, 6, 9
    differ 9, 2, 1, 0
    full 3, 7, 9
    differ 8, 2, 1, 1
    half 3, 8
    count 2, 3, 3
    differ 3, 1, 3, 0
    differ 9, 1, 3, 1
    full 3, 4, 9
    differ 9, 2, 2, 0
    full 3, 5, 9
    differ 9, 2, 2, 1
    full 3, 6, 9
    full 3, 7, 8
    count 3, 4, 2
    widen 8, 0
    differ 3, 2, 3, 0
    differ 9, 2, 3, 1
    full 3, 4, 9
    full 3, 5, 6
    half 3, 7
    count 2, 5, 3
    full 4, 5, 7
    count 4, 6, 2
    count 5, 7, 2
    widen 1, 5
    vpaddd ymm1, ymm1, ymm8
    finish 1
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
