/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/statistics/ratio.h"

#include <math.h>

struct bounded ratio_of(const struct bounded *over, const struct bounded *under)
{
    if (!(over->low > 0 && under->low > 0 && isfinite(over->value) && isfinite(under->value) && isfinite(over->high) &&
          isfinite(under->high)))
        return (struct bounded){NAN, NAN, NAN};
    double ratio = over->value / under->value;
    double down = hypot(log(over->value / over->low), log(under->high / under->value));
    double up = hypot(log(over->high / over->value), log(under->value / under->low));
    return (struct bounded){ratio, ratio * exp(-down), ratio * exp(up)};
}
