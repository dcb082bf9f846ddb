/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "platforms/cpu/emulator.h"
#include "unit_test.h"

static struct cpuid_dump recorded(const char *path)
{
    struct cpuid_dump dump;
    assert_int_equal(cpuid_dump_read(path, &dump, NULL), 0);
    return dump;
}

static const char *emulator_of_dump(const struct cpuid_dump *dump)
{
    struct cpu_identity identity;
    cpu_identity_of(dump, &identity);
    return emulator_of_cpu(&identity);
}

/** A Haswell in a guest of this hypervisor. */
static const char *emulator_of_guest(const char signature[13])
{
    struct cpuid_dump dump = recorded(UNPACKED "/platforms/fixtures/machines/haswell/cpuid.txt");
    struct cpuid_leaf leaf = {.leaf = 0x40000000, .eax = 0x40000001};
    for (size_t i = 0; i < dump.count; i++) {
        if (dump.leaves[i].leaf == 1)
            dump.leaves[i].ecx |= UINT32_C(1) << 31;
    }
    memcpy(&leaf.ebx, signature, 4);
    memcpy(&leaf.ecx, signature + 4, 4);
    memcpy(&leaf.edx, signature + 8, 4);
    dump.leaves[dump.count++] = leaf;
    return emulator_of_dump(&dump);
}

TEST(x86_by_the_leaf_of_the_hypervisor)
{
    struct cpuid_dump bare = recorded(UNPACKED "/platforms/fixtures/machines/haswell/cpuid.txt");
    assert_string_equal(emulator_of_dump(&bare), "");
    assert_string_equal(emulator_of_guest("TCGTCGTCGTCG"), "QEMU TCG");
    assert_string_equal(emulator_of_guest("KVMKVMKVM\0\0\0"), "");
    struct cpuid_dump none = {0};
    assert_string_equal(emulator_of_dump(&none), "");
}

TEST(aarch64_by_the_part_that_is_qemus)
{
    struct cpuid_dump dump = recorded(UNPACKED "/platforms/fixtures/machines/neoverse_n1/cpuid.txt");
    assert_string_equal(emulator_of_dump(&dump), "");
    dump.midr = 0x000f0510;
    assert_string_equal(emulator_of_dump(&dump), "QEMU TCG");
    dump.midr = 0x410f0510; /* a part 0x51 of Arm's */
    assert_string_equal(emulator_of_dump(&dump), "");
    dump.midr = 0; /* hidden */
    assert_string_equal(emulator_of_dump(&dump), "");
}

TEST(a_word_of_the_command_line)
{
    static const struct {
        const char *line, *name;
    } cases[] = {
        {"", ""},
        {"console=ttyS0 quiet", ""},
        {"kneepoint.emulated=qemu", "QEMU TCG"},
        {"console=ttyAMA0 kneepoint.emulated=qemu panic=-1", "QEMU TCG"},
        {"console=ttyAMA0 kneepoint.emulated=gem5\n", "gem5"},
        {"quiet kneepoint.emulated", "an unnamed emulator"},
        {"kneepoint.emulated quiet", "an unnamed emulator"},
        {"kneepoint.emulated= quiet", "an unnamed emulator"},
        {"kneepoint.emulated=a\xff"
         "b",
         "a"},
        {"kneepoint.emulatedly=qemu", ""},
        {"no.kneepoint.emulated=qemu", ""},
        {"init=/kneepoint.emulated", ""},
        {"  kneepoint.emulated=qemu", "QEMU TCG"},
    };
    char name[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(name, 'x', sizeof name);
        emulator_of_command_line(cases[i].line, name, sizeof name);
        assert_string_equal(name, cases[i].name);
    }
    emulator_of_command_line("kneepoint.emulated=a-name-that-is-too-long", name, 9);
    assert_string_equal(name, "a-name-t");
}

TEST(test_signatures_are_named)
{
    assert_string_equal(hypervisor_name("KVMKVMKVM"), "KVM");
    assert_string_equal(hypervisor_name("VMwareVMware"), "VMware");
    assert_string_equal(hypervisor_name("Microsoft Hv"), "Hyper-V");
    assert_string_equal(hypervisor_name("XenVMMXenVMM"), "Xen");
    assert_string_equal(hypervisor_name("xen"), "Xen");
    assert_string_equal(hypervisor_name("TCGTCGTCGTCG"), "QEMU TCG");
    assert_string_equal(hypervisor_name("qemu"), "QEMU TCG");
}

TEST(test_other_text_stays)
{
    assert_string_equal(hypervisor_name(""), "");
    assert_string_equal(hypervisor_name("KVM"), "KVM");
    assert_string_equal(hypervisor_name("KVMKVMKVMX"), "KVMKVMKVMX");
    assert_string_equal(hypervisor_name("Amazon EC2 m7i.large"), "Amazon EC2 m7i.large");
}

RUN_TESTS(NULL, NULL)
