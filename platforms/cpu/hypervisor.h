/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PLATFORMS_CPU_HYPERVISOR_H
#define PLATFORMS_CPU_HYPERVISOR_H

/**
 * What people call the hypervisor of a signature: "KVM" for the "KVMKVMKVM" of CPUID, "Xen" for the "xen" of
 * /sys/hypervisor/type. Any other text, such as a product of DMI, is returned as it is. Records keep the signature.
 */
const char *hypervisor_name(const char *signature);

#endif
