/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/given_job.h"

#include <errno.h>

#include "harness/cells/decode/decode_plan.h"
#include "harness/plan/prefill_job.h"
#include "results/text/refuse.h"

static void take_model(struct decode_job *job, const struct given_model *given)
{
    job->model = given->model;
    job->kernel_count = 1;
    job->kernels_named = true;
}

static const struct kernel *choose(const void *context, const struct format *format)
{
    return decode_kernel_of(context, format, false);
}

/** Of the layers' kernels the one that takes most bytes, by which the pass is named. */
static const struct kernel *main_kernel(const struct given_model *given, const struct decode_work *work)
{
    struct decode_use uses[DECODE_USES_MOST];
    size_t count = decode_uses(work, uses);
    const struct decode_use *most = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!(uses[i].head && uses[i].matrices == 1) && (!most || uses[i].bytes > most->bytes))
            most = &uses[i];
    }
    return most ? most->kernel : given->kernel[0];
}

static bool layers_differ(const struct given_model *given)
{
    for (size_t i = DECODE_ROLES; i < given->model.layers * DECODE_ROLES; i++) {
        if (given->kernel[i] != given->kernel[i % DECODE_ROLES])
            return true;
    }
    return false;
}

int given_job_token(struct decode_job *job, struct given_model *given, const struct session *session, char *why,
                    size_t size)
{
    take_model(job, given);
    if (given_model_choose(given, choose, session))
        return refuse(-ENOMEM, why, size, "no memory");
    job->given = &given->given;
    job->head = given->kernel[given->model.layers * DECODE_ROLES];
    if (layers_differ(given))
        job->distinct = given->model.layers;
    const struct decode_work work = {.model = job->model, .given = job->given, .head = job->head};
    job->kernels[0] = main_kernel(given, &work);
    return decode_job_check(job, session, why, size);
}

int given_job_prompts(struct decode_job *job, const struct given_model *given, const struct session *session, char *why,
                      size_t size)
{
    take_model(job, given);
    const struct format *format = given_model_format(given, why, size);
    if (!format)
        return -ENOTSUP;
    const struct format *head = given->format[given->model.layers * DECODE_ROLES];
    job->given = given->alike.packed ? &given->alike : NULL;
    job->kernels[0] = decode_kernel_of(session, format, true);
    job->head = decode_kernel_of(session, head, true);
    if (!job->kernels[0] || !job->head)
        return refuse(-ENOTSUP, why, size, "no GEMM kernel of %s runs on this CPU",
                      job->kernels[0] ? head->name : format->name);
    return prefill_job_check(job, session, why, size);
}
