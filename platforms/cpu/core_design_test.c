/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "platforms/cpu/core_design.h"
#include "unit_test.h"

#define F(feature) ((isa_features)1 << ISA_FEATURE_##feature)

static struct cpuid_dump machine(const char *name)
{
    char path[512];
    struct cpuid_dump dump;
    snprintf(path, sizeof path, UNPACKED "/platforms/fixtures/machines/%s.txt", name);
    if (cpuid_dump_read(path, &dump, NULL) != 0)
        fail_msg("cannot read %s", path);
    return dump;
}

static struct cpuid_leaf *leaf_of(struct cpuid_dump *dump, uint32_t leaf, uint32_t subleaf)
{
    for (size_t i = 0; i < dump->count; i++) {
        if (dump->leaves[i].leaf == leaf && dump->leaves[i].subleaf == subleaf)
            return &dump->leaves[i];
    }
    fail_msg("no leaf 0x%x", leaf);
    return NULL;
}

static struct cpu_identity identity_of(const struct cpuid_dump *dump)
{
    struct cpu_identity identity;
    cpu_identity_of(dump, &identity);
    return identity;
}

/** What a dump says, with the core as LLVM names it. */
static void assert_core(const struct cpuid_dump *dump, const char *stated, const char *inferred, const char *llvm)
{
    struct cpu_identity identity = identity_of(dump);
    const char *of_llvm = identity.design[0] ? identity.design[0]->llvm : "";
    if (strcmp(identity.stated_core, stated) != 0 || strcmp(identity.microarchitecture, inferred) != 0 ||
        strcmp(of_llvm, llvm) != 0)
        fail_msg("%s %u/%u: stated '%s', inferred '%s', llvm '%s'; not '%s', '%s', '%s'", identity.vendor,
                 identity.family, identity.model, identity.stated_core, identity.microarchitecture, of_llvm, stated,
                 inferred, llvm);
}

#define MASKED "the model stated, 6/167, is Rocket Lake's, which has no avx_vnni, avx512_bf16, avx512_fp16 and 6 more"

