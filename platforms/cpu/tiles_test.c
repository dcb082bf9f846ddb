/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "platforms/cpu/isa.h"
#include "platforms/cpu/tiles.h"
#include "unit_test.h"

static struct cpuid_dump fixture(const char *name)
{
    char path[512];
    struct cpuid_dump dump;
    snprintf(path, sizeof path, UNPACKED "/platforms/fixtures/%s.txt", name);
    assert_int_equal(cpuid_dump_read(path, &dump, NULL), 0);
    return dump;
}

struct fake {
    int calls, operation, answer;
    unsigned long argument;
};

static int answer(void *context, int operation, unsigned long argument)
{
    struct fake *fake = context;
    fake->calls++;
    fake->operation = operation;
    fake->argument = argument;
    return fake->answer;
}

static int request(const struct cpuid_dump *dump, struct fake *fake)
{
    const struct tile_system system = {answer, fake};
    return tiles_request(dump, &system);
}

TEST(linux_is_asked_for_component_18_once)
{
    struct cpuid_dump dump = fixture("machines/sapphire_rapids/cpuid");
    struct fake fake = {0};
    assert_int_equal(request(&dump, &fake), 0);
    assert_int_equal(fake.calls, 1);
    assert_int_equal(fake.operation, 0x1023);
    assert_int_equal(fake.argument, 18);
    fake.answer = -EPERM;
    assert_int_equal(request(&dump, &fake), -EPERM);
}

TEST(who_has_no_tiles_is_not_asked)
{
    static const char *const without[] = {"machines/zen5/cpuid", "machines/haswell/cpuid",
                                          "cpuid/haswell_without_osxsave", "machines/neoverse_n1/cpuid"};
    struct fake fake = {.answer = -EINVAL};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        struct cpuid_dump dump = fixture(without[i]);
        assert_int_equal(request(&dump, &fake), 0);
        assert_int_equal(tiles_access(&dump), TILES_ABSENT);
    }
    struct cpuid_dump hidden = fixture("machines/sapphire_rapids/cpuid");
    hidden.xcr0 &= ~(UINT64_C(1) << 18);
    assert_int_equal(request(&hidden, &fake), 0);
    assert_int_equal(tiles_access(&hidden), TILES_HIDDEN);
    assert_int_equal(fake.calls, 0);
}

/** Refused: the rows with tiles do not run, and say why; all others do. */
TEST(a_refusal_is_the_reason)
{
    struct cpuid_dump dump = fixture("machines/sapphire_rapids/cpuid");
    char why[200];
    assert_int_equal(tiles_access(&dump), TILES_GRANTED);
    isa_missing(isa_find("amx_int8"), &dump, why, sizeof why);
    assert_string_equal(why, "");
    isa_missing(isa_find("amx_fp16"), &dump, why, sizeof why);
    assert_string_equal(why, "needs amx_fp16");

    dump = fixture("machines/sapphire_rapids_refused/cpuid");
    assert_int_equal(dump.tile_error, -EPERM);
    assert_int_equal(tiles_access(&dump), TILES_REFUSED);
    assert_false(isa_runs(isa_find("amx_int8"), isa_features_of(&dump)));
    assert_true(isa_runs(isa_find("avx512_vnni"), isa_features_of(&dump)));
    isa_missing(isa_find("amx_int8"), &dump, why, sizeof why);
    assert_string_equal(why, "needs the OS to grant AMX tiles: a filter of system calls forbids it (arch_prctl)");
    isa_missing(isa_find("amx_fp16"), &dump, why, sizeof why);
    assert_string_equal(why, "needs amx_fp16, and the OS to grant AMX tiles: a filter of system calls forbids it "
                             "(arch_prctl)");
    isa_missing(isa_find("avx512_vnni"), &dump, why, sizeof why);
    assert_string_equal(why, "");

    dump.xcr0 &= ~(UINT64_C(1) << 18);
    isa_missing(isa_find("amx_bf16"), &dump, why, sizeof why);
    assert_string_equal(why, "needs the OS to save AMX registers (XCR0)");
}

TEST(each_errno_has_a_reason)
{
    assert_string_equal(tiles_refusal(-EINVAL), tiles_refusal(-ENOSYS));
    assert_non_null(strstr(tiles_refusal(-EINVAL), "5.16"));
    assert_non_null(strstr(tiles_refusal(-ENOSPC), "signal stack"));
    assert_string_equal(tiles_refusal(-EIO), strerror(EIO));
}

TEST(sizes_are_those_of_cpuid)
{
    char text[160];
    struct cpuid_dump dump = fixture("machines/sapphire_rapids/cpuid");
    struct tile_facts facts = tiles_facts(&dump);
    assert_int_equal(facts.names, 8);
    assert_int_equal(facts.rows, 16);
    assert_int_equal(facts.row_bytes, 64);
    assert_int_equal(facts.multiplier_rows, 16);
    assert_int_equal(facts.multiplier_row_bytes, 64);
    tiles_describe(&dump, text, sizeof text);
    assert_string_equal(text, "8 of 16 rows x 64 bytes, multiplier of 16 x 64 bytes, granted to this process");
    dump.leaves[0].eax = 0x1c;
    tiles_describe(&dump, text, sizeof text);
    assert_string_equal(text, "granted; CPUID does not state their sizes");
    dump.tile_error = -EINVAL;
    tiles_describe(&dump, text, sizeof text);
    assert_string_equal(text, "the OS refuses them to this process: this Linux cannot grant it: 5.16 is the first "
                              "that can");
    dump = fixture("machines/zen5/cpuid");
    assert_int_equal(tiles_facts(&dump).names, 0);
    tiles_describe(&dump, text, sizeof text);
    assert_string_equal(text, "the CPU has none");
}

/** Whatever this machine is, its dump has been asked for and can be told. */
TEST(this_machine_has_been_asked)
{
    struct cpuid_dump dump;
    skip_if(cpuid_dump_host(&dump) != 0, "not on this machine: neither CPUID nor hwcaps");
    enum tile_access access = tiles_access(&dump);
    assert_int_equal(access == TILES_REFUSED, dump.tile_error != 0);
    if (access == TILES_GRANTED)
        assert_int_equal(tiles_request(&dump, tiles_of_linux()), 0); /* asking again changes nothing */
}

RUN_TESTS(NULL, NULL)
