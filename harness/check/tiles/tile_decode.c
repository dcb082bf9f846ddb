/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/tiles/tile_decode.h"

#include <string.h>

/* The pp field of a VEX prefix stands for a byte in front of the opcode. */
enum { PP_NONE, PP_66, PP_F3, PP_F2 };

/* What follows the opcode. */
enum shape {
    SHAPE_NONE,   /* modrm is 11:000:000 */
    SHAPE_MEMORY, /* any memory operand, modrm.reg is 0 */
    SHAPE_TILE,   /* modrm is 11:tile:000 */
    SHAPE_ROWS,   /* tile and a memory operand with a SIB byte */
    SHAPE_TDP,    /* three tiles: reg, rm, vvvv */
};

struct encoding {
    uint8_t opcode, pp, is_register; /* modrm.mod is 11 */
    uint8_t shape;
    const char *name;
};

static const struct encoding encodings[TILE_OPERATIONS] = {
    [TILE_LDTILECFG] = {0x49, PP_NONE, 0, SHAPE_MEMORY, "ldtilecfg"},
    [TILE_STTILECFG] = {0x49, PP_66, 0, SHAPE_MEMORY, "sttilecfg"},
    [TILE_TILERELEASE] = {0x49, PP_NONE, 1, SHAPE_NONE, "tilerelease"},
    [TILE_TILEZERO] = {0x49, PP_F2, 1, SHAPE_TILE, "tilezero"},
    [TILE_TILELOADD] = {0x4b, PP_F2, 0, SHAPE_ROWS, "tileloadd"},
    [TILE_TILELOADDT1] = {0x4b, PP_66, 0, SHAPE_ROWS, "tileloaddt1"},
    [TILE_TILESTORED] = {0x4b, PP_F3, 0, SHAPE_ROWS, "tilestored"},
    [TILE_TDPBSSD] = {0x5e, PP_F2, 1, SHAPE_TDP, "tdpbssd"},
    [TILE_TDPBSUD] = {0x5e, PP_F3, 1, SHAPE_TDP, "tdpbsud"},
    [TILE_TDPBUSD] = {0x5e, PP_66, 1, SHAPE_TDP, "tdpbusd"},
    [TILE_TDPBUUD] = {0x5e, PP_NONE, 1, SHAPE_TDP, "tdpbuud"},
    [TILE_TDPBF16PS] = {0x5c, PP_F3, 1, SHAPE_TDP, "tdpbf16ps"},
    [TILE_TDPFP16PS] = {0x5c, PP_F2, 1, SHAPE_TDP, "tdpfp16ps"},
};

const char *tile_operation_name(enum tile_operation operation)
{
    return (unsigned)operation < TILE_OPERATIONS ? encodings[operation].name : "";
}

static const struct encoding *find(const uint8_t *code)
{
    unsigned pp = code[2] & 3, is_register = code[4] >> 6 == 3;
    for (unsigned i = 0; i < TILE_OPERATIONS; i++) {
        if (encodings[i].opcode == code[3] && encodings[i].pp == pp && encodings[i].is_register == is_register)
            return &encodings[i];
    }
    return NULL;
}

static size_t read_memory(const uint8_t *modrm, const struct vex_fields *fields, struct tile_instruction *to)
{
    struct vex_memory memory;
    size_t length = vex_read_memory(modrm, fields, &memory);
    to->base = memory.base;
    to->index = memory.index;
    to->scale = memory.scale;
    to->displacement = memory.displacement;
    return length;
}

/** Whether the fields that an instruction of this shape does not use, or must not use so, raise #UD. */
static bool is_undefined(const struct encoding *encoding, const struct vex_fields *fields)
{
    bool many_tiles = encoding->shape == SHAPE_TDP;
    if (fields->l || fields->w || (!many_tiles && fields->vvvv != 0))
        return true;
    switch (encoding->shape) {
    case SHAPE_NONE: return fields->reg != 0 || fields->rm != 0;
    case SHAPE_MEMORY: return fields->reg != 0 || fields->r;
    case SHAPE_TILE: return fields->rm != 0 || fields->r;
    case SHAPE_ROWS: return fields->rm != 4 || fields->r;
    default: return fields->r || fields->b || fields->vvvv > 7;
    }
}

enum tile_decoded tile_decode(const uint8_t *code, struct tile_instruction *instruction)
{
    enum { VEX3 = 0xc4, MAP_0F38 = 2, MODRM = 4 };
    if (code[0] != VEX3 || (code[1] & 31) != MAP_0F38 ||
        (code[3] != 0x49 && code[3] != 0x4b && code[3] != 0x5c && code[3] != 0x5e))
        return TILE_IS_OTHER;
    const struct encoding *encoding = find(code);
    struct vex_fields fields = vex_read_fields(code);
    if (!encoding || is_undefined(encoding, &fields))
        return TILE_IS_UNDEFINED;
    struct tile_instruction read = {.operation = (enum tile_operation)(encoding - encodings),
                                    .length = MODRM + 1,
                                    .tiles = {(uint8_t)fields.reg, (uint8_t)fields.rm, (uint8_t)fields.vvvv},
                                    .base = TILE_NO_REGISTER,
                                    .index = TILE_NO_REGISTER};
    if (!encoding->is_register)
        read.length = MODRM + read_memory(code + MODRM, &fields, &read);
    if (encoding->shape != SHAPE_TDP)
        read.tiles[1] = read.tiles[2] = 0;
    *instruction = read;
    return TILE_IS_DECODED;
}
