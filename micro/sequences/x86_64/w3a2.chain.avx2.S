/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 2-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 6 pairs of planes 4 blocks of 82; a pair 12, a level 9, a group 20: 2096 uops of arithmetic for 16384 weights, and 384
 * loads that broadcast.
 * Golden Cove: 2096 on three ports, 72 of them on p15: 698.7 cycles, 1.365 per output vector. Zen 3: 2096 on four pipes, 1.023.
 * 2607 uops issued: 2096 of arithmetic, 384 loads, 25 registers zeroed or moved, 102 of loops over pairs and their blocks.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      3
#define ACTIVATION_BITS  2
#define REGISTERS        64
#define BYTES            12.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       2607
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     6144
#define ACTIVATION_BYTES 1024
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
