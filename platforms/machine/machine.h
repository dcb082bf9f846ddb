/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "platforms/cpu/isa.h"
#include "platforms/system/host.h"
#include "platforms/topology/topology.h"

/**
 * Everything known about the running machine without measuring anything, and its JSON as the records and meta.json
 * carry it. A fact that is unknown is null in JSON.
 */
struct machine {
    struct cpuid_dump dump;       /* of the first core, a performance core where there are kinds */
    struct cpu_identity identity; /* of the same */
    char core_designs[3][64];     /* by enum core_kind: its microarchitecture, "" if unknown or absent */
    char stated_cores[3][48];     /* the same by what the model states */
    isa_features features;
    struct topology *topology;
    struct host_facts host;
    uint64_t memory_available_bytes; /* what this process may still allocate; 0 unknown */
    long online_cpus;
};

/** Look at the machine. @return 0, or a negative errno with one line in why; release with machine_close. */
int machine_open(struct machine *machine, char *why, size_t size);
void machine_close(struct machine *machine);

/** The CPU's name: the brand string, else what /proc says, else the vendor; never empty. */
const char *machine_cpu_name(const struct machine *machine);

/**
 * What emulates the machine, so that every time is the emulator's: by its CPU, else by the kernel's command line (platforms/cpu/emulator.h); "" where it
 * is real. The JSON of the CPU and of the machine has it as "emulated", and nothing where it is real.
 */
const char *machine_emulator(const struct machine *machine);

/** New references, or NULL without memory. */
json_t *machine_record(const struct machine *machine);        /* the line of type "machine" */
json_t *machine_cpu_json(const struct machine *machine);      /* identity */
json_t *machine_isa_json(const struct machine *machine);      /* {"avx2": true, …} */
json_t *machine_topology_json(const struct machine *machine); /* kinds, cores, caches, nodes */
json_t *machine_host_json(const struct machine *machine);     /* host facts */
