/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four codebooks of eight values: a table of one register, and a third bit of a code from a line of its own; sdot on 256 bits: codebook_panels_aarch64.h.
 */
#include "micro/kernels/cb3/layout.h"

#include "micro/kernels/codebook_panels_aarch64.h"

#include "micro/frames/gamma.h"
