/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four codebooks of four values: a table of half a register; sdot on 256 bits: codebook_panels_aarch64.h.
 */
#include "micro/kernels/cb2_4/layout.h"

#include "micro/kernels/codebook_panels_aarch64.h"

#include "micro/frames/gamma.h"