TEST(recorded_machines_are_named)
{
    static const struct {
        const char *machine, *stated, *inferred, *llvm, *contradiction;
    } cases[] = {
        {"haswell/cpuid", "Haswell (client)", "Haswell (client)", "haswell", ""},
        {"alder_lake/cpuid", "Golden Cove (client)", "Golden Cove (client)", "alderlake", ""},
        {"alder_lake/cpuid_efficiency", "Gracemont", "Gracemont", "", ""},
        {"arrow_lake/cpuid", "Lion Cove", "Lion Cove", "", ""},
        {"arrow_lake/cpuid_efficiency", "Skymont", "Skymont", "", ""},
        {"ice_lake_server/cpuid", "Sunny Cove (server)", "Sunny Cove (server)", "icelake-server", ""},
        {"sapphire_rapids/cpuid", "Golden Cove (server)", "Golden Cove (server)", "sapphirerapids", ""},
        {"sapphire_rapids_refused/cpuid", "Golden Cove (server)", "Golden Cove (server)", "sapphirerapids", ""},
        {"granite_rapids_masked/cpuid", "Cypress Cove", "Redwood Cove (server)", "graniterapids", MASKED},
        {"sierra_forest/cpuid", "Crestmont (server)", "Crestmont (server)", "", ""},
        {"zen2/cpuid", "Zen 2", "Zen 2", "znver2", ""},
        {"zen2_guest/cpuid", "Zen 2", "Zen 2", "znver2", ""},
        {"zen3/cpuid", "Zen 3", "Zen 3", "znver3", ""},
        {"zen4/cpuid", "Zen 4", "Zen 4", "znver4", ""},
        {"zen5/cpuid", "Zen 5", "Zen 5", "znver5", ""},
        {"neoverse_n1/cpuid", "Neoverse N1", "Neoverse N1", "neoverse-n1", ""},
        {"neoverse_v1/cpuid", "Neoverse V1", "Neoverse V1", "neoverse-v1", ""},
        {"neoverse_v2/cpuid", "Neoverse V2", "Neoverse V2", "neoverse-v2", ""},
        {"raspberry_pi_5/cpuid", "Cortex-A76", "Cortex-A76", "cortex-a76", ""},
        {"no_name/cpuid", "", "", "", ""},
        {"kvm64/cpuid", "", "", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct cpuid_dump dump = machine(cases[i].machine);
        assert_core(&dump, cases[i].stated, cases[i].inferred, cases[i].llvm);
        assert_string_equal(identity_of(&dump).contradiction, cases[i].contradiction);
    }
}

/** Zen under a licence has a vendor and a family of its own. */
TEST(dhyana_is_zen)
{
    struct cpuid_dump dump = machine("zen2/cpuid");
    memcpy(&leaf_of(&dump, 0, 0)->ebx, "Hygo", 4);
    memcpy(&leaf_of(&dump, 0, 0)->edx, "nGen", 4);
    memcpy(&leaf_of(&dump, 0, 0)->ecx, "uine", 4);
    leaf_of(&dump, 1, 0)->eax = 0x00900f01;
    assert_core(&dump, "Zen", "Zen", "znver1");
}

static void as_rocket_lake(struct cpuid_dump *dump)
{
    leaf_of(dump, 1, 0)->eax = 0x000a0671;
}

TEST(where_two_cores_remain_both_are_said)
{
    struct cpuid_dump dump = machine("sapphire_rapids/cpuid");
    as_rocket_lake(&dump);
    assert_core(&dump, "Cypress Cove", "Golden Cove (server) or Raptor Cove (server)", "sapphirerapids");
    assert_string_equal(identity_of(&dump).design[1]->llvm, "emeraldrapids");

    dump = machine("zen5/cpuid"); /* as Rome, 0x17/0x31 */
    leaf_of(&dump, 1, 0)->eax = 0x00830f10;
    assert_core(&dump, "Zen 2", "Zen 5 or Zen 5c", "znver5");
    assert_non_null(strstr(identity_of(&dump).contradiction, "the model stated, 23/49, is Rome, Matisse or Renoir's"));
}

/** AMD states caches in leaf 0x8000001D; where a hypervisor hides it, in leaves 0x80000005 and 6. */
TEST(caches_of_amd_tell_cores_apart)
{
    struct cpuid_dump dump = machine("zen5/cpuid");
    leaf_of(&dump, 1, 0)->eax = 0x00830f10;
    leaf_of(&dump, 0x8000001d, 0)->ecx = 0x1f; /* 24 KiB of L1d, as no Zen has */
    assert_core(&dump, "Zen 2", "", "");
    leaf_of(&dump, 0x80000000, 0)->eax = 0x80000008;
    assert_core(&dump, "Zen 2", "", ""); /* no caches are known */
    dump.leaves[dump.count++] = (struct cpuid_leaf){0x80000005, 0, 0, 0, 48u << 24, 32u << 24};
    dump.leaves[dump.count++] = (struct cpuid_leaf){0x80000006, 0, 0, 0, 1024u << 16, 0};
    assert_core(&dump, "Zen 2", "Zen 5 or Zen 5c", "znver5");
}

/** A feature of the masked Granite Rapids more or less, or other caches, and it is not one that we know. */
TEST(what_fits_no_core_stays_unnamed)
{
    const struct cpuid_dump masked = machine("granite_rapids_masked/cpuid");
    struct cpuid_dump dump = masked;
    leaf_of(&dump, 7, 1)->edx &= ~(1u << 14); /* no PREFETCHI */
    assert_core(&dump, "Cypress Cove", "", "");
    dump = masked;
    leaf_of(&dump, 7, 1)->edx &= ~(1u << 19); /* no AVX10 */
    assert_core(&dump, "Cypress Cove", "", "");
    dump = masked;
    leaf_of(&dump, 0x24, 0)->ebx = 0x00070002; /* AVX10.2, of a later core */
    assert_core(&dump, "Cypress Cove", "", "");
    dump = masked;
    leaf_of(&dump, 4, 1)->ebx = 0x01c0003f; /* 32 KiB for instructions */
    assert_core(&dump, "Cypress Cove", "", "");
    dump = machine("sapphire_rapids/cpuid");
    as_rocket_lake(&dump);
    leaf_of(&dump, 4, 1)->ebx = 0x03c0003f; /* 64 KiB, and no AVX10 */
    assert_core(&dump, "Cypress Cove", "", "");
    assert_true(identity_of(&dump).contradiction[0]);
}

TEST(what_is_hidden_or_made_up_contradicts_nothing)
{
    struct cpuid_dump dump = machine("sapphire_rapids/cpuid");
    leaf_of(&dump, 7, 0)->edx &= ~(7u << 22 | 1u << 24 | 1u << 25); /* AMX and AVX512-FP16 */
    assert_core(&dump, "Golden Cove (server)", "Golden Cove (server)", "sapphirerapids");
    leaf_of(&dump, 7, 0)->ebx &= ~(1u << 16); /* AVX-512 */
    leaf_of(&dump, 4, 0)->ebx = 0x01c0003f;   /* QEMU's 32 KiB */
    leaf_of(&dump, 4, 2)->ecx = 0x00000fff;   /* and 4 MiB */
    assert_core(&dump, "Golden Cove (server)", "Golden Cove (server)", "sapphirerapids");
    dump = machine("zen4/cpuid");
    dump.xcr0 = 7; /* the OS saves no zmm */
    assert_core(&dump, "Zen 4", "Zen 4", "znver4");
    dump = machine("alder_lake/cpuid"); /* of the first steppings, with AVX-512 */
    leaf_of(&dump, 7, 0)->ebx |= 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
    leaf_of(&dump, 7, 0)->edx |= 1u << 23;
    assert_core(&dump, "Golden Cove (client)", "Golden Cove (client)", "alderlake");
    leaf_of(&dump, 7, 0)->edx |= 1u << 24; /* tiles, which it cannot have */
    assert_core(&dump, "Golden Cove (client)", "", "");
}

/** However many features contradict, the line stays whole. */
TEST(the_longest_contradiction_fits)
{
    struct cpuid_dump dump = machine("zen5/cpuid");
    leaf_of(&dump, 1, 0)->eax = 0x00800f10; /* 0x17/0x01 */
    struct cpu_identity identity = identity_of(&dump);
    assert_string_equal(identity.stated_core, "Zen");
    assert_true(strlen(identity.contradiction) + 40 < sizeof identity.contradiction);
    assert_non_null(strstr(identity.contradiction, " more"));
}

TEST(cores_of_llvm_are_known)
{
    assert_string_equal(core_design_of_llvm("znver3")->name, "Zen 3");
    assert_string_equal(core_design_of_llvm("lunarlake")->name, "Lion Cove");
    assert_null(core_design_of_llvm(""));
    assert_null(core_design_of_llvm("znver33"));
    assert_false(core_design_of_llvm("rocketlake")->most & F(AMX_INT8));
    assert_true(core_design_of_llvm("sapphirerapids")->least & F(AMX_INT8));
}

/** For each core some machine, once masked, is named by it alone or with its twin. */
TEST(every_server_core_with_tiles_is_found_by_its_features)
{
    static const char *const cores[] = {"sapphirerapids", "emeraldrapids", "graniterapids"};
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        const struct core_design *design = core_design_of_llvm(cores[i]), *found[2];
        struct core_caches caches = {design->l1i_kib, design->l1d_kib, design->l2_kib};
        size_t count = core_design_infer("GenuineIntel", false, design->least, &caches, found, 2);
        assert_true(count == 1 || count == 2);
        assert_true(found[0] == design || found[count - 1] == design);
        assert_int_equal(core_design_infer("AuthenticAMD", false, design->least, &caches, found, 2), 0);
        assert_int_equal(core_design_infer("GenuineIntel", true, design->least, &caches, found, 2), 0);
        caches.l1i_kib = 0; /* not known */
        assert_int_equal(core_design_infer("GenuineIntel", false, design->least, &caches, found, 2), 0);
    }
}

RUN_TESTS(NULL, NULL)
