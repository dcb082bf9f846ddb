/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>

#include "platforms/cpu/isa.h"

/** Whether instructions are emulated, and what hypervisors are called. Pure. */

/** What that means for numbers, in the words of all that says it. */
#define EMULATOR_MEANS "results and instruction counts are right, but cycles, times and rates are the emulator's"

/** What stands at numbers that an emulator timed. */
#define EMULATOR_NO_SPEED "no speed of a machine"

/**
 * The emulator by what it shows as a CPU: CPUID's leaf 0x40000000, or on aarch64 the part that is QEMU's own (`-cpu max`). "" where neither
 * says so: a copy of a real Arm core shows nothing, to no program.
 */
const char *emulator_of_cpu(const struct cpu_identity *identity);

/** The emulator by a word of the kernel's command line, kneepoint.emulated=NAME or kneepoint.emulated; "" without such a word. */
void emulator_of_command_line(const char *line, char *name, size_t size);

/**
 * What people call the hypervisor of a signature: "KVM" for the "KVMKVMKVM" of CPUID, "Xen" for the "xen" of
 * /sys/hypervisor/type. Any other text, such as a product of DMI, is returned as it is. Records keep the signature.
 */
const char *hypervisor_name(const char *signature);
