/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial, VPOPCNTDQ after full adders of one vpternlogq: planes coded by running exclusive ors make the inputs of an adder of the exclusive ors with
 * the activations that are needed anyway, see bit_serial_carry_save.h, where the register map is. For each of the WEIGHT_BITS ACTIVATION_BITS pairs of
 * planes and each three of REGISTERS registers 3 XORs, 1 vpternlogq, 2 counts, 2 adds.
 * Golden Cove at 512 bits: all on p05, the counts of them on p5 only: 0.177 cycles per output vector of w1a2, 0.359 of w2a2.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    (16 * REGISTERS)
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     (64 * REGISTERS * WEIGHT_BITS)
#define ACTIVATION_BYTES (64 * REGISTERS * ACTIVATION_BITS)
#define ACTIVATION_FILL  FILL_BYTES
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_carry_save.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    uint8_t weights[WEIGHT_BYTES], activations[ACTIVATION_BYTES];
    const struct sequence_data decoded = {weights, activations};
    for (unsigned i = 0; i < WEIGHT_BITS; i++)
        bit_serial_decode(data->weights + 64 * REGISTERS * i, weights + 64 * REGISTERS * i, REGISTERS, 64);
    for (unsigned j = 0; j < ACTIVATION_BITS; j++)
        bit_serial_decode(data->activations + 64 * REGISTERS * j, activations + 64 * REGISTERS * j, REGISTERS, 64);
    (void)dot, (void)magnitude;
    bit_serial_refer(&decoded, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
