/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/tiles/tile_emulator.h"

#include <math.h>
#include <string.h>

enum { PALETTE = 1, MAX_K = 16, DWORD = 4 };

/* ---------------------------------------------------------------- configuration */

/* Where the 64 bytes have what: palette, start row, reserved, 16-bit row bytes of 8 of 16 names, 8-bit rows likewise. */
enum { AT_START_ROW = 1, AT_RESERVED = 2, AT_ROW_BYTES = 16, END_ROW_BYTES = 32, AT_ROWS = 48, END_ROWS = 56 };

static bool all_zero(const uint8_t *bytes, size_t first, size_t end)
{
    while (first < end && bytes[first] == 0)
        first++;
    return first == end;
}

static bool configure(struct tile_registers *tiles, const uint8_t *bytes)
{
    struct tile_registers fresh = {.configured = true, .start_row = bytes[AT_START_ROW]};
    if (bytes[0] == 0) {
        *tiles = (struct tile_registers){0};
        return true;
    }
    if (bytes[0] != PALETTE || !all_zero(bytes, AT_RESERVED, AT_ROW_BYTES) ||
        !all_zero(bytes, END_ROW_BYTES, AT_ROWS) || !all_zero(bytes, END_ROWS, TILE_CONFIGURATION_BYTES))
        return false;
    for (unsigned name = 0; name < TILE_NAMES; name++) {
        memcpy(&fresh.row_bytes[name], bytes + AT_ROW_BYTES + 2 * name, 2);
        fresh.rows[name] = bytes[AT_ROWS + name];
        if (fresh.row_bytes[name] > TILE_ROW_BYTES || fresh.rows[name] > TILE_ROWS ||
            (fresh.rows[name] == 0) != (fresh.row_bytes[name] == 0))
            return false;
    }
    *tiles = fresh;
    return true;
}

static void store_configuration(const struct tile_registers *tiles, uint8_t *bytes)
{
    uint8_t stored[TILE_CONFIGURATION_BYTES] = {0};
    if (tiles->configured) {
        stored[0] = PALETTE;
        stored[AT_START_ROW] = tiles->start_row;
        memcpy(stored + AT_ROW_BYTES, tiles->row_bytes, sizeof tiles->row_bytes);
        memcpy(stored + AT_ROWS, tiles->rows, sizeof tiles->rows);
    }
    memcpy(bytes, stored, sizeof stored);
}

/* ---------------------------------------------------------------- loads and stores */

/** base + displacement, of a configuration with the index as well. */
static uint64_t address_of(const struct tile_instruction *instruction, const uint64_t *general)
{
    uint64_t address = (uint64_t)(int64_t)instruction->displacement;
    return instruction->base == TILE_NO_REGISTER ? address : address + general[instruction->base];
}

static uint64_t stride_of(const struct tile_instruction *instruction, const uint64_t *general)
{
    return instruction->index == TILE_NO_REGISTER ? 0 : general[instruction->index] << instruction->scale;
}

static void load(struct tile_registers *tiles, unsigned name, uint64_t address, uint64_t stride)
{
    if (tiles->start_row == 0)
        memset(tiles->data[name], 0, sizeof tiles->data[name]);
    for (unsigned row = tiles->start_row; row < tiles->rows[name]; row++) {
        memset(tiles->data[name][row], 0, TILE_ROW_BYTES);
        memcpy(tiles->data[name][row], (const void *)(uintptr_t)(address + row * stride), tiles->row_bytes[name]);
    }
    tiles->start_row = 0;
}

static void store(struct tile_registers *tiles, unsigned name, uint64_t address, uint64_t stride)
{
    for (unsigned row = tiles->start_row; row < tiles->rows[name]; row++)
        memcpy((void *)(uintptr_t)(address + row * stride), tiles->data[name][row], tiles->row_bytes[name]);
    tiles->start_row = 0;
}

/* ---------------------------------------------------------------- multiplication */

typedef int16_t eight_words __attribute__((vector_size(16)));
typedef uint32_t four_sums __attribute__((vector_size(16)));

/** Bytes, signed or not, as 16 bits each. */
static void widen(const uint8_t bytes[TILE_ROW_BYTES], bool is_signed, int16_t words[TILE_ROW_BYTES])
{
    for (unsigned i = 0; i < TILE_ROW_BYTES; i++)
        words[i] = is_signed ? (int8_t)bytes[i] : bytes[i];
}

