/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_BETA_STREAMS_MISSING_H
#define HARNESS_CMD_BETA_STREAMS_MISSING_H

#include "harness/measure/session.h"

/** Whether no stream, of lines or of tiles, runs on this CPU, and in one line why. */
bool streams_missing(const struct session *session, bool tiles, char *why, size_t size);

#endif
