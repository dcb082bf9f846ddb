/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/dots/dot_instruction.h"

#include <string.h>

enum { VEX3 = 0xc4, MAP_MASK = 0x1f, MAP_0F38 = 2, MODRM = 4, MOD_REGISTER = 3 };
enum { PREFIX_MASK = 3, PREFIX_NONE = 0, PREFIX_F3 = 2, PREFIX_F2 = 3, WRAPS = 0x50, SATURATES = 0x51 };

bool dot_decode(const uint8_t *code, struct dot_instruction *instruction)
{
    if (code[0] != VEX3 || (code[1] & MAP_MASK) != MAP_0F38 || (code[3] != WRAPS && code[3] != SATURATES))
        return false;
    struct vex_fields fields = vex_read_fields(code);
    unsigned prefix = code[2] & PREFIX_MASK;
    if (fields.w || (prefix != PREFIX_NONE && prefix != PREFIX_F3 && prefix != PREFIX_F2))
        return false;
    *instruction = (struct dot_instruction){
        .first_signed = prefix != PREFIX_NONE,
        .second_signed = prefix == PREFIX_F2,
        .saturates = code[3] == SATURATES,
        .is_256 = fields.l,
        .second_in_memory = fields.mod != MOD_REGISTER,
        .sum = (uint8_t)(fields.reg | fields.r << 3),
        .first = (uint8_t)fields.vvvv,
        .second = (uint8_t)(fields.rm | fields.b << 3),
        .length = MODRM + 1,
    };
    if (instruction->second_in_memory)
        instruction->length = MODRM + vex_read_memory(code + MODRM, &fields, &instruction->memory);
    return true;
}

uint64_t dot_address(const struct dot_instruction *instruction, const uint64_t general[VEX_REGISTERS])
{
    const struct vex_memory *memory = &instruction->memory;
    uint64_t address = (uint64_t)(int64_t)memory->displacement;
    if (memory->base != VEX_NO_REGISTER)
        address += general[memory->base];
    if (memory->index != VEX_NO_REGISTER)
        address += general[memory->index] << memory->scale;
    return address;
}

static int64_t factor(uint8_t byte, bool is_signed)
{
    return is_signed ? (int8_t)byte : byte;
}

static uint32_t sum_of(int64_t exact, bool is_signed, bool saturates)
{
    if (saturates && is_signed)
        exact = exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? INT32_MIN : exact;
    else if (saturates)
        exact = exact > UINT32_MAX ? UINT32_MAX : exact;
    return (uint32_t)exact;
}

void dot_execute(const struct dot_instruction *instruction, uint8_t registers[16][32], const uint8_t *second)
{
    bool is_signed = instruction->first_signed || instruction->second_signed;
    const uint8_t *first = registers[instruction->first];
    second = second ? second : registers[instruction->second];
    uint8_t result[32] = {0};
    for (unsigned lane = 0; lane < (instruction->is_256 ? 32 : 16); lane += 4) {
        uint32_t before;
        memcpy(&before, registers[instruction->sum] + lane, sizeof before);
        int64_t exact = is_signed ? (int64_t)(int32_t)before : (int64_t)before;
        for (unsigned i = lane; i < lane + 4; i++)
            exact += factor(first[i], instruction->first_signed) * factor(second[i], instruction->second_signed);
        uint32_t after = sum_of(exact, is_signed, instruction->saturates);
        memcpy(result + lane, &after, sizeof after);
    }
    memcpy(registers[instruction->sum], result, sizeof result);
}
