/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4-bit weights, 8-bit activations, bit-serial, Harley-Seal over chains of 16 steps: bit_serial_chain.h, where the register map is. For
 * each of 32 pairs of planes 1 block of 82; a pair 11, a level 9, a group 20: 3095 uops of arithmetic for 4096 weights, and 512
 * loads that broadcast.
 * Golden Cove: 3095 on three ports, 154 of them on p15: 1031.7 cycles, 8.060 per output vector. Zen 3: 3095 on four pipes, 6.045.
 * 3705 uops issued: 3095 of arithmetic, 512 loads, 98 registers zeroed or moved.
 */
#define FORMAT           "w4a8"
#define SEQUENCE         "chain"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      4
#define ACTIVATION_BITS  8
#define REGISTERS        16
#define BYTES            16.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       3705
#define GROUP_VECTORS    128
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     2048
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
