/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platforms/cpu/isa.h"
#include "unit_test.h"

#define FIXTURES UNPACKED "/platforms/fixtures/"

static struct cpuid_dump fixture(const char *name)
{
    char path[512];
    struct cpuid_dump dump;
    unsigned line;
    snprintf(path, sizeof path, FIXTURES "%s.txt", name);
    int error = cpuid_dump_read(path, &dump, &line);
    if (error != 0)
        fail_msg("%s line %u: %s", path, line, strerror(-error));
    return dump;
}

/** Read a dump from text through a temporary file. */
static int read_text(const char *text, struct cpuid_dump *dump, unsigned *line)
{
    char path[] = "/tmp/kneepoint_isa_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    int error = cpuid_dump_read(path, dump, line);
    unlink(path);
    return error;
}

static const char *why_not(const char *row, const struct cpuid_dump *dump)
{
    static char text[256];
    const struct isa *isa = isa_find(row);
    assert_non_null(isa);
    isa_missing(isa, dump, text, sizeof text);
    assert_int_equal(text[0] == '\0', isa_runs(isa, isa_features_of(dump)));
    return text;
}

/* ---------------------------------------------------------------- which rows run */

/** Rows that run on each fixture, and no others. */
TEST(each_fixture_runs_exactly_its_rows)
{
    static const struct {
        const char *fixture, *rows;
    } cases[] = {
        {"machines/sapphire_rapids/cpuid",
         "reference avx2 avx_vnni avx_vnni_gfni avx512 avx512_vnni avx512_vbmi_vnni avx512_vpopcntdq "
         "avx512_bf16 avx512_fp16 amx_int8 amx_bf16 "},
        {"machines/sapphire_rapids_refused/cpuid",
         "reference avx2 avx_vnni avx_vnni_gfni avx512 avx512_vnni avx512_vbmi_vnni avx512_vpopcntdq "
         "avx512_bf16 avx512_fp16 "},
        {"machines/granite_rapids_masked/cpuid",
         "reference avx2 avx_vnni avx_vnni_gfni avx512 avx512_vnni avx512_vbmi_vnni avx512_vpopcntdq "
         "avx512_bf16 avx512_fp16 amx_int8 amx_bf16 amx_fp16 "},
        {"machines/ice_lake_server/cpuid", "reference avx2 avx512 avx512_vnni avx512_vbmi_vnni avx512_vpopcntdq "},
        {"machines/alder_lake/cpuid", "reference avx2 avx_vnni avx_vnni_gfni "},
        {"machines/alder_lake/cpuid_efficiency", "reference avx2 avx_vnni avx_vnni_gfni "},
        {"machines/sierra_forest/cpuid", "reference avx2 avx_vnni avx_vnni_int8 avx_vnni_gfni "},
        {"machines/haswell/cpuid", "reference avx2 "},
        {"machines/kvm64/cpuid", "reference "},
        {"machines/zen2/cpuid", "reference avx2 "},
        {"machines/zen2_guest/cpuid", "reference avx2 "},
        {"machines/zen3/cpuid", "reference avx2 "},
        {"machines/no_name/cpuid", "reference avx2 avx512 "},
        {"cpuid/haswell_without_osxsave", "reference "},
        {"cpuid/ice_lake_without_zmm", "reference avx2 "},
        {"machines/arrow_lake/cpuid", "reference avx2 avx_vnni avx_vnni_int8 avx_vnni_gfni "},
        {"machines/arrow_lake/cpuid_efficiency", "reference avx2 avx_vnni avx_vnni_int8 avx_vnni_gfni "},
        {"machines/zen4/cpuid", "reference avx2 avx512 avx512_vnni avx512_vbmi_vnni avx512_vpopcntdq avx512_bf16 "},
        {"machines/zen5/cpuid",
         "reference avx2 avx_vnni avx_vnni_gfni avx512 avx512_vnni avx512_vbmi_vnni avx512_vpopcntdq avx512_bf16 "},
        {"machines/neoverse_n1/cpuid", "reference neon neon_dotprod "},
        {"machines/neoverse_v1/cpuid", "reference neon neon_fhm neon_dotprod neon_i8mm neon_bf16 sve256 "},
        {"machines/neoverse_v2/cpuid", "reference neon neon_fhm neon_dotprod neon_i8mm neon_bf16 "},
        {"machines/raspberry_pi_5/cpuid", "reference neon neon_dotprod "},
        {"cpuid/apple_m1_performance", "reference neon neon_fhm neon_dotprod "},
        {"cpuid/apple_m2_efficiency", "reference neon neon_fhm neon_dotprod neon_i8mm neon_bf16 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cpuid_dump dump = fixture(cases[i].fixture);
        char runs[256] = "";
        size_t count;
        const struct isa *rows = isa_rows(&count);
        for (size_t row = 0; row < count; row++) {
            if (*why_not(rows[row].name, &dump) == '\0')
                strcat(strcat(runs, rows[row].name), " ");
        }
        if (strcmp(runs, cases[i].rows) != 0)
            fail_msg("%s runs '%s', not '%s'", cases[i].fixture, runs, cases[i].rows);
    }
}

TEST(what_is_missing_is_named)
{
    struct cpuid_dump haswell = fixture("machines/haswell/cpuid"), no_zmm = fixture("cpuid/ice_lake_without_zmm");
    struct cpuid_dump no_xsave = fixture("cpuid/haswell_without_osxsave"), arm = fixture("machines/neoverse_n1/cpuid");
    struct cpuid_dump zen4 = fixture("machines/zen4/cpuid");

    assert_string_equal(why_not("avx2", &haswell), "");
    assert_string_equal(why_not("avx_vnni_int8", &haswell), "needs avx_vnni, avx_vnni_int8");
    assert_string_equal(why_not("avx_vnni", &zen4), "needs avx_vnni");
    assert_string_equal(why_not("avx_vnni_gfni", &haswell), "needs gfni, avx_vnni");
    assert_string_equal(why_not("avx512_fp16", &zen4), "needs avx512_fp16");
    assert_string_equal(why_not("amx_int8", &zen4), "needs amx_tile, amx_int8");
    assert_string_equal(why_not("amx_bf16", &zen4), "needs amx_tile, amx_bf16");
    assert_string_equal(why_not("amx_fp16", &zen4), "needs amx_tile, amx_fp16");
    assert_string_equal(why_not("avx512_vnni", &no_zmm), "needs the OS to save AVX-512 registers (XCR0)");
    assert_string_equal(why_not("avx2", &no_xsave), "needs the OS to save AVX registers (OSXSAVE is off)");
    assert_string_equal(why_not("avx_vnni", &no_xsave),
                        "needs avx_vnni, and the OS to save AVX registers (OSXSAVE is off)");
    assert_string_equal(why_not("avx2", &arm), "is for x86_64");
    assert_string_equal(why_not("neon_i8mm", &arm), "needs i8mm");
    assert_string_equal(why_not("neon_i8mm", &haswell), "is for aarch64");
}

/** Code of 256 bits runs with no other length, not with a longer one either. */
TEST(vectors_of_another_length_are_refused)
{
    static const struct {
        uint64_t bytes;
        const char *why;
    } cases[] = {{16, "needs sve_256"}, {32, ""}, {48, "needs sve_256"}, {64, "needs sve_256"}, {256, "needs sve_256"}};
    struct cpuid_dump dump = fixture("machines/neoverse_v1/cpuid");
    assert_int_equal(dump.sve_bytes, 32);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dump.sve_bytes = cases[i].bytes;
        assert_string_equal(why_not("sve256", &dump), cases[i].why);
    }
    dump.sve_bytes = 0; /* a kernel or hypervisor without SVE */
    dump.hwcap &= ~(UINT64_C(1) << 22);
    assert_string_equal(why_not("sve256", &dump), "needs sve, sve_256");
}

