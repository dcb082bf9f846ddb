/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The values of the codes of IQ4_NL, as llama.cpp's format defines them.
 */
#define IQ4_NL_CODEBOOK -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113
