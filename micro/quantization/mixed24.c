/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/quantization/mixed24.h"

#include <math.h>
#include <string.h>

#include "micro/isa/half.h"
#include "micro/isa/random.h"

enum { GROUP4 = MIXED24_GROUPS2, CODE4_COLUMN = GROUP4 * MIXED24_GROUP };

const uint8_t mixed24_scale_bits[MIXED24_GROUPS2] = {4, 3, 3};

static const uint8_t scale_shifts[MIXED24_GROUPS2] = {MIXED24_SCALE_SHIFT_0, MIXED24_SCALE_SHIFT_1,
                                                      MIXED24_SCALE_SHIFT_2};

/** Where the code of a column lies in its step: a byte, and the bit it begins at. */
struct place {
    uint32_t byte, shift, mask;
};

static struct place place_of(uint32_t row, uint32_t column)
{
    uint32_t in_group = column % MIXED24_GROUP, dword = 4 * row + in_group % 4;
    if (column < CODE4_COLUMN)
        return (struct place){MIXED24_CODES2 + 64 * (column / MIXED24_GROUP) + dword, 2 * (in_group / 4), 3};
    return (struct place){MIXED24_CODES4 + 64 * (in_group / 8) + dword, 4 * (in_group / 4 % 2), 15};
}

uint16_t mixed24_word(const struct mixed24_step *step, uint32_t row)
{
    uint32_t word = 0;
    for (uint32_t group = 0; group < MIXED24_GROUPS2; group++) {
        word |= (uint32_t)step->zero[group][row] << 2 * group;
        word |= (uint32_t)step->scale[group][row] << scale_shifts[group];
    }
    return (uint16_t)word;
}

static uint32_t zero_of(uint32_t word, uint32_t group)
{
    return word >> 2 * group & 3;
}

static uint32_t scale_of(uint32_t word, uint32_t group)
{
    return word >> scale_shifts[group] & ((1u << mixed24_scale_bits[group]) - 1);
}

void mixed24_take_word(uint16_t word, uint32_t row, struct mixed24_step *step)
{
    for (uint32_t group = 0; group < MIXED24_GROUPS2; group++) {
        step->zero[group][row] = (uint8_t)zero_of(word, group);
        step->scale[group][row] = (uint8_t)scale_of(word, group);
    }
}

double mixed24_weight_of(uint32_t code, uint32_t group, uint16_t word, uint16_t scale2, int8_t zero2)
{
    double unit = half_to_float(scale2);
    if (group == GROUP4)
        return unit * ((int32_t)code - zero2);
    return unit * ((int32_t)scale_of(word, group) - zero2) * ((int32_t)code - (int32_t)zero_of(word, group));
}

void mixed24_put_step(const struct mixed24_step *step, uint8_t *bytes)
{
    memset(bytes, 0, MIXED24_STEP_BYTES);
    for (uint32_t row = 0; row < MIXED24_ROWS; row++) {
        uint16_t word = mixed24_word(step, row);
        for (uint32_t column = 0; column < MIXED24_COLUMNS; column++) {
            struct place place = place_of(row, column);
            bytes[place.byte] |= (uint8_t)((step->code[row][column] & place.mask) << place.shift);
        }
        memcpy(bytes + MIXED24_WORDS + sizeof word * row, &word, sizeof word);
    }
    memcpy(bytes + MIXED24_SCALE2, step->scale2, sizeof step->scale2);
    memcpy(bytes + MIXED24_ZERO2, step->zero2, sizeof step->zero2);
}

static uint32_t code_at(const uint8_t *bytes, uint32_t row, uint32_t column)
{
    struct place place = place_of(row, column);
    return (uint32_t)bytes[place.byte] >> place.shift & place.mask;
}

static uint16_t word_at(const uint8_t *bytes, uint32_t row)
{
    uint16_t word;
    memcpy(&word, bytes + MIXED24_WORDS + sizeof word * row, sizeof word);
    return word;
}

void mixed24_get_step(const uint8_t *bytes, struct mixed24_step *step)
{
    for (uint32_t row = 0; row < MIXED24_ROWS; row++) {
        for (uint32_t column = 0; column < MIXED24_COLUMNS; column++)
            step->code[row][column] = (uint8_t)code_at(bytes, row, column);
        mixed24_take_word(word_at(bytes, row), row, step);
    }
    memcpy(step->scale2, bytes + MIXED24_SCALE2, sizeof step->scale2);
    memcpy(step->zero2, bytes + MIXED24_ZERO2, sizeof step->zero2);
}

void mixed24_fill_step(uint8_t *bytes, uint64_t *random)
{
    enum { ZEROS2 = MIXED24_ZERO2_MOST - MIXED24_ZERO2_LEAST + 1 };
    random_bytes(bytes, MIXED24_SCALE2, random);
    for (uint32_t group = 0; group < MIXED24_GROUPS; group++) {
        bool two_bits = group < MIXED24_GROUPS2;
        uint16_t half = half_from_float(random_float(random) * (two_bits ? 0x1p-13f : 0x1p-8f));
        int32_t zero2 = two_bits ? MIXED24_ZERO2_LEAST + (int32_t)(random_bits(random) % ZEROS2)
                                 : (int32_t)(random_bits(random) % 16);
        memcpy(bytes + MIXED24_SCALE2 + 2 * group, &half, sizeof half);
        bytes[MIXED24_ZERO2 + group] = (uint8_t)zero2;
    }
}

double mixed24_scale(const struct mixed24_step *step, uint32_t group, uint32_t row)
{
    double scale2 = half_to_float(step->scale2[group]);
    return group == GROUP4 ? scale2 : scale2 * (step->scale[group][row] - step->zero2[group]);
}

