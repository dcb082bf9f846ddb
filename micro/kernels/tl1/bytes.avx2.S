/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tl1.bytes.avx2.S of the sequences, twice: pairs of activations, 23 h + l.
 */
#define BASE 23
#include "micro/kernels/lookup_steps_frame.h"
