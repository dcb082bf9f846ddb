/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3-bit weights, 8-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 24 pairs of planes 4 blocks of 82; a pair 12, a level 9, a group 20: 8270 uops of arithmetic for 16384 weights, and 1536
 * loads that broadcast.
 * Golden Cove: 8270 on three ports, 264 of them on p15: 2756.7 cycles, 5.384 per output vector. Zen 3: 8270 on four pipes, 4.038.
 * 10275 uops issued: 8270 of arithmetic, 1536 loads, 79 registers zeroed or moved, 390 of loops over pairs and their blocks.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      3
#define ACTIVATION_BITS  8
#define REGISTERS        64
#define BYTES            12.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       10275
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     6144
#define ACTIVATION_BYTES 4096
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
