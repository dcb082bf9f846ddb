/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "reports/select/tokens/token_bound.h"

/** Models that were decoded in a run (`kneepoint decode`), and prompts (`kneepoint decode --prefill`). */

/**
 * The fastest pass of a model on a team, of the formats whose names begin so ("int2_", "bf16"); NULL if there is none with a
 * number.
 */
const json_t *decoded_fastest(const struct view *view, const char *model, const char *format_prefix, unsigned threads);

/** The fastest pass with a kernel and an output head of 16 bits, as the bound of its GEMVs has it; NULL if there is none. */
const json_t *decoded_with(const struct view *view, const char *model, const struct token_kernel *kernel,
                           unsigned threads);

/** The same with this many positions attended to; 0: any number. */
const json_t *decoded_at(const struct view *view, const char *model, const struct token_kernel *kernel, size_t context,
                         unsigned threads);

/**
 * The fastest of what `is` says.
 * @param type    VIEW_DECODE, or VIEW_PREFILL: of prompts
 * @param length  positions attended to, or tokens of the prompt; 0: any number
 */
const json_t *decoded_among(const struct view *view, enum view_type type, const char *model,
                            bool (*is)(const void *of, const json_t *row), const void *of, size_t length,
                            unsigned threads);

/** Whether the output head of a pass has 16 bits. */
bool decoded_has_wide_head(const json_t *row);

/** How many positions a model's passes attended to on a team, ascending, each once. @return how many, at most capacity */
size_t decoded_contexts(const struct view *view, const char *model, unsigned threads, size_t *contexts,
                        size_t capacity);

/** Packed weights that a pass of one token reads per second, the head's among them; NaN: not known. */
double decoded_bytes_per_s(const json_t *pass);

/** The share of a part in the time of a pass: "attention", "head"; NaN: not known. */
double decoded_share(const json_t *pass, const char *part);

/** The largest team of any pass of the run; 0: nothing was decoded. */
unsigned decoded_team(const struct view *view);

/** The fastest prompt of this many tokens, as decoded_fastest. */
const json_t *prefilled_fastest(const struct view *view, const char *model, const char *format_prefix, size_t tokens,
                                unsigned threads);

/** The largest team of any prompt of the run; 0: none with a number. */
unsigned prefilled_team(const struct view *view);

/** The lengths of a model's prompts on a team, ascending, each once. @return how many, at most capacity */
size_t prefilled_tokens(const struct view *view, const char *model, unsigned threads, size_t *tokens, size_t capacity);

/** Energy that the packages of this machine took, where a run counted it. */

/** Of a token decoded through the whole model with a kernel: J, median; NaN where it was not counted. */
double joules_of_token(const struct view *view, const char *model, const struct token_kernel *kernel, unsigned threads);

/**
 * Why there is none, in one line: what the counters of the run said, which is the cause; else what the pass that was decoded says,
 * or that nothing was decoded. Lives as long as the run.
 */
const char *joules_missing(const struct view *view, const char *model, const struct token_kernel *kernel,
                           unsigned threads);
