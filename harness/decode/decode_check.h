/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "harness/decode/decode_pass.h"
#include "harness/decode/decode_weights.h"

/**
 * A pass against a scalar one in double, before anything is timed: a reduced model (two layers, a few heads of the full
 * size that share keys as the model's do, a short cache that is cut between the members) of the same kernels, code and team.
 *
 * The scalar pass follows the definitions: its own quantization, the kernels' own reference rows (reference.h), attention
 * and norms value by value. What is compared is the distance of all logits, sqrt(sum (l - l')^2 / sum l'^2): some 1e-7, the
 * rounding of floats, as long as both quantize alike. An activation that lies between two int8 values within that rounding may
 * become either, about one in a fifth of all models drawn, and moves the logits by 1e-3 to 3e-2. That is no error, and
 * nothing that an error could be told from, so other weights are drawn then, up to DECODE_CHECK_DRAWS times: a pass that
 * is wrong is wrong with all of them.
 *
 * A kernel that rounds floats to bf16 is another matter. So many activations lie next to the middle of two such values that one
 * of every prompt goes the other way, which moves what follows by 1e-4 of itself; that is a 30th of the spacing of
 * bf16, so some of every hundred that follow go the other way, too, and the logits end 1e-3 to 3e-3 apart with all draws and
 * any code between the matrices. Those may be apart by what the kernel says of its operand, 2^-8.
 *
 * A kernel of a plug-in that makes its operand coarser and does not say how, in row(), is held against the definition, from which the
 * operand of each of the eight products in a row is apart: 8 bits of blocks by 1% of its magnitude, and the logits by less than 2%. Those may be
 * apart by twice what the kernel says of one product. That sees a position too few, another activation, or a wrong scale of any matrix but q
 * and k; wrong angles or scales of these are nearer, and are seen where the same code runs with other kernels.
 */
#define DECODE_CHECK_BOUND  1e-3
#define DECODE_CHECK_COARSE 2
double decode_check_bound(const struct decode_weights_request *request);
enum { DECODE_CHECK_DRAWS = 16 };

/** The facts of the reduced model; formats that need certain K get them. @return 0, or -EINVAL with the reason */
int decode_check_reduce(const struct decode_weights_request *request, struct model *reduced, char *why, size_t size);

/**
 * The logits that a pass must give for the token of a user, [vocabulary].
 * @param user  0 of a pass of one token
 * @return      0, -ENOMEM
 */
int decode_check_logits(const struct decode_model *model, const struct decode_cache *cache, size_t user,
                        unsigned threads, double *logits);

/** The logits of the last token that a prefill_pass must give: token by token, each over the keys and values before it. */
int prefill_check_logits(const struct decode_model *model, size_t tokens, unsigned threads, double *logits);

/** Distance of two passes' logits, as above; NaN where one is not finite. */
double decode_check_distance(const float *logits, const double *reference, size_t count);

/**
 * Run the reduced model of a request both ways; where it is of many tokens, with a prompt of as many, or as many users, up to 7.
 * @param distance  receives how much they differ, with the weights with which they differ least
 * @return 0; -EILSEQ further than decode_check_bound(); -EINVAL, -ENOMEM; with one line in why
 */
int decode_check(const struct decode_weights_request *request, const struct decode_code *code, struct team *team,
                 double *distance, char *why, size_t size);
