/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit weights, 2-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 8 pairs of planes 4 blocks of 82; a pair 12, a level 9, a group 20: 2785 uops of arithmetic for 16384 weights, and 512
 * loads that broadcast.
 * Golden Cove: 2785 on three ports, 94 of them on p15: 928.3 cycles, 1.813 per output vector. Zen 3: 2785 on four pipes, 1.360.
 * 3464 uops issued: 2785 of arithmetic, 512 loads, 32 registers zeroed or moved, 135 of loops over pairs and their blocks.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      4
#define ACTIVATION_BITS  2
#define REGISTERS        64
#define BYTES            16.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       3464
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     8192
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
