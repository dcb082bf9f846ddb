/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes.h: a sum of two activations is 29 h + l.
 */
#define BASE         29
#define TABLE_BYTES  32
#define STEP_TABLES  (2 * TABLE_BYTES)
#define BLOCK_GROUPS 10
#include "micro/families/lookup/lookup_steps_frame.h"

#ifndef __ASSEMBLER__
#include "micro/families/lookup/elut_avx2.h"

#include "micro/formats/elut4/bytes.h"

const struct kernel SELF = ELUT4_BYTES_KERNEL("tl1.bytes.avx2", 2048);
#endif
