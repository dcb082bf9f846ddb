/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/cpu/emulator.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Implementer 0 is for software, and QEMU's part is 'Q'. With KVM the same option gives the host's part. */
enum { SOFTWARE = 0, PART_QEMU = 'Q' };

const char *emulator_of_cpu(const struct cpu_identity *identity)
{
    static const char tcg[] = "TCGTCGTCGTCG";
    bool is_qemus = !identity->vendor[0] && identity->family == SOFTWARE && identity->model == (uint32_t)PART_QEMU;
    return strcmp(identity->hypervisor, tcg) == 0 || is_qemus ? hypervisor_name(tcg) : "";
}

/** The printable characters that text begins with: records are UTF-8. */
static int printable(const char *text)
{
    int length = 0;
    while (text[length] > ' ' && text[length] <= '~')
        length++;
    return length;
}

void emulator_of_command_line(const char *line, char *name, size_t size)
{
    static const char word[] = "kneepoint.emulated";
    char given[64] = "";
    const char *at = line;
    while (*at && (strncmp(at, word, sizeof word - 1) != 0 || !strchr("= \n", at[sizeof word - 1])))
        at += strcspn(at, " ") + (at[strcspn(at, " ")] == ' ');
    name[0] = '\0';
    if (!*at)
        return;
    at += sizeof word - 1;
    if (*at == '=')
        snprintf(given, sizeof given, "%.*s", printable(at + 1), at + 1);
    snprintf(name, size, "%s", given[0] ? hypervisor_name(given) : "an unnamed emulator");
}

/* Leaf 0x40000000: EBX, ECX, EDX, less trailing NULs. "Linux KVM Hv" is KVM with Hyper-V's interface. "qemu" is what
 * boots an emulated machine with kneepoint.emulated=qemu. */
static const struct {
    const char *signature, *name;
} known[] = {
    {"KVMKVMKVM", "KVM"},      {"Linux KVM Hv", "KVM"},  {"VMwareVMware", "VMware"},   {"Microsoft Hv", "Hyper-V"},
    {"XenVMMXenVMM", "Xen"},   {"xen", "Xen"},           {"TCGTCGTCGTCG", "QEMU TCG"}, {"VBoxVBoxVBox", "VirtualBox"},
    {"bhyve bhyve ", "bhyve"}, {"ACRNACRNACRN", "ACRN"}, {"qemu", "QEMU TCG"},
};

const char *hypervisor_name(const char *signature)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(signature, known[i].signature) == 0)
            return known[i].name;
    }
    return signature;
}
