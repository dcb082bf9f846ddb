/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_EXPLAIN_COMMAND_PORTS_H
#define HARNESS_CMD_EXPLAIN_COMMAND_PORTS_H

#include <stddef.h>
#include <stdio.h>

/**
 * llvm-mca's view of the pressure on resources, folded: a column for each resource that the code takes, of several units of
 * one name the sum, without what all names begin with. Text that is no such view is written as it stands. Pure.
 * @param width  columns of the terminal, to which instructions are cut; 0: none
 */
void ports_write(FILE *stream, const char *text, size_t width);

#endif
