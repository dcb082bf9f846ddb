/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The values of the codes of IQ4_NL, as llama.cpp's format defines them.
 */
#define IQ4_NL_CODEBOOK -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113

/** And 128 more, as signed bytes of what are unsigned ones. */
#define IQ4_NL_CODEBOOK_OFFSET 1, 24, 45, 63, 79, 93, 106, 118, -127, -115, -103, -90, -75, -59, -39, -15
