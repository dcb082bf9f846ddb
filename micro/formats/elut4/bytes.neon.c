/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bytes.h, of which saddw and smlal make words, as of TL1's.
 */
enum {
    INTERLEAVE = 4,
    GROUP_STEPS = 4,
    BLOCK_STEPS = 10 * GROUP_STEPS,
    BASE = 29,
    TABLE_BYTES = 32,
    STEP_TABLES = 2 * TABLE_BYTES
};

#include "micro/families/lookup/elut_neon.h"
#include "micro/formats/tl1/bytes_steps_aarch64.h"

#include "micro/formats/tl1/blocks_aarch64.h"

#include "micro/formats/elut4/bytes.h"

/* predicted: no core of aarch64 has been timed */
const struct kernel SELF = ELUT4_BYTES_KERNEL(NULL, 1024);

/* its gamma */
#define STEP_COLUMNS       TL1_STEP_COLUMNS
#define STEP_BYTES         TL1_STEP_BYTES
#define STEPS_TOGETHER     BLOCK_STEPS
#define STEP_OPERAND_BYTES (sizeof(struct tables) + BLOCK_STEPS * STEP_TABLES)
#define STEP_LARGEST       127
#define STEP_OFFSET(of)    (((const struct tables *)(of))->middles)
#include "micro/families/lookup/lookup_gamma.h"
#include "micro/frames/gamma.h"