int32_t mixed24_zero(const struct mixed24_step *step, uint32_t group, uint32_t row)
{
    return group == GROUP4 ? step->zero2[group] : step->zero[group][row];
}

double mixed24_weight(const struct mixed24_step *step, uint32_t row, uint32_t column)
{
    uint32_t group = column / MIXED24_GROUP;
    return mixed24_scale(step, group, row) * (step->code[row][column] - mixed24_zero(step, group, row));
}

double mixed24_weight_at(const uint8_t *bytes, uint32_t row, uint32_t column)
{
    uint32_t group = column / MIXED24_GROUP;
    uint16_t scale2;
    memcpy(&scale2, bytes + MIXED24_SCALE2 + sizeof scale2 * group, sizeof scale2);
    return mixed24_weight_of(code_at(bytes, row, column), group, word_at(bytes, row), scale2,
                             (int8_t)bytes[MIXED24_ZERO2 + group]);
}

void mixed24_range(const float *w, size_t count, uint32_t bits, float *scale, int32_t *zero)
{
    float least = 0, most = 0, levels = (float)((1u << bits) - 1);
    for (size_t i = 0; i < count; i++) {
        least = fminf(least, w[i]);
        most = fmaxf(most, w[i]);
    }
    *scale = most / levels - least / levels;
    *zero = *scale > 0 ? (int32_t)lrintf(fminf(-least / *scale, levels)) : 0;
}

uint32_t mixed24_code(float w, double scale, int32_t zero, uint32_t bits)
{
    double most = (double)((1u << bits) - 1), code = scale != 0 ? rint(w / scale) + zero : zero;
    return (uint32_t)fmax(0, fmin(code, most));
}

/** binary16 of a scale2 that is not 0: neither 0 nor infinite. */
static uint16_t half_of_scale(float scale2)
{
    enum { LARGEST = 0x7bff };
    uint16_t half = half_from_float(scale2);
    return half == 0 ? 1 : half > LARGEST ? LARGEST : half;
}

void mixed24_encode_scales(const float *scale, uint32_t bits, uint8_t *code, uint16_t *scale2, int8_t *zero2)
{
    float least = HUGE_VALF, most = 0, levels = (float)((1u << bits) - 1);
    for (uint32_t row = 0; row < MIXED24_ROWS; row++) {
        least = scale[row] > 0 ? fminf(least, scale[row]) : least;
        most = fmaxf(most, scale[row]);
    }
    memset(code, 0, MIXED24_ROWS);
    *scale2 = 0;
    *zero2 = 0;
    if (!(most > 0))
        return;
    /* scales that are nearly equal: no finer than zero2 reaches */
    *scale2 = half_of_scale(fmaxf((most - least) / levels, least / -MIXED24_ZERO2_LEAST));
    float step = half_to_float(*scale2);
    *zero2 = (int8_t)fmaxf(MIXED24_ZERO2_LEAST, -rintf(least / step));
    for (uint32_t row = 0; row < MIXED24_ROWS; row++)
        code[row] = (uint8_t)fmaxf(0, fminf(levels, rintf(scale[row] / step) + (float)*zero2));
}

static void put_codes(const float *w, size_t stride, uint32_t group, uint32_t bits, struct mixed24_step *step)
{
    for (uint32_t row = 0; row < MIXED24_ROWS; row++) {
        double scale = mixed24_scale(step, group, row);
        int32_t zero = mixed24_zero(step, group, row);
        for (uint32_t column = group * MIXED24_GROUP; column < (group + 1) * MIXED24_GROUP; column++)
            step->code[row][column] = (uint8_t)mixed24_code(w[row * stride + column], scale, zero, bits);
    }
}

/** mixed24_range() of the group's columns of `rows` rows from `first` on. */
static void range_of(const float *w, size_t stride, const bool *outlier, uint32_t group, uint32_t first, uint32_t rows,
                     float *scale, int32_t *zero)
{
    float kept[MIXED24_ROWS * MIXED24_GROUP];
    size_t count = 0;
    for (uint32_t row = first; row < first + rows; row++) {
        for (uint32_t column = group * MIXED24_GROUP; column < (group + 1) * MIXED24_GROUP; column++) {
            if (!outlier || !outlier[row * MIXED24_COLUMNS + column])
                kept[count++] = w[row * stride + column];
        }
    }
    mixed24_range(kept, count, group == GROUP4 ? 4 : 2, scale, zero);
}

void mixed24_quantize_group(const float *w, size_t stride, const bool *outlier, uint32_t group,
                            struct mixed24_step *step)
{
    float scale[MIXED24_ROWS];
    int32_t zero;
    if (group == GROUP4) {
        range_of(w, stride, outlier, group, 0, MIXED24_ROWS, scale, &zero);
        step->scale2[GROUP4] = scale[0] > 0 ? half_of_scale(scale[0]) : 0;
        step->zero2[GROUP4] = (int8_t)zero;
        put_codes(w, stride, GROUP4, 4, step);
        return;
    }
    for (uint32_t row = 0; row < MIXED24_ROWS; row++) {
        range_of(w, stride, outlier, group, row, 1, &scale[row], &zero);
        step->zero[group][row] = (uint8_t)zero;
    }
    mixed24_encode_scales(scale, mixed24_scale_bits[group], step->scale[group], &step->scale2[group],
                          &step->zero2[group]);
    put_codes(w, stride, group, 2, step);
}

void mixed24_quantize(const float *w, size_t stride, const bool *outlier, struct mixed24_step *step)
{
    for (uint32_t group = 0; group < MIXED24_GROUPS; group++)
        mixed24_quantize_group(w, stride, outlier, group, step);
}