static inline four_sums sums_of_pairs(eight_words a, eight_words b)
{
#ifdef __SSE2__
    return (four_sums)__builtin_ia32_pmaddwd128(a, b);
#else
    four_sums sums = {0};
    for (unsigned i = 0; i < 8; i++)
        sums[i / 2] += (uint32_t)(a[i] * b[i]);
    return sums;
#endif
}

/** One row of A, modulo 2^32, with all columns of B, two sums for each: columns that B lacks are 0. */
static void multiply_bytes(uint32_t c[TILE_ROWS], const int16_t *a, const int16_t (*b)[TILE_ROW_BYTES], unsigned k)
{
    enum { PARTS = TILE_ROW_BYTES / 8 };
    four_sums parts[PARTS] = {0};
    for (unsigned step = 0; step < k; step++) {
        eight_words of_a, of_b;
        memcpy(&of_a, a + DWORD * step, sizeof of_a / 2);
        memcpy((uint8_t *)&of_a + sizeof of_a / 2, a + DWORD * step, sizeof of_a / 2);
#pragma GCC unroll 8
        for (unsigned part = 0; part < PARTS; part++) {
            memcpy(&of_b, b[step] + 8 * part, sizeof of_b);
            parts[part] += sums_of_pairs(of_a, of_b);
        }
    }
    for (unsigned column = 0; column < TILE_ROWS; column++)
        c[column] += parts[column / 2][column % 2 * 2] + parts[column / 2][column % 2 * 2 + 1];
}

