/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The facts that a user's .S file states. The first line is its name.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "harness/assemble/user_sequence.h"

FUZZ_TARGET(bytes, length)
{
    struct user_facts facts;
    char why[USER_SEQUENCE_WHY] = "", *path = fuzz_text(bytes, length), *text = strchr(path, '\n');
    if (text) {
        *text++ = '\0';
        if (user_facts_read(path, text, &facts, why, sizeof why))
            hold_refusal(why);
        else
            hold(strlen(facts.name) < sizeof facts.name && strlen(facts.isa) < sizeof facts.isa);
    }
    free(path);
}
