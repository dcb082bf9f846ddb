/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/check/tiles/tile_emulator.h"

#include "platforms/cpu/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>
#include <xmmintrin.h>

#include "harness/check/vex/vex_context.h"
#include "platforms/cpu/tiles.h"

/* A thread's own, as the registers are. A signal handler has no other way to them. */
static _Thread_local struct tile_registers tile_emulator_tiles;
static _Thread_local const uint8_t *volatile tile_emulator_at;

static const isa_features tiles_feature = (isa_features)1 << ISA_FEATURE_AMX_TILE;

enum { NOT_ASKED, NO, YES };

/** Asked once: a guest's CPUID traps, every checked call asks, and the answer stays. Threads that meet here find the same. */
static bool ask_once(atomic_int *known, bool (*ask)(void))
{
    int answer = atomic_load(known);
    if (answer == NOT_ASKED) {
        answer = ask() ? YES : NO;
        atomic_store(known, answer);
    }
    return answer == YES;
}

/** Of tiles that are refused, loading and storing a configuration raises no signal, so the emulator would not know it. */
static bool asks_whether_it_lacks_tiles(void)
{
    struct cpuid_dump dump;
    return cpuid_dump_host(&dump) == 0 && !(isa_features_of(&dump) & tiles_feature) &&
           tiles_access(&dump) != TILES_REFUSED;
}

static bool machine_lacks_tiles(void)
{
    static atomic_int known = NOT_ASKED;
    return ask_once(&known, asks_whether_it_lacks_tiles);
}

bool tile_emulator_stands_in(const char *isa)
{
    const struct isa *row = isa_find(isa);
    return row && (row->required & tiles_feature) && machine_lacks_tiles();
}

/** One instruction at `code`. */
static enum tile_emulated emulate_one(const uint8_t *code, uint64_t general[TILE_REGISTERS], size_t *length,
                                      const char **why)
{
    struct tile_instruction instruction;
    switch (tile_decode(code, &instruction)) {
    case TILE_IS_OTHER: return TILE_NOT_EMULATED;
    case TILE_IS_UNDEFINED: *why = "is a tile instruction in an undefined encoding"; return TILE_EMULATED_UD;
    default: break;
    }
    general[TILE_REGISTER_RIP] = (uint64_t)(uintptr_t)(code + instruction.length);
    tile_emulator_at = code;
    enum tile_outcome outcome = tile_execute(&tile_emulator_tiles, &instruction, general, why);
    tile_emulator_at = NULL;
    *length = instruction.length;
    return outcome == TILE_EXECUTED ? TILE_EMULATED : outcome == TILE_RAISES_UD ? TILE_EMULATED_UD : TILE_EMULATED_GP;
}

enum tile_emulated tile_emulate(ucontext_t *context, const char **why)
{
    enum { MXCSR_DEFAULT = 0x1f80 };
    greg_t *rip = &context->uc_mcontext.gregs[REG_RIP];
    uint64_t general[TILE_REGISTERS];
    enum tile_emulated emulated;
    size_t length, instructions = 0;
    vex_read_general(context, general);
    unsigned mxcsr = _mm_getcsr(); /* the instructions neither obey nor change it */
    _mm_setcsr(MXCSR_DEFAULT);
    while ((emulated = emulate_one((const uint8_t *)(uintptr_t)*rip, general, &length, why)) == TILE_EMULATED) {
        *rip += (greg_t)length;
        instructions++;
    }
    _mm_setcsr(mxcsr);
    return emulated == TILE_NOT_EMULATED && instructions ? TILE_EMULATED : emulated;
}

const uint8_t *tile_emulator_stopped_at(void)
{
    return tile_emulator_at;
}

static unsigned xgetbv(unsigned index)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(index));
    return low;
}

enum { XCR0_TILES = 3 << 17 };

/** Whether XINUSE tells what is in use: the OS saves tiles, and the CPU has XGETBV with ECX = 1. */
static bool asks_xinuse(void)
{
    enum { LEAF_XSAVE = 0xd, XGETBV1 = 1 << 2 };
    unsigned eax, ebx, ecx, edx;
    return __builtin_cpu_supports("avx") && (xgetbv(0) & XCR0_TILES) &&
           __get_cpuid_count(LEAF_XSAVE, 1, &eax, &ebx, &ecx, &edx) && (eax & XGETBV1);
}

/** XCR0 & XINUSE. */
static bool cpu_tiles_in_use(void)
{
    static atomic_int known = NOT_ASKED;
    return ask_once(&known, asks_xinuse) && (xgetbv(1) & XCR0_TILES);
}

bool tile_registers_are_released(void)
{
    return !tile_emulator_tiles.configured && !cpu_tiles_in_use();
}

void tile_emulator_reset(void)
{
    tile_emulator_at = NULL;
    tile_emulator_tiles = (struct tile_registers){0};
    if (cpu_tiles_in_use())
        __asm__ volatile(".byte 0xc4, 0xe2, 0x78, 0x49, 0xc0"); /* tilerelease, in a file for any CPU */
}

#else

bool tile_emulator_stands_in(const char *isa)
{
    (void)isa;
    return false;
}

enum tile_emulated tile_emulate(ucontext_t *context, const char **why)
{
    (void)context, (void)why;
    return TILE_NOT_EMULATED;
}

const uint8_t *tile_emulator_stopped_at(void)
{
    return NULL;
}

void tile_emulator_reset(void)
{
}

bool tile_registers_are_released(void)
{
    return true;
}

#endif
