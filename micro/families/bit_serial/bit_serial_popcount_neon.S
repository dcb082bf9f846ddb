/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial, NEON [apt-llm, III-B]. For each of the WEIGHT_BITS ACTIVATION_BITS pairs of planes and each of STEPS steps of 64 columns and 8 rows 1 dup
 * and 4 times eor, cnt and uadalp; between levels 4 shifts each; 4 to widen. The others are loads.
 * Neoverse N1, N2: 2 vector pipes, for the 128 output vectors of w2a2: >= 1.67, for the 64 of w3a4: >= 5.06. V1, V2: 4 pipes: >= 0.84 and 2.53.
 * Register map: bit_serial_popcount.h.
 */
#define ORIGIN           "apt-llm"
#define CLAIMED          0.0
#define GROUP_DOTS       4
#define GROUP_VECTORS    (16 * STEPS)
#define LEAST            1
#define MOST             8
#define WEIGHT_BYTES     (64 * STEPS * WEIGHT_BITS)
#define ACTIVATION_BYTES (8 * STEPS * ACTIVATION_BITS)
#define ACTIVATION_FILL  FILL_BYTES
#include "micro/sequences/sequence_frame.h"
#include "micro/families/bit_serial/bit_serial_popcount_neon.h"

#ifdef __ASSEMBLER__
    sequence_functions
#else
void sequence_reference(const struct sequence_data *data, uint32_t dot, void *sum, double *magnitude)
{
    (void)magnitude;
    bit_serial_refer_differing(data, dot, sum);
}
#endif
