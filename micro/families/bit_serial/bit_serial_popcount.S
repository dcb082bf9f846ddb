/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial, VPOPCNTDQ: the AVX-512 rendering of [apt-llm, III-B]. For each of the P = WEIGHT_BITS ACTIVATION_BITS pairs of planes and each of R =
 * REGISTERS registers 1 XOR, 1 vpopcntq, 1 add; a pair: 1 shift, 1 add; a group: 2, of 512 R weights.
 * Golden Cove at 512 bits: all P (3 R + 1) + 1 on p05, P R of them on p5 only, P shifts on p0. Register map: bit_serial_popcount.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define GROUP_DOTS       1
#define GROUP_VECTORS    (16 * REGISTERS)
#define LEAST            1
#define MOST             4
#define WEIGHT_BYTES     (64 * REGISTERS * WEIGHT_BITS)
#define ACTIVATION_BYTES (64 * REGISTERS * ACTIVATION_BITS)
#define ACTIVATION_FILL  FILL_BYTES
#define VECTOR_IS_ZMM
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_popcount.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)dot, (void)magnitude;
    bit_serial_refer(data, WEIGHT_BITS, ACTIVATION_BITS, REGISTERS, VECTOR_BYTES, sum);
}
#endif
