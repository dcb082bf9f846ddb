/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The options of `quantize --mixed`: see mixed.h.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cmd/quantize/quantize_command.h"

enum { KEY_MIXED = 512, KEY_CALIBRATION, KEY_FOUR_BIT, KEY_OUTLIERS, KEY_OUTLIERS_FROM, KEY_ERROR_FEEDBACK, KEY_INTO };

static const struct argp_option option_table[] = {
    {"mixed", KEY_MIXED, NULL, 0,
     "Instead, put groups of columns in 2 and 4 bits and sparse outliers in 16, and show what is lost: for several "
     "shares, or for the one that the options below give. FROM may also be stack: several layers, mixed within each "
     "or layer by layer",
     2},
    {"calibration", KEY_CALIBRATION, "FILE", 0,
     "With --mixed: activations to calibrate with, one row per token, a .npy file with as many columns as the weights "
     "(default: drawn at random)",
     2},
    {"four-bit", KEY_FOUR_BIT, "PERCENT", 0, "With --mixed: share of the groups that are in 4 bits", 2},
    {"outliers", KEY_OUTLIERS, "PERCENT", 0, "With --mixed: share of the weights that are outliers, 10 at most", 2},
    {"outliers-from", KEY_OUTLIERS_FROM, "WHICH", 0,
     "With --mixed: groups that outliers are taken from: 2-bit (default), all, or largest, for the largest weights of "
     "all groups",
     2},
    {"error-feedback", KEY_ERROR_FEEDBACK, NULL, 0,
     "With --mixed: compensate the error of a column in those not yet quantized", 2},
    {"into", KEY_INTO, "RUN", 0, "With --mixed: add the records to a run, for its figures", 2},
    {0},
};

/** A share in percent. */
static double share(const char *text, double most, const char *option, struct argp_state *state)
{
    char *end;
    double percent = isdigit((unsigned char)*text) ? strtod(text, &end) : (double)NAN;
    if (!(percent >= 0 && percent <= most) || *end)
        argp_error(state, "%s takes a number from 0 to %g, not '%s'", option, most, text);
    return percent / 100;
}

/** "2-bit", "2-bit-largest", "all" and "largest". */
static enum mixed_outlier_choice choice(const char *name, struct argp_state *state)
{
    static const char *const names[] = {[MIXED_OUTLIERS_OF_2_BITS] = "2-bit",
                                        [MIXED_OUTLIERS_ANYWHERE] = "all",
                                        [MIXED_OUTLIERS_LARGEST] = "largest",
                                        [MIXED_OUTLIERS_LARGEST_OF_2_BITS] = "2-bit-largest"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return (enum mixed_outlier_choice)i;
    }
    argp_error(state, "--outliers-from is 2-bit, 2-bit-largest, all or largest, not '%s'", name);
    return MIXED_OUTLIERS_OF_2_BITS;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct mixed_request *request = state->input;
    switch (key) {
    case KEY_MIXED: request->asked = true; return 0;
    case KEY_CALIBRATION: request->calibration = argument; break;
    case KEY_FOUR_BIT: request->four_bit = share(argument, 100, "--four-bit", state); break;
    case KEY_OUTLIERS: request->outliers = share(argument, 10, "--outliers", state); break;
    case KEY_OUTLIERS_FROM:
        request->choice = choice(argument, state);
        request->choice_given = true;
        break;
    case KEY_ERROR_FEEDBACK: request->error_feedback = true; break;
    case KEY_INTO: request->into = argument; break;
    case ARGP_KEY_END:
        if (request->any && !request->asked)
            argp_error(
                state,
                "--calibration, --four-bit, --outliers, --outliers-from, --error-feedback and --into need --mixed");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
    request->any = true;
    return 0;
}

const struct argp mixed_argp = {.options = option_table, .parser = parse};
