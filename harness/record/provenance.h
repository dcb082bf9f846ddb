/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_RECORD_PROVENANCE_H
#define HARNESS_RECORD_PROVENANCE_H

#include <jansson.h>

#include "harness/measure/session.h"

/** meta.json of a run: what was measured, on what, with which code. New reference or NULL without memory. */
json_t *provenance_meta(const struct session *session, int argc, char **argv);

/** Whether two meta.json name one CPU. */
bool provenance_same_cpu(const json_t *old, const json_t *now);

/**
 * Whether samples of a run with meta.json `now` may join one with `old`: the same CPU, compiler, flags and code of what
 * both have.
 * @return NULL, or what differs in words ("another CPU, 'X'", "other code of int2_vnni4.mask.avx2"), in why
 */
const char *provenance_differs(const json_t *old, const json_t *now, char *why, size_t size);

/**
 * Narrow an open session as that of a run with this meta.json was (session_narrow), so that a resumed run has the same
 * teams. Nothing happens if it was not narrowed.
 * @return 0; -EXDEV with one line in why: what meta names is no part of this session's team
 */
int provenance_narrow(const json_t *meta, struct session *session, char *why, size_t size);

/** Short name of this machine for a folder: the CPU model, lower case, words joined by '-'; "unknown-cpu" if it has
 * none. */
void provenance_platform_name(const struct session *session, char *name, size_t size);

/** The same without a session. */
void provenance_identity_name(const struct cpu_identity *cpu, char *name, size_t size);

/** The same from the CPU's name and microarchitecture, "" or NULL where unknown. Pure. */
void provenance_cpu_folder(const char *cpu, const char *microarchitecture, char *name, size_t size);

/** "20261120T234501Z-<pid>", of a node (NULL: none) "20261120T234501Z-<node>-<pid>": sorts by time. */
void provenance_run_name(const char *node, char *name, size_t size);

#endif
