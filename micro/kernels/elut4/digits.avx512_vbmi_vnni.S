/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs of activations, 29 h + l.
 */
#define BASE 29
#include "micro/kernels/lookup_lines_frame.h"
