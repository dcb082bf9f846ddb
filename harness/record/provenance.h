/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

#include "harness/measure/session.h"

/** meta.json of a run: what was measured, on what, with which code. New reference or NULL without memory. */
json_t *provenance_meta(const struct session *session, int argc, char **argv);

/** Whether two meta.json are of one CPU: of results/records/cpu_key.h all is stated and the same. */
bool provenance_same_cpu(const json_t *old, const json_t *now);

/**
 * Whether samples of a run with meta.json `now` may join one with `old`: the same CPU, compiler, flags and code of what
 * both have.
 * @return NULL, or what differs in words ("another CPU, 'X'", "another CPU: model 207 there, 173 here", "a CPU that may be another: features
 * unknown there", "other code of int2_vnni4.mask.avx2"), in why
 */
const char *provenance_differs(const json_t *old, const json_t *now, char *why, size_t size);

/**
 * Narrow an open session as that of a run with this meta.json was (session_narrow), so that a resumed run has the same
 * teams. Nothing happens if it was not narrowed.
 * @return 0; -EXDEV with one line in why: what meta names is no part of this session's team
 */
int provenance_narrow(const json_t *meta, struct session *session, char *why, size_t size);

/**
 * Short name of the CPU of a meta.json for a folder: its name, the core as its features allow it, and the code of its key (results/records/cpu_key.h), lower
 * case, words joined by '-'; "unknown-cpu" if it has no name; no code if it does not state all. Pure.
 */
void provenance_cpu_folder(const json_t *meta, char *name, size_t size);

/** The same of a machine. */
void provenance_machine_name(const struct machine *machine, char *name, size_t size);

/** "20261120T234501Z-<pid>", of a node (NULL: none) "20261120T234501Z-<node>-<pid>": sorts by time. */
void provenance_run_name(const char *node, char *name, size_t size);
