/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See bipolar.h.
 */
#include "micro/quantization/bipolar.h"

int32_t bipolar_most(uint32_t bits)
{
    return ((int32_t)1 << bits) - 1;
}

int32_t bipolar_from_bits(uint32_t u, uint32_t bits)
{
    return 2 * (int32_t)u - bipolar_most(bits);
}

uint32_t bipolar_to_bits(int32_t value, uint32_t bits)
{
    return (uint32_t)(value + bipolar_most(bits)) / 2;
}

uint32_t bipolar_bits_of_code(uint32_t code, uint32_t bits)
{
    return (code ^ 1u << (bits - 1)) & (uint32_t)bipolar_most(bits);
}

int32_t bipolar_to_signed(int32_t value)
{
    return (value - 1) / 2;
}

struct affine bipolar_affine_of_signed(struct affine of)
{
    return (struct affine){of.scale / 2, of.zero - of.scale / 2};
}
