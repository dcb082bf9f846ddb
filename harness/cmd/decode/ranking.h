/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <jansson.h>
#include <stddef.h>

/** Records of tokens and prompts in order, and what they say. */

/** "512", "128+512" of users in turn; of prompts "0". */
const char *decode_context_text(const json_t *record, char *text, size_t size);
enum { DECODE_CONTEXT_TEXT = 96 };

/** By tokens of the prompt, or the context and the users, then the fastest first. <0, 0, >0 */
int decode_compare_by_time(const json_t *one, const json_t *other);

/** What limits a token (roofline/limit.h): reading at the roof beside it, barriers, or computing; NULL: not known, or a prompt. */
const char *decode_limit(const json_t *record);

/**
 * The fastest kernel and the next one, of prompts at the most tokens, of batches at the most users, as fastest_text says it.
 * @param rows  in the order of decode_compare_by_time
 * @return      text with a newline; "" where there is no time
 */
const char *decode_verdict_text(const json_t *rows, char *text, size_t size);