TEST(a_long_reason_is_cut_with_dots)
{
    struct cpuid_dump haswell = fixture("machines/haswell/cpuid");
    char text[16];
    memset(text, 'x', sizeof text);
    isa_missing(isa_find("avx512_vnni"), &haswell, text, sizeof text);
    assert_string_equal(text, "needs avx512...");
    text[0] = 'x';
    isa_missing(isa_find("avx512_vnni"), &haswell, text, 1);
    assert_int_equal(text[0], '\0');
    text[0] = 'x';
    isa_missing(isa_find("avx512_vnni"), &haswell, text, 0);
    assert_int_equal(text[0], 'x');
}

TEST(rows_are_found_by_name)
{
    assert_string_equal(isa_find("avx_vnni")->architecture, "x86_64");
    assert_true(isa_find("avx512_vnni")->priority > isa_find("avx_vnni")->priority);
    assert_null(isa_find("avx"));
    assert_null(isa_find(""));
    assert_string_equal(isa_feature_name(ISA_FEATURE_AVX_VNNI), "avx_vnni");
    assert_string_equal(isa_feature_name(ISA_FEATURE_COUNT), "");
}

/** Every subset of a row's features fails but the whole. */
TEST(a_row_runs_only_with_all_it_requires)
{
    size_t count;
    const struct isa *rows = isa_rows(&count);
    for (size_t row = 0; row < count; row++) {
        assert_true(isa_runs(&rows[row], ~(isa_features)0));
        for (unsigned bit = 0; bit < 64; bit++) {
            isa_features one = (isa_features)1 << bit;
            assert_int_equal(isa_runs(&rows[row], ~one), (rows[row].required & one) == 0);
        }
    }
}

