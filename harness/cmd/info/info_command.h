/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "platforms/machine/machine.h"

/** A part of what `info` shows. It looks; it changes nothing. */
struct info_section {
    void (*print)(const struct machine *machine);
    int (*record)(const struct machine *machine); /* 0 or negative errno; NULL: in the record of type "machine" */
};

extern const struct info_section info_cpu, info_system, info_cores, info_caches, info_memory; /* machine.c */
extern const struct info_section info_instruction_sets, info_counters, info_clocks, info_settings, info_noise,
    info_devices;

enum { INFO_TITLE_COLUMNS = 10 };

/** Seconds for which the time-stamp counter is held against the system's clock. */
#define INFO_CALIBRATION_S 0.02

/** Begin a line: a title in the left column, "" to continue the one above. */
void info_title(const char *text);

/** A line of its own over what follows. */
void info_heading(const char *text);

/** "0-3,8" as "0-3, 8", which can be folded; cut where text is full. Returns text. */
const char *info_spread_list(const char *list, char *text, size_t size);

/** "48 KiB", "2 MiB", "23.5 GiB". Returns text. */
const char *info_bytes(uint64_t bytes, char *text, size_t size);

/** Text indented by this many blanks and folded to the terminal, all lines alike. */
void info_print_behind(size_t indent, const char *text);
