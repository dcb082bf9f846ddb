/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit weights, 8-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 32 pairs of planes 4 blocks of 82; a pair 12, a level 9, a group 20: 10999 uops of arithmetic for 16384 weights, and 2048
 * loads that broadcast.
 * Golden Cove: 10999 on three ports, 346 of them on p15: 3666.3 cycles, 7.161 per output vector. Zen 3: 10999 on four pipes, 5.371.
 * 13658 uops issued: 10999 of arithmetic, 2048 loads, 98 registers zeroed or moved, 513 of loops over pairs and their blocks.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      4
#define ACTIVATION_BITS  8
#define REGISTERS        64
#define BYTES            16.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       13658
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     8192
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
