/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial, Harley-Seal over chains of 64 steps that are coded already: bit_serial_chain.h, where the register map is. For each of the WEIGHT_BITS ACTIVATION_BITS pairs of
 * planes 4 blocks of 82 of arithmetic; a pair 12, a level 9, a group 20, for 16384 weights; and 64 loads a pair that broadcast, registers that are zeroed
 * or moved, and loops over pairs and their blocks.
 * Of w2a2 1407 are of arithmetic. Golden Cove: 1407 on three ports, 50 of them on p15: 469.0 cycles, 0.916 per output vector. Zen 3: on four pipes, 0.687.
 * Of w4a8 10999. Golden Cove: 346 of them on p15: 3666.3 cycles, 7.161 per output vector. Zen 3: 5.371.
 */
#define ORIGIN           "kneepoint"
#define CLAIMED          0.0
#define REGISTERS        64
#define GROUP_DOTS       1
#define GROUP_VECTORS    512
#define LEAST            1
#define MOST             1
#define WEIGHT_BYTES     (2048 * WEIGHT_BITS)
#define ACTIVATION_BYTES (512 * ACTIVATION_BITS)
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_chain.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    chain_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, sum);
}
#endif
