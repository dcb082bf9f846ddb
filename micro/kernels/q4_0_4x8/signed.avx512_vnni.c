/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four panels side by side as they are stored: a bit of each code is turned back, which makes it unsigned.
 */
#include "micro/kernels/q4_0/codes_512.h"
#include "micro/kernels/q4_0_4x8/layout.h"

#include "micro/kernels/block32_chunks_512.h"

const struct kernel SELF = CHUNKS_KERNEL;

#include "micro/frames/gamma.h"
