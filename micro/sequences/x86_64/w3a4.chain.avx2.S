/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 4-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 12 pairs of planes 4 blocks of 82; a pair 12, a level 9, a group 20: 4154 uops of arithmetic for 16384 weights, and 768
 * loads that broadcast.
 * Golden Cove: 4154 on three ports, 136 of them on p15: 1384.7 cycles, 2.704 per output vector. Zen 3: 4154 on four pipes, 2.028.
 * 5163 uops issued: 4154 of arithmetic, 768 loads, 43 registers zeroed or moved, 198 of loops over pairs and their blocks.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      3
#define ACTIVATION_BITS  4
#define REGISTERS        64
#define BYTES            12.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       5163
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     6144
#define ACTIVATION_BYTES 2048
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/sequences/x86_64/bit_serial_chain.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    chain_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, sum);
}
#endif
