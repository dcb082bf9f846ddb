/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 2-bit activations, bit-serial, Harley-Seal: [apt-llm, III-B] on AVX2 with carry-save adders, so that 5
 * registers of bits are counted in place of 12. 12 XORs, 7 full adders of 5, 1 half adders of 2, 5 counts of 7; 87
 * uops of arithmetic and 5 loads of tables for 768 weights. With 16 registers the trees are short: that bounds the
 * gain over nibble look-ups of each XOR.
 * Golden Cove: 6 on p01, 10 on p15, 1 on p5, 70 anywhere: 87 on three ports, 1.21 cycles per output vector. Zen 3: 87
 * on four pipes, 0.91. Register map: bit_serial_carry.h. 92 uops issued: 87 of arithmetic, 5 loads.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define WEIGHT_BITS      2
#define ACTIVATION_BITS  2
#define REGISTERS        3
#define BYTES            8.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_VECTORS    24
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     192
#define ACTIVATION_BYTES 192
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_carry.h"

#ifdef __ASSEMBLER__
/* levels 0: 3 exclusive ors, 1: 6 and 1 carry, 2: 3 and 3 carries */
.macro group
    differ 3, 0, 0, 0
    differ 4, 0, 0, 1
    differ 9, 0, 0, 2
    full 3, 4, 9
    count 3, 0, 2
    differ 3, 0, 1, 0
    differ 9, 0, 1, 1
    full 3, 4, 9
    differ 5, 0, 1, 2
    differ 9, 1, 0, 0
    full 3, 5, 9
    differ 6, 1, 0, 1
    differ 9, 1, 0, 2
    full 3, 6, 9
    count 3, 1, 2
    differ 3, 1, 1, 0
    differ 9, 1, 1, 1
    full 3, 4, 9
    differ 9, 1, 1, 2
    full 3, 5, 9
    half 3, 6
    count 2, 2, 3
    full 4, 5, 6
    count 4, 3, 2
    count 5, 4, 2
    widen 3, 0
    finish 3
.endm

    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
