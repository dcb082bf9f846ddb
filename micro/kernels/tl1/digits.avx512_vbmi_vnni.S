/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs of activations, 23 h + l.
 */
#define BASE 23
#include "micro/kernels/lookup_lines_frame.h"
