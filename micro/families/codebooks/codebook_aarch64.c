/* SPDX-License-Identifier: BSD-3-Clause
 *
 * GEMV of interleaved rows of group-wise codebooks, by table look-up and sdot, or smull, smlal and sadalp: codebook_panels_aarch64.h. The four values of
 * four codebooks (cb2_4) take a table of one register of Neon, those of sixteen (cb2_16) four, eight values of four (cb3) two, and the third bit of a
 * code from a line of its own.
 */
#include "micro/families/codebooks/codebook_panels_aarch64.h"

#include "micro/frames/gamma.h"
