/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 8-bit activations, bit-serial, Harley-Seal over chains of 64 steps: bit_serial_chain.h, where the register map is. For
 * each of 16 pairs of planes 4 blocks of 82; a pair 12, a level 9, a group 20: 5541 uops of arithmetic for 16384 weights, and 1024
 * loads that broadcast.
 * Golden Cove: 5541 on three ports, 182 of them on p15: 1847.0 cycles, 3.607 per output vector. Zen 3: 5541 on four pipes, 2.706.
 * 6892 uops issued: 5541 of arithmetic, 1024 loads, 60 registers zeroed or moved, 267 of loops over pairs and their blocks.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      2
#define ACTIVATION_BITS  8
#define REGISTERS        64
#define BYTES            8.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       6892
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     4096
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
