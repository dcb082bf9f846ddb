/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows to a register of scales, four to one of codes, with sdot of 256 bits: interleaved_aarch64.h.
 */
#include "micro/kernels/q2_k_8x8/interleaved_aarch64.h"

#include "micro/frames/gamma.h"
