/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tile instructions of this CPU against the software that stands in for them elsewhere (tile_execute()), bit by bit:
 * every multiplication that the CPU has, on tiles of random sizes and values, floats with denormals, overflow, infinities
 * and NaN among them; what loads leave of a partial tile; and the configuration as it is stored. Where it passes, what the
 * checks say on CPUs without AMX is what this CPU would have said.
 */
#include <string.h>

#include "harness/check/item_tests.h"
#include "harness/check/tiles/tile_emulator.h"
#include "platforms/cpu/isa.h"
#include "unit_test.h"

enum { TRIALS = 4000, C = 0, A = 1, B = 2, BYTES = TILE_ROWS * TILE_ROW_BYTES };

/** One multiplication: the configuration, and the three tiles as they lie in memory, 64 bytes a row. */
struct trial {
    _Alignas(64) uint8_t configuration[TILE_CONFIGURATION_BYTES], stored[TILE_CONFIGURATION_BYTES];
    uint8_t tile[3][BYTES];
};

/* ---- by this CPU ---- */

#if defined __x86_64__
#define ON_THIS_CPU(operation)                                                                                         \
    static void hardware_##operation(struct trial *trial)                                                              \
    {                                                                                                                  \
        __asm__ volatile(                                                                                              \
            "ldtilecfg (%0)\n\tsttilecfg (%1)\n\t"                                                                     \
            "tileloadd (%2,%5),%%tmm0\n\ttileloaddt1 (%3,%5),%%tmm1\n\ttileloadd (%4,%5),%%tmm2\n\t" #operation        \
            " %%tmm2,%%tmm1,%%tmm0\n\ttilestored %%tmm0,(%2,%5)\n\ttilerelease"                                        \
            :                                                                                                          \
            : "r"(trial->configuration), "r"(trial->stored), "r"(trial->tile[C]), "r"(trial->tile[A]),                 \
              "r"(trial->tile[B]), "r"((size_t)TILE_ROW_BYTES)                                                         \
            : "memory");                                                                                               \
    }
#else
#define ON_THIS_CPU(operation)                                                                                         \
    static void hardware_##operation(struct trial *trial)                                                              \
    {                                                                                                                  \
        (void)trial;                                                                                                   \
        fail();                                                                                                        \
    }
#endif

ON_THIS_CPU(tdpbssd)
ON_THIS_CPU(tdpbsud)
ON_THIS_CPU(tdpbusd)
ON_THIS_CPU(tdpbuud)
ON_THIS_CPU(tdpbf16ps)
ON_THIS_CPU(tdpfp16ps)

static const struct multiplication {
    const char *name, *isa; /* of the row that says whether the CPU has it */
    enum tile_operation operation;
    unsigned half_fraction_bits; /* of floats: 7 or 10; 0: bytes */
    void (*hardware)(struct trial *trial);
} multiplications[] = {
    {"tdpbssd", "amx_int8", TILE_TDPBSSD, 0, hardware_tdpbssd},
    {"tdpbsud", "amx_int8", TILE_TDPBSUD, 0, hardware_tdpbsud},
    {"tdpbusd", "amx_int8", TILE_TDPBUSD, 0, hardware_tdpbusd},
    {"tdpbuud", "amx_int8", TILE_TDPBUUD, 0, hardware_tdpbuud},
    {"tdpbf16ps", "amx_bf16", TILE_TDPBF16PS, 7, hardware_tdpbf16ps},
    {"tdpfp16ps", "amx_fp16", TILE_TDPFP16PS, 10, hardware_tdpfp16ps},
};
enum { MULTIPLICATIONS = sizeof multiplications / sizeof *multiplications };

/* ---- by software ---- */

static void step(struct tile_registers *tiles, enum tile_operation operation, unsigned tile, void *memory)
{
    uint64_t general[TILE_REGISTERS] = {(uintptr_t)memory, TILE_ROW_BYTES};
    const struct tile_instruction instruction = {
        .operation = operation,
        .tiles = {(uint8_t)tile, A, B},
        .base = 0,
        .index = operation == TILE_LDTILECFG || operation == TILE_STTILECFG ? TILE_NO_REGISTER : 1};
    const char *why = "";
    if (tile_execute(tiles, &instruction, general, &why) != TILE_EXECUTED)
        fail_msg("%s: %s", tile_operation_name(operation), why);
}

static void by_software(const struct multiplication *multiplication, struct trial *trial)
{
    struct tile_registers tiles = {0};
    step(&tiles, TILE_LDTILECFG, 0, trial->configuration);
    step(&tiles, TILE_STTILECFG, 0, trial->stored);
    step(&tiles, TILE_TILELOADD, C, trial->tile[C]);
    step(&tiles, TILE_TILELOADDT1, A, trial->tile[A]);
    step(&tiles, TILE_TILELOADD, B, trial->tile[B]);
    step(&tiles, multiplication->operation, C, trial->tile[C]);
    step(&tiles, TILE_TILESTORED, C, trial->tile[C]);
    step(&tiles, TILE_TILERELEASE, 0, trial->tile[C]);
}

/* ---- trials ---- */

/** Of a kind of trial: near one, of all magnitudes and denormals, or any bit pattern. */
static uint32_t draw_real(uint64_t *random, unsigned bits, unsigned fraction_bits, unsigned kind)
{
    uint64_t drawn = draw(random);
    uint32_t fraction = (uint32_t)drawn & ((1u << fraction_bits) - 1), bias = (1u << (bits - 2 - fraction_bits)) - 1;
    uint32_t exponent = bias - 4 + (uint32_t)(drawn >> 60 & 7);
    if (kind == 1)
        exponent = (drawn >> 59 & 3) == 0 ? 0 : (uint32_t)(drawn >> 32) % (2 * bias + 1);
    if (kind == 2)
        return (uint32_t)(drawn >> 16) & (uint32_t)((UINT64_C(1) << bits) - 1);
    return (uint32_t)(drawn >> 63) << (bits - 1) | exponent << fraction_bits | fraction;
}

