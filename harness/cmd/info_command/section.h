/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_INFO_COMMAND_SECTION_H
#define HARNESS_CMD_INFO_COMMAND_SECTION_H

#include "platforms/machine.h"

/** A part of what `info` shows. It looks; it changes nothing. */
struct info_section {
    void (*print)(const struct machine *machine);
    int (*record)(const struct machine *machine); /* 0 or negative errno; NULL: in the record of type "machine" */
};

extern const struct info_section info_cpu, info_system, info_cores, info_caches, info_memory; /* machine.c */
extern const struct info_section info_instruction_sets, info_counters, info_clocks, info_settings, info_noise;

#endif
