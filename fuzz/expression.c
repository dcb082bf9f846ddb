/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A formula of a paper, and a number as it is printed.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/frame/target.h"
#include "roofline/expression.h"

FUZZ_TARGET(bytes, length)
{
    static const struct expression_name names[] = {
        {"a", {{{6.35, 6.45}}, 1}},
        {"zero", {{{-1, 1}}, 1}},
        {"list", {{{1, 1}, {2, 3}, {1e300, 1e300}}, 3}},
    };
    struct expression_value result;
    struct stated_value stated;
    const char *rest;
    char why[256] = "", *text = fuzz_text(bytes, length);
    if (expression_evaluate(text, names, 3, &result, why, sizeof why))
        hold_refusal(why);
    else
        hold(result.count >= 1 && result.count <= EXPRESSION_MOST);
    hold(expression_uses(text, "a") <= length);
    if (stated_value_parse(text, &stated, &rest) == 0)
        hold(rest >= text && rest <= text + strlen(text) && stated.range.low <= stated.range.high);
    free(text);
}
