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

static const struct kernel *choose_gemm(const void *context, const struct format *format)
{
    return decode_kernel_of(context, format, true);
}

static const struct kernel *choose(const void *context, const struct format *format)
{
    return decode_kernel_of(context, format, false);
}

/** Of the layers' kernels the one that takes most bytes, by which the pass is named. */
static const struct kernel *main_kernel(const struct decode_work *work)
{
    struct decode_use uses[DECODE_USES_MOST];
    size_t count = decode_uses(work, uses);
    const struct decode_use *most = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!(uses[i].head && uses[i].matrices == 1) && (!most || uses[i].bytes > most->bytes))
            most = &uses[i];
    }
    return most ? most->kernel : decode_kernel_at(work, 0, 0);
}

static bool layers_differ(const struct decode_work *work)
{
    for (size_t i = DECODE_ROLES; i < work->model.layers * DECODE_ROLES; i++) {
        int role = (int)(i % DECODE_ROLES);
        if (decode_kernel_at(work, i / DECODE_ROLES, role) != decode_kernel_at(work, 0, role))
            return true;
    }
    return false;
}

/** The kernels that were chosen. */
static void take_kernels(struct decode_job *job, const struct decode_given *given)
{
    struct decode_work work = {.model = job->model, .given = given};
    job->given = given;
    job->head = work.head = decode_kernel_at(&work, 0, DECODE_ROLES);
    job->kernels[0] = main_kernel(&work);
    if (layers_differ(&work))
        job->distinct = job->model.layers;
}

int given_job_token(struct decode_job *job, struct given_model *given, const struct session *session, char *why,
                    size_t size)
{
    take_model(job, given);
    if (given_model_choose(given, choose, session))
        return refuse(-ENOMEM, why, size, "no memory");
    take_kernels(job, &given->given);
    return decode_job_check(job, session, why, size);
}

int given_job_prompts(struct decode_job *job, struct given_model *given, const struct session *session, char *why,
                      size_t size)
{
    take_model(job, given);
    int error = given_model_choose_prompts(given, choose_gemm, session, why, size);
    if (error)
        return error;
    take_kernels(job, &given->prompts);
    return prefill_job_check(job, session, why, size);
}
