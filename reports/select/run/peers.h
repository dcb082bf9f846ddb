/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>

/**
 * Give the kernels of plug-ins the names that figures and tables show. A plug-in's kernel chooses its instruction set itself, so that
 * its name ends in "reference" though it is none: it is shown without that ("q4_0.ggml"), which names it in commands, too.
 * @param records  of a run, in memory; every mention of such a kernel changes in them
 */
void peers_rename(json_t *records);
