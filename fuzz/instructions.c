/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Machine code at which a SIGILL was raised: instructions of tiles and of dot products that are executed in software, whose code is
 * read up to the end of the instruction and no further.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "harness/check/dots/dot_instruction.h"
#include "harness/check/tiles/tile_decode.h"

enum { LONGEST = 15 };

/** That many bytes and no more, which AddressSanitizer watches. */
static uint8_t *first_of(const uint8_t *code, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);
    if (copy)
        memcpy(copy, code, length);
    return copy;
}

static void hold_tile(const uint8_t *code)
{
    struct tile_instruction one = {0}, again = {0};
    if (tile_decode(code, &one) != TILE_IS_DECODED)
        return;
    hold(one.length > 0 && one.length <= LONGEST && tile_operation_name(one.operation)[0]);
    hold(one.tiles[0] < 8 && one.tiles[1] < 8 && one.tiles[2] < 8 && one.scale < 4);
    hold(one.base < TILE_REGISTERS && one.index < TILE_REGISTERS);
    uint8_t *alone = first_of(code, one.length);
    hold(!alone || (tile_decode(alone, &again) == TILE_IS_DECODED && again.length == one.length));
    free(alone);
}

static void hold_dot(const uint8_t *code)
{
    const uint64_t general[VEX_REGISTERS] = {0};
    uint8_t registers[16][32] = {{0}}, second[32] = {0};
    struct dot_instruction one = {0}, again = {0};
    if (!dot_decode(code, &one))
        return;
    hold(one.length > 0 && one.length <= LONGEST && one.sum < 16 && one.first < 16);
    hold(one.second_in_memory || one.second < 16);
    if (one.second_in_memory)
        (void)dot_address(&one, general);
    dot_execute(&one, registers, one.second_in_memory ? second : NULL);
    uint8_t *alone = first_of(code, one.length);
    hold(!alone || (dot_decode(alone, &again) && again.length == one.length));
    free(alone);
}

FUZZ_TARGET(bytes, length)
{
    uint8_t code[2 * LONGEST] = {0};
    memcpy(code, bytes, length < LONGEST ? length : LONGEST);
    hold_tile(code);
    hold_dot(code);
}
