/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Codes of MXFP4 and NVFP4 looked up to be multiplied on x86-64, twice the value: for vpdpbusd as unsigned bytes, 12 more, else as signed ones.
 */
#include "micro/formats/mxfp4/scale.h"

#if defined __AVX512VNNI__ || defined __AVXVNNI__
#define CODE_OFFSET 12
#define CODE_VALUES MXFP4_TWICE_OFFSET
#else
#define CODE_OFFSET 0
#define CODE_VALUES MXFP4_TWICE
#endif
#include "micro/families/lookup/codes_looked_up.h"
