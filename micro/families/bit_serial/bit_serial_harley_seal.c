/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bit-serial products of few bits by carry-save adders and byte shuffles (Harley-Seal), ACTIVATION_BITS by the kernel's name: bit_serial_avx2.h.
 */
#include "micro/of_self.h"
#include OF_FORMAT(layout.h)

#include "micro/families/bit_serial/bit_serial_avx2.h"

/* the GEMM codes weights once for all tokens: this multiplies what is coded */
#define MULTIPLIES_AS(weights, activations)  MULTIPLIES_AS_(weights, activations)
#define MULTIPLIES_AS_(weights, activations) "w" #weights "a" #activations ".chain.avx2"

const struct kernel SELF = {
    BITS_KERNEL,
    .origin = "kneepoint",
    .prefetch_bytes = 16384,
    .gemv = gemv,
    .gemm = {BITS_GEMM(bits_run_whole), .multiply = MULTIPLIES_AS(WEIGHT_BITS, ACTIVATION_BITS)},
};

#include "micro/frames/gamma.h"
