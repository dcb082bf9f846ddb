/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four panels side by side as they are stored: codes are looked up in a register.
 */
#include "micro/kernels/iq4_nl/codes_signed_256.h"
#include "micro/kernels/iq4_nl_8x8/layout.h"
#include "micro/kernels/products_avx2.h"

#include "micro/kernels/block32_chunks_256.h"

const struct kernel SELF = CHUNKS_KERNEL;

#include "micro/frames/gamma.h"