/* ---------------------------------------------------------------- the rules of CPUID */

static bool has(const struct cpuid_dump *dump, enum isa_feature feature)
{
    return isa_features_of(dump) >> feature & 1;
}

TEST(each_register_state_is_asked_for)
{
    struct cpuid_dump dump = fixture("machines/sapphire_rapids/cpuid");
    assert_true(has(&dump, ISA_FEATURE_AMX_INT8));
    dump.xcr0 &= ~UINT64_C(0x40000); /* tile data */
    assert_false(has(&dump, ISA_FEATURE_AMX_INT8));
    assert_true(has(&dump, ISA_FEATURE_AVX512F));
    dump.xcr0 &= ~UINT64_C(0x80); /* zmm 16-31 */
    assert_false(has(&dump, ISA_FEATURE_AVX512F));
    assert_true(has(&dump, ISA_FEATURE_AVX2));
    dump.xcr0 &= ~UINT64_C(0x4); /* ymm */
    assert_false(has(&dump, ISA_FEATURE_AVX2));
    assert_true(has(&dump, ISA_FEATURE_BMI2));
}

TEST(leaves_above_the_highest_are_not_believed)
{
    struct cpuid_dump dump = fixture("machines/arrow_lake/cpuid");
    assert_true(has(&dump, ISA_FEATURE_AVX_VNNI_INT8));
    for (size_t i = 0; i < dump.count; i++) {
        if (dump.leaves[i].leaf == 7 && dump.leaves[i].subleaf == 0)
            dump.leaves[i].eax = 0; /* highest subleaf */
    }
    assert_false(has(&dump, ISA_FEATURE_AVX_VNNI_INT8));
    assert_true(has(&dump, ISA_FEATURE_AVX2));
    dump.leaves[0].eax = 6; /* highest leaf */
    assert_false(has(&dump, ISA_FEATURE_AVX2));
}

/** Neighbouring features that one fixture has together, each by its own bit. */
TEST(each_feature_has_its_own_bit)
{
    static const struct {
        uint32_t eax, ecx, edx;
        enum isa_feature feature;
    } bits[] = {
        {1u << 4, 0, 0, ISA_FEATURE_AVX_VNNI},        {0, 0, 1u << 4, ISA_FEATURE_AVX_VNNI_INT8},
        {0, 0, 1u << 10, ISA_FEATURE_AVX_VNNI_INT16}, {1u << 23, 0, 0, ISA_FEATURE_AVX_IFMA},
        {0, 0, 1u << 5, ISA_FEATURE_AVX_NE_CONVERT},  {1u << 5, 0, 0, ISA_FEATURE_AVX512_BF16},
        {0, 0, 1u << 19, ISA_FEATURE_AVX10},          {1u << 21, 0, 0, ISA_FEATURE_AMX_FP16},
    };
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        struct cpuid_dump dump = {.count = 4, .xcr0 = ~UINT64_C(0)};
        dump.leaves[0] = (struct cpuid_leaf){.leaf = 0, .eax = 7};
        dump.leaves[1] = (struct cpuid_leaf){.leaf = 1, .ecx = 1u << 27};
        dump.leaves[2] = (struct cpuid_leaf){.leaf = 7, .eax = 1};
        dump.leaves[3] = (struct cpuid_leaf){7, 1, bits[i].eax, 0, bits[i].ecx, bits[i].edx};
        assert_true(isa_features_of(&dump) == (isa_features)1 << bits[i].feature);
    }
}

