/* SPDX-License-Identifier: BSD-3-Clause */
#include "reports/select/tokens/joules.h"

#include <string.h>

#include "reports/select/tokens/decoded.h"

double joules_of_token(const struct view *view, const char *model, const struct token_kernel *kernel, unsigned threads)
{
    return view_median(decoded_with(view, model, kernel, threads), "joules_per_token");
}

/* Of the back end that reads the kernel's counters, which needs nothing installed; of another where it says nothing; "" if any
 * of them counts energy. */
static const char *counters_cause(const struct view *view)
{
    const char *cause = "";
    size_t index;
    const json_t *record;
    json_array_foreach(view->records->records, index, record)
    {
        const json_t *energy = json_object_get(json_object_get(record, "quantities"), "package_energy_j");
        if (strcmp(view_text(record, "type"), "counters") != 0)
            continue;
        if (strcmp(view_text(energy, "grade"), "unavailable") != 0)
            return "";
        if (!*cause || strcmp(view_text(record, "name"), "perf") == 0)
            cause = view_text(energy, "cause");
    }
    return cause;
}

const char *joules_missing(const struct view *view, const char *model, const struct token_kernel *kernel,
                           unsigned threads)
{
    const json_t *pass = decoded_with(view, model, kernel, threads);
    const char *said = view_text(pass, "joules_per_token_reason"), *cause = counters_cause(view);
    if (*cause)
        return cause;
    if (!*said) /* too few windows */
        said = view_text(json_object_get(pass, "joules_per_token"), "why");
    return *said ? said : pass ? "the run does not say why" : "no token was decoded with these weights";
}
