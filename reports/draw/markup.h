/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdio.h>

/**
 * Text of an HTML or XML document, with & < > " ' replaced: fit for content and for quoted attributes. Control
 * characters but newline and tab are left out.
 */
void markup_text(FILE *stream, const char *text);
