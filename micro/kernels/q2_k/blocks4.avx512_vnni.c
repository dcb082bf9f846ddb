/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The scales of a block are brought to all quarters, and vpshufb spreads them: 4 uops more for four blocks than the sequence. blocks4_512.h.
 */
#include "micro/kernels/q2_k/blocks4_512.h"

const struct kernel SELF = Q2_K_BLOCKS4_KERNEL("q2_k.blocks4.avx512_vbmi_vnni");
