/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes_aarch64.h on 256 bits: tables are in both halves of a register, and bytes are widened before they are added, since SVE adds none to words.
 */
#include "micro/kernels/tl1/bytes_aarch64.h"
