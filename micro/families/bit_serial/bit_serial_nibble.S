/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial, nibble look-ups: the AVX2 rendering of [apt-llm, III-B]. For each of the P = WEIGHT_BITS ACTIVATION_BITS pairs of planes and each of R =
 * REGISTERS registers 1 XOR, 2 ANDs, 1 shift, 2 shuffles, 2 adds; a pair: 1 vpsadbw, 1 shift, 1 add; a group: 2, of 256 R weights.
 * Golden Cove: P (R + 1) on p01, 2 P R on p15, P on p5, the others anywhere: all on three ports, 1.43 cycles per output vector of w2a2, 4.52 of w3a4.
 * Zen 3: on four pipes, 1.07 and 3.39. Register map: bit_serial_nibble.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    (8 * REGISTERS)
#define LEAST            1
#define MOST             2
#define WEIGHT_BYTES     (32 * REGISTERS * WEIGHT_BITS)
#define ACTIVATION_BYTES (32 * REGISTERS * ACTIVATION_BITS)
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_nibble.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
