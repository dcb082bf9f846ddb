/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/vex/vex.h"

#include <stdbool.h>
#include <string.h>

struct vex_fields vex_read_fields(const uint8_t *code)
{
    return (struct vex_fields){.r = !(code[1] >> 7),
                               .x = !(code[1] >> 6 & 1),
                               .b = !(code[1] >> 5 & 1),
                               .w = code[2] >> 7,
                               .vvvv = ~(unsigned)code[2] >> 3 & 15,
                               .l = code[2] >> 2 & 1,
                               .mod = code[4] >> 6,
                               .reg = code[4] >> 3 & 7,
                               .rm = code[4] & 7};
}

size_t vex_read_memory(const uint8_t *modrm, const struct vex_fields *fields, struct vex_memory *memory)
{
    *memory = (struct vex_memory){.base = VEX_NO_REGISTER, .index = VEX_NO_REGISTER};
    size_t at = 1;
    bool has_base = true;
    memory->base = (int)(fields->rm | fields->b << 3);
    if (fields->rm == 4) {
        unsigned sib = modrm[at++], index = (sib >> 3 & 7) | fields->x << 3;
        memory->scale = sib >> 6;
        memory->index = index == 4 ? VEX_NO_REGISTER : (int)index;
        memory->base = (int)((sib & 7) | fields->b << 3);
        has_base = fields->mod != 0 || (sib & 7) != 5;
        if (!has_base)
            memory->base = VEX_NO_REGISTER;
    } else if (fields->mod == 0 && fields->rm == 5) {
        memory->base = VEX_REGISTER_RIP;
        has_base = false;
    }
    if (fields->mod == 1) {
        memory->displacement = (int8_t)modrm[at++];
    } else if (fields->mod == 2 || !has_base) {
        memcpy(&memory->displacement, modrm + at, sizeof memory->displacement);
        at += sizeof memory->displacement;
    }
    return at;
}
