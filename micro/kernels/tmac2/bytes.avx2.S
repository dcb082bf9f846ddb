/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tmac2.bytes.avx2.S of the sequences, twice: the bits of four weights, 31 h + l.
 */
#define BASE 31
#include "micro/kernels/lookup_steps_frame.h"
