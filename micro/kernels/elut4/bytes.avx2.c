/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes.h; the groups are in bytes.avx2.S.
 */
enum { INTERLEAVE = 4, BLOCK_GROUPS = 10 };

#include "micro/kernel.h"
#include "micro/kernels/lookup_avx2.h"

#include "micro/kernels/elut4/bytes.avx2.S"

#include "micro/kernels/elut_avx2.h"

#include "micro/kernels/elut4/bytes.h"

const struct kernel SELF = ELUT4_BYTES_KERNEL("tl1.bytes.avx2", 2048);
