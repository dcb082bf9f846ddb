/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 4-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 4 pairs of planes 4 blocks of 82; a pair 12, a level 9, a group 20: 1416 uops of arithmetic for 16384 weights, and 256
 * loads that broadcast.
 * Golden Cove: 1416 on three ports, 52 of them on p15: 472.0 cycles, 0.922 per output vector. Zen 3: 1416 on four pipes, 0.691.
 * 1765 uops issued: 1416 of arithmetic, 256 loads, 21 registers zeroed or moved, 72 of loops over pairs and their blocks.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      1
#define ACTIVATION_BITS  4
#define REGISTERS        64
#define BYTES            4.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       1765
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     2048
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
