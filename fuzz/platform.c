/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A described machine (platforms/platform.schema.json), and the model applied to what was accepted.
 *
 * json: one object
 */
#include <math.h>

#include "fuzz/frame/target.h"
#include "harness/prediction/gpu_prediction.h"
#include "harness/prediction/prediction.h"
#include "platforms/described/described_open.h"

static void predict(const struct described_platform *platform, const char *kernel)
{
    static const struct prediction_shape shape = {4096, 4096};
    struct prediction_team team;
    struct prediction prediction;
    char why[512] = "";
    if (prediction_plan_team(NULL, platform, &team, why, sizeof why) ||
        prediction_make(platform, kernel, &team, shape, &prediction, why, sizeof why)) {
        hold_refusal(why);
        return;
    }
    hold(!(prediction.bytes_per_s < 0) && !(prediction.predicted_s < 0));
    json_decref(prediction_record(&prediction));
}

FUZZ_TARGET(bytes, length)
{
    struct described_platform platform;
    char why[512] = "";
    if (described_parse((const char *)bytes, length, "given.json", &platform, why, sizeof why)) {
        hold_refusal(why);
        hold(!platform.kinds && !platform.name);
        return;
    }
    if (prediction_possible(&platform, why, sizeof why) == 0) {
        for (size_t i = 0; i < platform.kinds[0].gamma_count; i++)
            predict(&platform, platform.kinds[0].gammas[i].name);
        for (size_t i = 0; i < platform.kinds[0].kernel_count; i++)
            predict(&platform, platform.kinds[0].kernels[i].name);
    } else {
        hold_refusal(why);
    }
    hold(!(described_roof_bytes_per_s(&platform) < 0));
    (void)described_is_gpu(&platform);
    described_free(&platform);
}
