/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 4-bit activations, bit-serial, VPOPCNTDQ behind full adders of one vpternlogq: planes coded by running
 * exclusive ors make the inputs of an adder of the exclusive ors with the activations that are needed anyway, see
 * bit_serial_carry_save.h, where the register map is. For each of 12 pairs of planes and one three of registers 3 XORs,
 * 1 vpternlogq, 2 counts, 2 adds; 104 uops for 1536 weights.
 * Golden Cove at 512 bits: 104 on p05, 24 of them on p5 only, 7 shifts on p0: 52.0 cycles, 1.083 per output vector.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      3
#define ACTIVATION_BITS  4
#define REGISTERS        3
#define BYTES            12.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       104
#define GROUP_VECTORS    48
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     576
#define ACTIVATION_BYTES 768
#define ACTIVATION_FILL  FILL_BYTES
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/sequences/x86_64/bit_serial_carry_save.h"

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
