/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * What tells one CPU from another, from the meta.json of a run or what was taken over from one: name, vendor, family, model, stepping, core
 * design and features of "cpu", the sizes of "topology.caches", and what emulates it, if anything does. Hypervisors give different CPUs one name and one model; these have other features or
 * caches. How many instances of a cache there are is left out: it follows the CPUs that a process may use. Pure.
 */
enum cpu_key_match {
    CPU_KEY_SAME,
    CPU_KEY_UNSTATED, /* nothing that both state differs, but one or both do not state all, as older records */
    CPU_KEY_NAMELESS, /* the same, and what is not stated is of name, family, model and stepping */
    CPU_KEY_OTHER,
};

/**
 * Hold two meta.json against each other.
 * @param of   what they are called: "in BASE", "in HEAD"
 * @param how  what differs, or else what is not stated: "model 207 in BASE, 173 in HEAD, features amx_fp16 only in HEAD"; "" if they are the same
 */
enum cpu_key_match cpu_key_match(const json_t *one, const json_t *other, const char *const of[2], char *how,
                                 size_t size);

/** Eight hex digits that stand for it; "" if a meta.json does not state all, so that they are not mistaken for a CPU's. */
void cpu_key_code(const json_t *meta, char code[9]);

/** Take over into an object what a key needs: "cpu" as it is, and the caches alone of "topology". 0 or -ENOMEM */
int cpu_key_take_over(json_t *object, const json_t *meta);
