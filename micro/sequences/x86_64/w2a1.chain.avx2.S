/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 1-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 2 pairs of planes 4 blocks of 82; a pair 12, a level 9, a group 20: 718 uops of arithmetic for 16384 weights, and 128
 * loads that broadcast.
 * Golden Cove: 718 on three ports, 28 of them on p15: 239.3 cycles, 0.467 per output vector. Zen 3: 718 on four pipes, 0.351.
 * 893 uops issued: 718 of arithmetic, 128 loads, 11 registers zeroed or moved, 36 of loops over pairs and their blocks.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      2
#define ACTIVATION_BITS  1
#define REGISTERS        64
#define BYTES            8.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       893
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     4096
#define ACTIVATION_BYTES 512
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
