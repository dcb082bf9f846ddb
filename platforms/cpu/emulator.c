/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/cpu/emulator.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "platforms/cpu/hypervisor.h"

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
