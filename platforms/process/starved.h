/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/**
 * Time that another process could not use, so that a limit of wall time does not take a machine that others use for a program that does
 * not end: its threads waited for a CPU, the hypervisor ran another guest, or this process, which is stopped or starved like it, woke up late.
 */
struct starved {
    pid_t pid;
    uint64_t stolen_ms; /* of all CPUs, when it began */
    int64_t late_ms;    /* that waits of this process took longer than they should */
};

void starved_begin(struct starved *starved, pid_t pid);

/** A wait of this process that nothing ended early: how long it should have taken, and took. */
void starved_waited(struct starved *starved, int64_t wanted_ms, int64_t took_ms);

/** How much since it began, at most: of its thread that waited longest, and stolen from any CPU. A system that does not say has none. */
int64_t starved_ms(const struct starved *starved);
