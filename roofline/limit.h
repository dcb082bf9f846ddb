/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ROOFLINE_LIMIT_H
#define ROOFLINE_LIMIT_H

/**
 * What limits a kernel. The larger term of a model is a claim: it explains a time only where the kernel comes near what the
 * model allows.
 */

/** The least share of the speed that the model allows at which its larger term is called the limit. */
#define LIMIT_EXPLAINED 0.7

/** No term of the model explains the time. */
extern const char limit_neither[]; /* "neither" */

/**
 * @param larger_term  of the model, as "memory"; NULL: not known
 * @param allowed_s    the shortest time that the model allows, as if all of the lesser term were hidden, > 0; NaN: not known
 * @param measured_s   the time, > 0; NaN: not known
 * @return             limit_neither where allowed_s / measured_s is below LIMIT_EXPLAINED, else larger_term
 */
const char *limit_of(const char *larger_term, double allowed_s, double measured_s);

/**
 * The largest of the terms of a token: reading its bytes, meeting at barriers, and the rest of what the model allows, which is
 * computing. Seconds, >= 0.
 * @return "memory", "synchronisation" or "computing"; NULL if one is not finite or below 0
 */
const char *limit_term_of_token(double read_s, double sync_s, double allowed_s);

#endif
