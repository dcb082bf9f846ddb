/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four codebooks of four values: a table of one register; smull, smlal and sadalp: codebook_panels_aarch64.h.
 */
#include "micro/kernels/cb2_4/layout.h"

#include "micro/kernels/codebook_panels_aarch64.h"

#include "micro/frames/gamma.h"
