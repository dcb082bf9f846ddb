/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs of activations, 29 h + l.
 */
#define BASE        29
#define TABLE_BYTES 32
#define STEP_TABLES (2 * TABLE_BYTES)
#include "micro/kernels/lookup_steps_frame.h"
