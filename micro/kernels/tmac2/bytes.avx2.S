/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The bits of four weights, 31 h + l.
 */
#define BASE        31
#define TABLE_BYTES 32
#define STEP_TABLES (2 * TABLE_BYTES)
#include "micro/kernels/lookup_steps_frame.h"
