/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 1-bit weights, 1-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 1 pair of planes 4 blocks of 82; a pair 12, a level 9, a group 20: 369 uops of arithmetic for 16384 weights, and 64
 * loads that broadcast.
 * Golden Cove: 369 on three ports, 16 of them on p15: 123.0 cycles, 0.240 per output vector. Zen 3: 369 on four pipes, 0.180.
 * 457 uops issued: 369 of arithmetic, 64 loads, 6 registers zeroed or moved, 18 of loops over pairs and their blocks.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      1
#define ACTIVATION_BITS  1
#define REGISTERS        64
#define BYTES            4.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       457
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     2048
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
