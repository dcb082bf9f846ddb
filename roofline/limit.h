/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/**
 * What limits a kernel, and whether its time is plausible. The larger term of a model is a claim: it explains a time only where the kernel comes
 * near what the model allows.
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

/**
 * Whether a cell is where it should be. One that is faster than its roof was not measured as it was meant to be; one that
 * is far slower than its prediction is as suspect, though it may also be a slow kernel: both are shown and counted.
 *
 * Above: more than 1.03 of the roof. Far below: of the predicted speed less than 0.8, or, where the prediction is only
 * max(memory, compute), which knows of no overlap lost, less than 0.6; and not by the scatter of its samples, so that the
 * fast end of the 95% interval of its time counts. Without a prediction a cell is not judged from below.
 */
enum plausibility { PLAUSIBILITY_NOT_JUDGED, PLAUSIBILITY_EXPECTED, PLAUSIBILITY_ABOVE_ROOF, PLAUSIBILITY_FAR_BELOW };

#define PLAUSIBILITY_ABOVE        1.03
#define PLAUSIBILITY_BELOW        0.8
#define PLAUSIBILITY_BELOW_OF_MAX 0.6

/** NaN for what is not known. Times in seconds, > 0. */
struct plausibility_facts {
    double roof_fraction;       /* attained over the roof, of a cold cell */
    double fastest_s;           /* fast end of the 95% interval of the time */
    double predicted_overlap_s; /* with the kernel's omega */
    double predicted_max_s;     /* as if all of the lesser side were hidden */
};

enum plausibility plausibility_of(const struct plausibility_facts *facts);
