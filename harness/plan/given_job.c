/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/plan/given_job.h"

#include <errno.h>
#include <string.h>

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
    return job->user_count ? decode_job_check(job, session, why, size) : prefill_job_check(job, session, why, size);
}

/* ---- kernels of an engine ---- */

/** Whether the format is the type's own, byte for byte; of some plug-ins it is ours without the weight that no quantizer makes. */
static bool is_as_in_file(const struct format *format, const char *type)
{
    size_t length = strlen(type);
    const char *name = format->name;
    return strncmp(name, type, length) == 0 && (!name[length] || strcmp(name + length, "_127") == 0);
}

/** "iqk_q4_k_r4" of "q4_k": its rows are interleaved. */
static bool is_interleaved(const struct format *format, const char *type)
{
    const char *at = strstr(format->name, type);
    if (!at || (at > format->name && at[-1] != '_') || strncmp(at + strlen(type), "_r", 2) != 0)
        return false;
    const char *rows = at + strlen(type) + 2;
    size_t digits = strspn(rows, "0123456789");
    return digits && !rows[digits];
}

struct choosing {
    const struct given_engine *engine;
    const struct session *session;
    bool prompts;
};

static const struct kernel *choose_engine(const void *context, const struct format *format)
{
    const struct choosing *choosing = context;
    const struct kernel *as_in_file = NULL;
    for (const struct kernel *const *at = kernel_all(); *at; at++) {
        const struct kernel *kernel = *at;
        if (!(choosing->prompts ? kernel->gemm.run != NULL : kernel->gemv != NULL) ||
            plugins_of_kernel(&choosing->session->plugins, kernel) != choosing->engine->plugin)
            continue;
        if (choosing->engine->repacked && is_interleaved(kernel->format, format->name))
            return kernel;
        if (!as_in_file && is_as_in_file(kernel->format, format->name))
            as_in_file = kernel;
    }
    return as_in_file;
}

/** Whether the plug-in has a kernel for every matrix, and none of them other rows than the file's. */
static int look_at_kernels(const struct given_model *given, const struct choosing *choosing, bool *of_file, char *why,
                           size_t size)
{
    *of_file = true;
    for (size_t i = 0; i <= given->model.layers * DECODE_ROLES; i++) {
        const struct format *format = given->format[i];
        const struct kernel *kernel = format ? choose_engine(choosing, format) : NULL;
        if (!kernel)
            return refuse(-ENOTSUP, why, size, "the plug-in %s has no %s of %s that can be used here",
                          choosing->engine->plugin->description->name, choosing->prompts ? "GEMM" : "GEMV",
                          given->type[i]->name);
        *of_file = *of_file && is_as_in_file(kernel->format, format->name);
    }
    return 0;
}

int given_job_engine(struct decode_job *job, struct given_model *given, const struct given_engine *engine,
                     const struct session *session, char *why, size_t size)
{
    const struct choosing choosing = {engine, session, job->prefills > 0};
    struct decode_given *of = choosing.prompts ? &given->prompts : &given->given;
    bool of_file;
    take_model(job, given);
    int error = look_at_kernels(given, &choosing, &of_file, why, size);
    if (error)
        return error;
    if (!of_file) {
        of->packed = NULL;
        of->scale = NULL;
    }
    if (choosing.prompts)
        error = given_model_choose_prompts(given, choose_engine, &choosing, why, size);
    else if (given_model_choose(given, choose_engine, &choosing))
        error = refuse(-ENOMEM, why, size, "no memory");
    if (error)
        return error;
    take_kernels(job, of);
    return choosing.prompts ? prefill_job_check(job, session, why, size) : decode_job_check(job, session, why, size);
}
