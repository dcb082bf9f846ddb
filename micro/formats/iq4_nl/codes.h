/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of the orders of IQ4_NL looked up to be multiplied on x86-64: for vpdpbusd as unsigned bytes, else as signed ones.
 */
#include "micro/formats/iq4_nl/codebook.h"

#if defined __AVX512VNNI__ || defined __AVXVNNI__
#define CODE_OFFSET 128 /* of what is multiplied over the weight */
#define CODE_VALUES IQ4_NL_CODEBOOK_OFFSET
#else
#define CODE_OFFSET 0
#define CODE_VALUES IQ4_NL_CODEBOOK
#endif
#include "micro/families/lookup/codes_looked_up.h"
