/* SPDX-License-Identifier: BSD-3-Clause */
#include "platforms/cpu/hypervisor.h"

#include <stddef.h>
#include <string.h>

/* Leaf 0x40000000: EBX, ECX, EDX, less trailing NULs. "Linux KVM Hv" is KVM with Hyper-V's interface. "qemu" is what
 * boots an emulated machine with kneepoint.emulated=qemu (emulator.h). */
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