static void draw_tiles(const struct multiplication *multiplication, struct trial *trial, unsigned kind,
                       uint64_t *random)
{
    for (size_t i = 0; i < BYTES; i++) {
        for (unsigned t = C; t <= B; t++)
            trial->tile[t][i] = (uint8_t)(draw(random) >> 40);
    }
    for (size_t i = 0; multiplication->half_fraction_bits && i < BYTES; i += 4) {
        uint32_t c = draw_real(random, 32, 23, kind);
        memcpy(trial->tile[C] + i, &c, sizeof c);
        for (size_t j = i; j < i + 4; j += 2) {
            uint16_t a = (uint16_t)draw_real(random, 16, multiplication->half_fraction_bits, kind),
                     b = (uint16_t)draw_real(random, 16, multiplication->half_fraction_bits, kind);
            memcpy(trial->tile[A] + j, &a, sizeof a);
            memcpy(trial->tile[B] + j, &b, sizeof b);
        }
    }
}

/** C of m rows and n dwords, A of m rows and k dwords, B of k rows and n dwords. */
static void configure(struct trial *trial, unsigned m, unsigned n, unsigned k)
{
    const unsigned rows[] = {m, m, k}, dwords[] = {n, k, n};
    memset(trial->configuration, 0, sizeof trial->configuration);
    trial->configuration[0] = 1;
    for (unsigned t = C; t <= B; t++) {
        trial->configuration[16 + 2 * t] = (uint8_t)(4 * dwords[t]);
        trial->configuration[48 + t] = (uint8_t)rows[t];
    }
}

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/** Dwords that differ; which NaN it is no manual states. */
static size_t differences(const struct multiplication *multiplication, const struct trial *got,
                          const struct trial *wanted)
{
    size_t count = memcmp(got->stored, wanted->stored, sizeof got->stored) != 0;
    for (size_t i = 0; i < BYTES; i += 4) {
        uint32_t one, other;
        memcpy(&one, got->tile[C] + i, sizeof one);
        memcpy(&other, wanted->tile[C] + i, sizeof other);
        bool alike = one == other || (multiplication->half_fraction_bits && is_nan(one) && is_nan(other));
        if (!alike && !count)
            print_error("%s: C[%zu][%zu] is %08x, not %08x\n", multiplication->name, i / TILE_ROW_BYTES,
                        i % TILE_ROW_BYTES / 4, (unsigned)one, (unsigned)other);
        count += !alike;
    }
    return count;
}

static void is_what_software_says(const struct multiplication *multiplication)
{
    uint64_t random = 1;
    for (unsigned i = 0; i < TRIALS; i++) {
        struct trial trial = {0}, software;
        uint64_t sizes = draw(&random);
        bool full = i % 4 == 0;
        unsigned m = full ? 16 : 1 + (sizes & 15), n = full ? 16 : 1 + (sizes >> 4 & 15),
                 k = full ? 16 : 1 + (sizes >> 8 & 15), kind = i / 4 % 3;
        draw_tiles(multiplication, &trial, kind, &random);
        configure(&trial, m, n, k);
        software = trial;
        multiplication->hardware(&trial);
        by_software(multiplication, &software);
        size_t wrong = differences(multiplication, &trial, &software);
        if (wrong)
            fail_msg("%s, trial %u, %u rows, %u columns, K of %u dwords, values of kind %u: %zu dwords differ",
                     multiplication->name, i, m, n, k, kind, wrong);
    }
}

/** Skipped where the CPU, or this process, has no such tiles; never emulated. */
static void this_cpu_is_what_software_says(void **state)
{
    const struct multiplication *multiplication = *state;
    struct cpuid_dump dump;
    char why[160] = "no CPUID";
    if (cpuid_dump_host(&dump) == 0)
        isa_missing(isa_find(multiplication->isa), &dump, why, sizeof why);
    skip_if(why[0], "not on this machine: no AMX with %s: %s", multiplication->name, why);
    is_what_software_says(multiplication);
}

/** Without AMX the test itself can be tested: software against software with one bit changed. */
static void one_bit_that_differs_is_found(void **state)
{
    (void)state;
    uint64_t random = 2;
    for (size_t i = 0; i < MULTIPLICATIONS; i++) {
        struct trial one = {0}, other;
        draw_tiles(&multiplications[i], &one, 0, &random);
        configure(&one, 16, 16, 16);
        other = one;
        by_software(&multiplications[i], &one);
        by_software(&multiplications[i], &other);
        assert_int_equal(differences(&multiplications[i], &one, &other), 0);
        other.tile[C][4 * 37] ^= 1;
        other.stored[48] ^= 1;
        assert_int_equal(differences(&multiplications[i], &one, &other), 2);
    }
}

int main(void)
{
    static struct item_tests suite;
    item_tests_add(&suite, "tiles:", "one bit that differs is found", one_bit_that_differs_is_found, NULL);
    for (size_t i = 0; i < MULTIPLICATIONS; i++)
        item_tests_add(&suite, multiplications[i].name, "of this CPU is what software says",
                       this_cpu_is_what_software_says, &multiplications[i]);
    return item_tests_run("tiles of this CPU", &suite);
}
