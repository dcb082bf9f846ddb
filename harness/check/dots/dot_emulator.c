/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/dots/dot_instruction.h"

#include "platforms/cpu/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "harness/check/vex/vex_context.h"

static const isa_features dots_feature = (isa_features)1 << ISA_FEATURE_AVX_VNNI_INT8;

/** Asked once, since a guest's CPUID traps. Threads that meet here find the same. */
static bool machine_lacks_dots(void)
{
    enum { NOT_ASKED, LACKS, HAS };
    static atomic_int known = NOT_ASKED;
    int answer = atomic_load(&known);
    if (answer == NOT_ASKED) {
        struct cpuid_dump dump;
        answer = cpuid_dump_host(&dump) == 0 && !(isa_features_of(&dump) & dots_feature) ? LACKS : HAS;
        atomic_store(&known, answer);
    }
    return answer == LACKS;
}

bool dot_emulator_stands_in(const char *isa)
{
    const struct isa *row = isa_find(isa);
    return row && (row->required & dots_feature) && machine_lacks_dots();
}

/* What a signal saves is XSAVE's standard format: 512 bytes of FXSAVE, its header, then the parts at places that CPUID says. */
enum { REGISTERS = 16, HALF = 16, FXSAVE_XMM = 160, FXSAVE_SOFTWARE = 464, HEADER = 512 };
enum { PART_SSE = 1 << 1, PART_AVX = 1 << 2 };
#define FRAME_HAS_XSAVE 0x46505853u

struct saved {
    uint8_t *area;
    size_t upper; /* place of the upper halves */
    uint64_t parts;
};

static bool find_saved(ucontext_t *context, struct saved *saved)
{
    enum { LEAF_XSAVE = 0xd, AVX = 2 };
    static atomic_uint place; /* of the upper halves: the same for the whole life of a machine */
    uint32_t magic;
    saved->area = (uint8_t *)context->uc_mcontext.fpregs;
    if (!saved->area)
        return false;
    memcpy(&magic, saved->area + FXSAVE_SOFTWARE, sizeof magic);
    unsigned eax, ebx = atomic_load(&place), ecx, edx;
    if (magic != FRAME_HAS_XSAVE || (!ebx && !__get_cpuid_count(LEAF_XSAVE, AVX, &eax, &ebx, &ecx, &edx)))
        return false;
    atomic_store(&place, ebx);
    saved->upper = ebx;
    memcpy(&saved->parts, saved->area + HEADER, sizeof saved->parts);
    return true;
}

/** A part that is in its initial state is not in memory: it is zero. */
static void load(const struct saved *saved, uint8_t registers[REGISTERS][2 * HALF])
{
    for (unsigned i = 0; i < REGISTERS; i++) {
        memset(registers[i], 0, 2 * HALF);
        if (saved->parts & PART_SSE)
            memcpy(registers[i], saved->area + FXSAVE_XMM + i * HALF, HALF);
        if (saved->parts & PART_AVX)
            memcpy(registers[i] + HALF, saved->area + saved->upper + i * HALF, HALF);
    }
}

static void store(struct saved *saved, uint8_t registers[REGISTERS][2 * HALF])
{
    for (unsigned i = 0; i < REGISTERS; i++) {
        memcpy(saved->area + FXSAVE_XMM + i * HALF, registers[i], HALF);
        memcpy(saved->area + saved->upper + i * HALF, registers[i] + HALF, HALF);
    }
    saved->parts |= PART_SSE | PART_AVX;
    memcpy(saved->area + HEADER, &saved->parts, sizeof saved->parts);
}

bool dot_emulate(ucontext_t *context)
{
    greg_t *rip = &context->uc_mcontext.gregs[REG_RIP];
    uint8_t registers[REGISTERS][2 * HALF];
    struct dot_instruction instruction;
    struct saved saved;
    if (!dot_decode((const uint8_t *)(uintptr_t)*rip, &instruction) || !find_saved(context, &saved))
        return false;
    uint64_t general[VEX_REGISTERS];
    vex_read_general(context, general);
    load(&saved, registers);
    do {
        uint8_t second[2 * HALF];
        general[VEX_REGISTER_RIP] = (uint64_t)*rip + instruction.length;
        if (instruction.second_in_memory)
            memcpy(second, (const void *)(uintptr_t)dot_address(&instruction, general),
                   instruction.is_256 ? 2 * HALF : HALF);
        dot_execute(&instruction, registers, instruction.second_in_memory ? second : NULL);
        *rip += (greg_t)instruction.length;
    } while (dot_decode((const uint8_t *)(uintptr_t)*rip, &instruction));
    store(&saved, registers);
    return true;
}

#else

bool dot_emulator_stands_in(const char *isa)
{
    (void)isa;
    return false;
}

bool dot_emulate(ucontext_t *context)
{
    (void)context;
    return false;
}

#endif