TEST(xcr0_without_osxsave_is_ignored)
{
    struct cpuid_dump dump = fixture("cpuid/haswell_without_osxsave");
    dump.xcr0 = 7;
    assert_false(has(&dump, ISA_FEATURE_AVX2));
    assert_true(has(&dump, ISA_FEATURE_BMI2));
}

/* ---------------------------------------------------------------- identity */

TEST(identities)
{
    static const struct {
        const char *fixture, *vendor, *brand, *hypervisor, *microarchitecture;
        uint32_t family, model, stepping;
        bool hybrid;
    } cases[] = {
        {"machines/sapphire_rapids/cpuid", "GenuineIntel", "Intel(R) Xeon(R) Processor", "KVMKVMKVM",
         "Golden Cove (server)", 6, 143, 8, false},
        {"machines/haswell/cpuid", "GenuineIntel", "Intel(R) Core(TM) i7-4770 CPU @ 3.40GHz", "", "Haswell (client)", 6,
         0x3c, 3, false},
        {"machines/arrow_lake/cpuid", "GenuineIntel", "Intel(R) Core(TM) Ultra 9 285K", "", "Lion Cove", 6, 0xc6, 2,
         true},
        {"machines/arrow_lake/cpuid_efficiency", "GenuineIntel", "Intel(R) Core(TM) Ultra 9 285K", "", "Skymont", 6,
         0xc6, 2, true},
        {"machines/zen4/cpuid", "AuthenticAMD", "AMD Ryzen 9 7950X 16-Core Processor", "", "Zen 4", 0x19, 0x61, 2,
         false},
        {"machines/zen5/cpuid", "AuthenticAMD", "AMD Ryzen 9 9950X 16-Core Processor", "", "Zen 5", 0x1a, 0x44, 0,
         false},
        {"machines/neoverse_n1/cpuid", "Arm", "", "", "Neoverse N1", 0x41, 0xd0c, 0x31, false},
        {"machines/neoverse_v1/cpuid", "Arm", "", "", "Neoverse V1", 0x41, 0xd40, 0x11, false},
        {"cpuid/neoverse_n2", "Arm", "", "", "Neoverse N2", 0x41, 0xd49, 0x00, false},
        {"machines/neoverse_v2/cpuid", "Arm", "", "", "Neoverse V2", 0x41, 0xd4f, 0x00, false},
        {"machines/raspberry_pi_5/cpuid", "Arm", "", "", "Cortex-A76", 0x41, 0xd0b, 0x41, false},
        {"cpuid/apple_m1_performance", "Apple", "", "", "Firestorm (M1)", 0x61, 0x023, 0x11, false},
        {"cpuid/apple_m2_efficiency", "Apple", "", "", "Blizzard (M2)", 0x61, 0x032, 0x10, false},
        {"cpuid/arm_without_main_id", "", "", "", "", 0, 0, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cpuid_dump dump = fixture(cases[i].fixture);
        struct cpu_identity identity;
        cpu_identity_of(&dump, &identity);
        assert_string_equal(identity.vendor, cases[i].vendor);
        assert_string_equal(identity.brand, cases[i].brand);
        assert_string_equal(identity.hypervisor, cases[i].hypervisor);
        assert_string_equal(identity.microarchitecture, cases[i].microarchitecture);
        assert_int_equal(identity.family, cases[i].family);
        assert_int_equal(identity.model, cases[i].model);
        assert_int_equal(identity.stepping, cases[i].stepping);
        assert_int_equal(identity.hybrid, cases[i].hybrid);
    }
}

TEST(an_unknown_model_stays_unnamed)
{
    struct cpuid_dump dump = fixture("machines/haswell/cpuid");
    struct cpu_identity identity;
    for (size_t i = 0; i < dump.count; i++) {
        if (dump.leaves[i].leaf == 1)
            dump.leaves[i].eax = 0x000f06f0; /* family 6 model 0xff */
    }
    cpu_identity_of(&dump, &identity);
    assert_int_equal(identity.model, 0xff);
    assert_string_equal(identity.microarchitecture, "");

    dump = fixture("machines/neoverse_n1/cpuid");
    dump.midr = 0x413fdff1; /* Arm, part 0xdff */
    cpu_identity_of(&dump, &identity);
    assert_string_equal(identity.vendor, "Arm");
    assert_string_equal(identity.microarchitecture, "");
    dump.midr = 0x7f3fd0c1; /* the part number of another implementer's core */
    cpu_identity_of(&dump, &identity);
    assert_string_equal(identity.vendor, "");
    assert_string_equal(identity.microarchitecture, "");
}

/* ---------------------------------------------------------------- reading dumps */

#define LEAF0         "   0x00000000 0x00: eax=0x00000001 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n"
#define LEAF1_OSXSAVE "   0x00000001 0x00: eax=0x000306c3 ebx=0x00100800 ecx=0x7ffafbff edx=0xbfebfbff\n"

TEST(malformed_dumps_are_refused_with_their_line)
{
    static const struct {
        const char *text;
        int error;
        unsigned line;
    } cases[] = {
        {"CPU:\n" LEAF0 "XCR0: 0x7\n", 0, 0},
        {"", -ENODATA, 0},
        {"# nothing\n\n", -ENODATA, 0},
        {LEAF0 LEAF1_OSXSAVE, -ENODATA, 0}, /* XCR0 is missing */
        {LEAF0 LEAF1_OSXSAVE "XCR0: 0x7", 0, 0},
        {LEAF0 "flags: avx2\n", -EINVAL, 2},
        {LEAF0 "XCR0: many\n", -EINVAL, 2},
        {LEAF0 "XCR0: 0x7 0x7\n", -EINVAL, 2},
        {LEAF0 "XCR0:\n", -EINVAL, 2},
        {LEAF0 "TILE-ERROR: 0x1\n", 0, 0},
        {LEAF0 "TILE-ERROR: 0x1000\n", -EINVAL, 2}, /* no errno is so large */
        {LEAF0 "TILE-ERROR: EPERM\n", -EINVAL, 2},
        {LEAF0 "   0x00000001 0x00: eax=0x000306c3 ebx=0x0010\n", -EINVAL, 2},
        {LEAF0 "   0x00000001 0x00: eax=0 ebx=0 ecx=0 edx=0x0 extra\n", -EINVAL, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cpuid_dump dump;
        unsigned line = 99;
        int error = read_text(cases[i].text, &dump, &line);
        if (error != cases[i].error || line != cases[i].line)
            fail_msg("case %zu: error %d line %u", i, error, line);
    }
}

TEST(of_several_cpus_the_first_counts)
{
    struct cpuid_dump dump;
    assert_int_equal(read_text("CPU 0:\n" LEAF0 "CPU 1:\n" LEAF0 LEAF0, &dump, NULL), 0);
    assert_int_equal(dump.count, 1);
}

TEST(what_lacks_least_is_told)
{
    struct cpuid_dump haswell = fixture("machines/haswell/cpuid"), none = fixture("cpuid/haswell_without_osxsave");
    assert_true(isa_lacks_less("avx_vnni", "avx512_vnni", &haswell));
    assert_false(isa_lacks_less("avx512_vnni", "avx_vnni", &haswell));
    assert_true(isa_lacks_less("avx2", "avx512_vpopcntdq", &none));
    assert_false(isa_lacks_less("avx2", "avx2", &none));
}

TEST(files_that_cannot_be_read)
{
    struct cpuid_dump dump;
    assert_int_equal(cpuid_dump_read(FIXTURES "absent.txt", &dump, NULL), -ENOENT);
    assert_int_equal(cpuid_dump_read(FIXTURES, &dump, NULL), -EISDIR);
}

TEST(too_many_leaves_are_refused)
{
    char text[(CPUID_DUMP_LEAVES + 1) * sizeof LEAF0] = "";
    struct cpuid_dump dump;
    unsigned line;
    for (int i = 0; i < CPUID_DUMP_LEAVES; i++)
        strcat(text, LEAF0);
    assert_int_equal(read_text(text, &dump, &line), 0);
    strcat(text, LEAF0);
    assert_int_equal(read_text(text, &dump, &line), -E2BIG);
    assert_int_equal(line, CPUID_DUMP_LEAVES + 1);
}

/** AMD's cache leaf, of which 4 subleaves and a last empty one, lies above what else is read of the extended leaves. */
TEST(this_cpu_is_asked_for_its_caches)
{
#if defined(__x86_64__)
    struct cpuid_dump dump;
    assert_int_equal(cpuid_dump_host(&dump), 0);
    assert_true(dump.count < CPUID_DUMP_LEAVES); /* none was left out for room */
    const struct cpuid_leaf *extended = cpuid_dump_leaf(&dump, 0x80000000, 0);
    assert_non_null(extended);
    for (uint32_t subleaf = 0; subleaf < 5; subleaf++)
        assert_int_equal(cpuid_dump_leaf(&dump, 0x8000001d, subleaf) != NULL, extended->eax >= 0x8000001d);
#else
    print_message("# not on this machine: no x86-64\n");
    skip();
#endif
}

/** What the compiler's own test of the running CPU says must agree with ours. */
TEST(this_cpu_agrees_with_the_compiler)
{
#if defined(__x86_64__)
    struct cpuid_dump dump;
    assert_int_equal(cpuid_dump_host(&dump), 0);
    assert_int_equal(has(&dump, ISA_FEATURE_AVX2), !!__builtin_cpu_supports("avx2"));
    assert_int_equal(has(&dump, ISA_FEATURE_FMA), !!__builtin_cpu_supports("fma"));
    assert_int_equal(has(&dump, ISA_FEATURE_BMI2), !!__builtin_cpu_supports("bmi2"));
    assert_int_equal(has(&dump, ISA_FEATURE_AVX512F), !!__builtin_cpu_supports("avx512f"));
    assert_int_equal(has(&dump, ISA_FEATURE_AVX512_VNNI), !!__builtin_cpu_supports("avx512vnni"));
    assert_int_equal(has(&dump, ISA_FEATURE_AVX512_VPOPCNTDQ), !!__builtin_cpu_supports("avx512vpopcntdq"));
    assert_int_equal(has(&dump, ISA_FEATURE_GFNI), !!__builtin_cpu_supports("gfni"));
#else
    print_message("# not on this machine: no x86-64\n");
    skip();
#endif
}

/** Linux spells some names without the underscore: compare without any. */
static void strip_underscores(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != '_')
            *to++ = *from;
    }
    *to = '\0';
}

/** A flag of /proc/cpuinfo that is one of our features must have been found. (Older kernels do not list the newest.) */
TEST(this_cpu_agrees_with_the_kernel)
{
    struct cpuid_dump dump;
    static char line[16384];
    bool seen = false;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !seen && fgets(line, sizeof line, file))
        seen = strncmp(line, "flags", 5) == 0;
    if (file)
        fclose(file);
    skip_if(!seen || cpuid_dump_host(&dump) != 0 || strcmp(cpuid_dump_architecture(&dump), "x86_64") != 0,
            "not on this machine: no flags in /proc/cpuinfo");

    for (char *flag = strtok(strchr(line, ':') + 1, " \n"); flag; flag = strtok(NULL, " \n")) {
        strip_underscores(flag);
        for (unsigned i = 0; i < ISA_FEATURE_NEON; i++) {
            char name[32];
            snprintf(name, sizeof name, "%s", isa_feature_name((enum isa_feature)i));
            strip_underscores(name);
            if (strcmp(flag, name) == 0 && !has(&dump, (enum isa_feature)i))
                fail_msg("the kernel lists %s, CPUID does not", flag);
        }
    }
}

RUN_TESTS(NULL, NULL)
