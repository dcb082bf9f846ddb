/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2-bit weights, 8-bit activations, bit-serial, Harley-Seal over chains of 16 steps: bit_serial_chain.h, where the register map is. For
 * each of 16 pairs of planes 1 block of 82; a pair 11, a level 9, a group 20: 1589 uops of arithmetic for 4096 weights, and 256
 * loads that broadcast.
 * Golden Cove: 1589 on three ports, 86 of them on p15: 529.7 cycles, 4.138 per output vector. Zen 3: 1589 on four pipes, 3.104.
 * 1905 uops issued: 1589 of arithmetic, 256 loads, 60 registers zeroed or moved.
 */
#define FORMAT           "w2a8"
#define SEQUENCE         "chain"
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define WEIGHT_BITS      2
#define ACTIVATION_BITS  8
#define REGISTERS        16
#define BYTES            8.0 /* planes of weights */
#define GROUP_DOTS       1
#define GROUP_UOPS       1905
#define GROUP_VECTORS    128
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     1024
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
