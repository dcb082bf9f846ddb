/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/tiles/tile_execute.h"

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

static int32_t byte_of(uint8_t byte, bool is_signed)
{
    return is_signed ? (int8_t)byte : byte;
}

/** One row of A with all of B, modulo 2^32. */
static void multiply_bytes(int32_t *c, const uint8_t *a, const uint8_t (*b)[TILE_ROW_BYTES], unsigned k, unsigned n,
                           bool a_signed, bool b_signed)
{
    for (unsigned step = 0; step < k; step++) {
        int32_t of_a[DWORD];
        for (unsigned i = 0; i < DWORD; i++)
            of_a[i] = byte_of(a[DWORD * step + i], a_signed);
        for (unsigned column = 0; column < n; column++) {
            const uint8_t *of_b = &b[step][(size_t)DWORD * column];
            int32_t sum = 0;
            for (unsigned i = 0; i < DWORD; i++)
                sum += of_a[i] * byte_of(of_b[i], b_signed);
            c[column] = (int32_t)((uint32_t)c[column] + (uint32_t)sum);
        }
    }
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
    float magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                      : exponent     ? ldexpf((float)(1024 + fraction), (int)exponent - 25)
                                     : ldexpf((float)fraction, -24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

/** One row: sums of even and of odd terms apart, each a fused multiply-add from zero on, added to C at the end. */
static void multiply_halves(float *c, const uint8_t *a, const uint8_t (*b)[TILE_ROW_BYTES], unsigned k, unsigned n,
                            float (*at)(const uint8_t *row, unsigned index))
{
    float sums[2 * TILE_ROWS] = {0};
    for (unsigned step = 0; step < k; step++) {
        for (unsigned i = 0; i < 2 * n; i++)
            sums[i] = flushed(fmaf(at(a, 2 * step + i % 2), at(b[step], i), sums[i]));
    }
    for (unsigned column = 0; column < n; column++)
        c[column] = flushed(flushed(c[column]) + flushed(sums[2 * column] + sums[2 * column + 1]));
}

static void multiply_row(struct tile_registers *tiles, const struct tile_instruction *instruction, unsigned row)
{
    enum tile_operation operation = instruction->operation;
    unsigned a = instruction->tiles[1], b = instruction->tiles[2], k = tiles->row_bytes[a] / DWORD;
    unsigned n = tiles->row_bytes[b] / DWORD;
    const uint8_t(*of_b)[TILE_ROW_BYTES] = (const uint8_t(*)[TILE_ROW_BYTES])tiles->data[b];
    int32_t sums[TILE_ROWS];
    float real[TILE_ROWS];
    uint8_t *c = tiles->data[instruction->tiles[0]][row];
    if (operation == TILE_TDPBF16PS || operation == TILE_TDPFP16PS) {
        memcpy(real, c, sizeof real);
        multiply_halves(real, tiles->data[a][row], of_b, k, n, operation == TILE_TDPBF16PS ? bf16_at : fp16_at);
        memcpy(c, real, sizeof real);
        return;
    }
    memcpy(sums, c, sizeof sums);
    multiply_bytes(sums, tiles->data[a][row], of_b, k, n, operation == TILE_TDPBSSD || operation == TILE_TDPBSUD,
                   operation == TILE_TDPBSSD || operation == TILE_TDPBUSD);
    memcpy(c, sums, sizeof sums);
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
    unsigned c = instruction->tiles[0];
    for (unsigned row = 0; row < tiles->rows[c]; row++)
        multiply_row(tiles, instruction, row);
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
