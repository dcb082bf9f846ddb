/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs of activations, each -2 … 2 times: 63 h + l.
 */
#define BASE        63
#define TOGETHER    4
#define TABLE_BYTES 32
#include "micro/kernels/lookup_tiles_frame.h"
