/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Eight rows to a register of 256 bits: interleaved_aarch64.h.
 */
#include "micro/kernels/q2_k_m16/interleaved_aarch64.h"

#include "micro/frames/gamma.h"
