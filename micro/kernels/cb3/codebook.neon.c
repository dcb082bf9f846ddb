/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Four codebooks of eight values: a table of two registers, and a third bit of a code from a line of its own; smull, smlal and sadalp: codebook_panels_aarch64.h.
 */
#include "micro/kernels/cb3/layout.h"

#include "micro/kernels/codebook_panels_aarch64.h"

#include "micro/frames/gamma.h"
