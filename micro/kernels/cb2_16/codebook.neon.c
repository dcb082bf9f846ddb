/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sixteen codebooks of four values: a table of four registers; smull, smlal and sadalp: codebook_panels_aarch64.h.
 */
#include "micro/kernels/cb2_16/layout.h"

#include "micro/kernels/codebook_panels_aarch64.h"

#include "micro/frames/gamma.h"
