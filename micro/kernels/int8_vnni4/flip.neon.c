/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flip_aarch64.h; the inner loop is in flip.neon.S.
 */
#include "micro/kernels/int8_vnni4/flip.neon.S"
#include "micro/kernels/int8_vnni4/flip_aarch64.h"