/** Denormals are zero, of what goes in and of what comes out, as with MXCSR.DAZ and .FTZ; its sign stays. */
static float flushed(float value)
{
    return fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

static float bf16_at(const uint8_t *row, unsigned index)
{
    uint16_t bits;
    memcpy(&bits, row + (size_t)2 * index, sizeof bits);
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return flushed(value);
}

/** binary16: its denormals are values, and normal ones of binary32. */
static float fp16_at(const uint8_t *row, unsigned index)
{
    uint16_t bits;
    memcpy(&bits, row + (size_t)2 * index, sizeof bits);
    unsigned exponent = bits >> 10 & 31, fraction = bits & 1023;
    uint32_t wide = (exponent + 127 - 15) << 23 | fraction << 13;
    float magnitude;
    memcpy(&magnitude, &wide, sizeof wide);
    if (exponent == 0)
        magnitude = (float)fraction * 0x1p-24f;
    else if (exponent == 31)
        magnitude = fraction ? NAN : INFINITY;
    return bits & 0x8000 ? -magnitude : magnitude;
}

/** One row: sums of even and of odd terms apart, each a fused multiply-add from zero on, added to C at the end. */
static void multiply_halves(float *c, const float *a, const float (*b)[2 * TILE_ROWS], unsigned k, unsigned n)
{
    float sums[2 * TILE_ROWS] = {0};
    for (unsigned step = 0; step < k; step++) {
        for (unsigned i = 0; i < 2 * n; i++)
            sums[i] = flushed(fmaf(a[2 * step + i % 2], b[step][i], sums[i]));
    }
    for (unsigned column = 0; column < n; column++)
        c[column] = flushed(flushed(c[column]) + flushed(sums[2 * column] + sums[2 * column + 1]));
}

static void multiply_tiles_of_halves(struct tile_registers *tiles, const uint8_t *names,
                                     float (*at)(const uint8_t *row, unsigned index))
{
    unsigned k = tiles->row_bytes[names[1]] / DWORD, n = tiles->row_bytes[names[2]] / DWORD;
    float a[2 * TILE_ROWS], b[TILE_ROWS][2 * TILE_ROWS], c[TILE_ROWS];
    for (unsigned step = 0; step < k; step++) {
        for (unsigned i = 0; i < 2 * n; i++)
            b[step][i] = at(tiles->data[names[2]][step], i);
    }
    for (unsigned row = 0; row < tiles->rows[names[0]]; row++) {
        for (unsigned i = 0; i < 2 * k; i++)
            a[i] = at(tiles->data[names[1]][row], i);
        memcpy(c, tiles->data[names[0]][row], sizeof c);
        multiply_halves(c, a, (const float(*)[2 * TILE_ROWS]) b, k, n);
        memcpy(tiles->data[names[0]][row], c, sizeof c);
    }
}

static void multiply_tiles_of_bytes(struct tile_registers *tiles, const uint8_t *names, bool a_signed, bool b_signed)
{
    unsigned k = tiles->row_bytes[names[1]] / DWORD;
    int16_t a[TILE_ROW_BYTES], b[TILE_ROWS][TILE_ROW_BYTES];
    uint32_t c[TILE_ROWS];
    for (unsigned step = 0; step < k; step++)
        widen(tiles->data[names[2]][step], b_signed, b[step]);
    for (unsigned row = 0; row < tiles->rows[names[0]]; row++) {
        widen(tiles->data[names[1]][row], a_signed, a);
        memcpy(c, tiles->data[names[0]][row], sizeof c);
        multiply_bytes(c, a, (const int16_t(*)[TILE_ROW_BYTES])b, k);
        memcpy(tiles->data[names[0]][row], c, sizeof c);
    }
}

/** Why three tiles cannot be multiplied; NULL: they can. */
static const char *misfit(const struct tile_registers *tiles, const uint8_t *names)
{
    unsigned c = names[0], a = names[1], b = names[2];
    if (a == b || a == c || b == c)
        return "multiplies a tile with itself";
    if (!tiles->rows[a] || !tiles->rows[b] || !tiles->rows[c])
        return "names a tile that the configuration lacks";
    if (tiles->row_bytes[a] % DWORD || tiles->row_bytes[b] % DWORD || tiles->row_bytes[c] % DWORD)
        return "multiplies rows that are not whole dwords";
    if (tiles->rows[c] != tiles->rows[a] || tiles->row_bytes[c] != tiles->row_bytes[b] ||
        tiles->row_bytes[a] / DWORD != tiles->rows[b])
        return "multiplies tiles whose sizes do not fit";
    return NULL;
}

static enum tile_outcome multiply(struct tile_registers *tiles, const struct tile_instruction *instruction,
                                  const char **why)
{
    *why = misfit(tiles, instruction->tiles);
    if (*why)
        return TILE_RAISES_UD;
    enum tile_operation operation = instruction->operation;
    if (operation == TILE_TDPBF16PS || operation == TILE_TDPFP16PS)
        multiply_tiles_of_halves(tiles, instruction->tiles, operation == TILE_TDPBF16PS ? bf16_at : fp16_at);
    else
        multiply_tiles_of_bytes(tiles, instruction->tiles, operation == TILE_TDPBSSD || operation == TILE_TDPBSUD,
                                operation == TILE_TDPBSSD || operation == TILE_TDPBUSD);
    tiles->start_row = 0;
    return TILE_EXECUTED;
}

/* ---------------------------------------------------------------- all of them */

static enum tile_outcome execute_on_tile(struct tile_registers *tiles, const struct tile_instruction *instruction,
                                         const uint64_t *general, const char **why)
{
    unsigned name = instruction->tiles[0];
    uint64_t address = address_of(instruction, general), stride = stride_of(instruction, general);
    *why = "names a tile that the configuration lacks";
    if (!tiles->rows[name])
        return TILE_RAISES_UD;
    switch (instruction->operation) {
    case TILE_TILEZERO:
        memset(tiles->data[name], 0, sizeof tiles->data[name]);
        tiles->start_row = 0;
        break;
    case TILE_TILESTORED: store(tiles, name, address, stride); break;
    default: load(tiles, name, address, stride); break;
    }
    return TILE_EXECUTED;
}

enum tile_outcome tile_execute(struct tile_registers *tiles, const struct tile_instruction *instruction,
                               const uint64_t general[TILE_REGISTERS], const char **why)
{
    uint64_t address = address_of(instruction, general) + stride_of(instruction, general);
    uint8_t bytes[TILE_CONFIGURATION_BYTES];
    switch (instruction->operation) {
    case TILE_LDTILECFG:
        memcpy(bytes, (const void *)(uintptr_t)address, sizeof bytes);
        *why = "loads a configuration that palette 1 does not allow";
        return configure(tiles, bytes) ? TILE_EXECUTED : TILE_RAISES_GP;
    case TILE_STTILECFG: store_configuration(tiles, (uint8_t *)(uintptr_t)address); return TILE_EXECUTED;
    case TILE_TILERELEASE: *tiles = (struct tile_registers){0}; return TILE_EXECUTED;
    default: break;
    }
    if (!tiles->configured) {
        *why = "uses tiles that are not configured";
        return TILE_RAISES_UD;
    }
    return instruction->operation >= TILE_TDPBSSD ? multiply(tiles, instruction, why)
                                                  : execute_on_tile(tiles, instruction, general, why);
}
