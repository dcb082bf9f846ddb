/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cells/decode/decode_work.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/decode/decode_pass.h"
#include "harness/decode/prefill_pass.h"
#include "harness/measure/session_pool.h"
#include "platforms/system/host.h"
#include "results/text/refuse.h"

bool decode_is_tuned(const struct decode_work *work)
{
    for (int role = 0; role <= DECODE_ROLES; role++) {
        const struct kernel *kernel = role < DECODE_ROLES ? work->kernel : work->head;
        if (work->prefetch[role].given && work->prefetch[role].bytes != kernel->prefetch_bytes)
            return true;
    }
    return false;
}

struct decode_weights_request decode_request(const struct decode_work *work, size_t distinct, uint64_t seed)
{
    struct decode_weights_request request = {.facts = &work->model,
                                             .distinct = distinct,
                                             .head = work->head,
                                             .tokens = decode_work_at_once(work),
                                             .users = work->users > 0,
                                             .given = work->given,
                                             .found = &work->found,
                                             .seed = seed};
    for (int role = 0; role < DECODE_ROLES; role++)
        request.kernel[role] = work->kernel;
    memcpy(request.prefetch, work->prefetch, sizeof request.prefetch);
    return request;
}

size_t decode_cold_layers(const struct session *session, const struct decode_work *work, uint64_t layer_bytes)
{
    uint64_t cold = (uint64_t)session_cold_bytes(session, work->threads) * work->threads;
    size_t layers = (size_t)((cold + layer_bytes - 1) / layer_bytes);
    return layers > work->model.layers ? work->model.layers : layers;
}

/** Bytes beside the weights. */
static uint64_t working_bytes(const struct decode_work *work, const struct decode_kernels *kernels)
{
    return decode_cache_bytes(work->cache, &work->model, decode_work_given(work), work->model.layers, &work->context) +
           (work->users ? prefill_pass_bytes(&work->model, kernels, work->users, 0, work->threads)
                        : decode_pass_bytes(&work->model, work->threads));
}

const char *decode_lengths_text(const struct decode_lengths *lengths, size_t less, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < lengths->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%zu", i ? "+" : "", lengths->of[i] - less);
    return text;
}

static uint64_t weights_of(const struct decode_work *work, size_t layers)
{
    struct decode_weights_request request = decode_request(work, layers, 1);
    return decode_weights_bytes(&request);
}

int decode_fits(const struct session *session, const struct decode_work *work, size_t *distinct, char *why, size_t size)
{
    const struct model *model = &work->model;
    struct decode_weights_request none = decode_request(work, 0, 1), one = decode_request(work, 1, 1),
                                  all = decode_request(work, model->layers, 1);
    struct decode_kernels kernels = {0};
    int error = decode_weights_accepted(&one, why, size);
    if (error)
        return error;
    if (work->users && decode_kernels_of(&all, &kernels))
        return decode_refuse_kernels(model, why, size);
    char what[256], users[40] = "", lengths[DECODE_LENGTHS_TEXT];
    const char *less = work->users ? "fewer users (--users), fewer positions (--context) or a smaller model"
                                   : "a smaller model or fewer positions (--context)";
    uint64_t available = host_memory_available(""), rest = working_bytes(work, &kernels);
    size_t most = work->distinct ? work->distinct : model->layers, least = most;
    if (!work->distinct)
        least = decode_cold_layers(session, work, decode_weights_bytes(&one) - decode_weights_bytes(&none));
    if (work->users)
        snprintf(users, sizeof users, " for %zu user%s, each", work->users, work->users == 1 ? "" : "s");
    snprintf(what, sizeof what, "decoding %s with %s%s over %s positions", model->name, work->kernel->name, users,
             decode_lengths_text(&work->context, 0, lengths, sizeof lengths));
    if (session_memory_fits_or(rest + weights_of(work, least), available, what, less, why, size))
        return -ENOMEM;
    while (most > least && session_memory_fits_or(rest + weights_of(work, most), available, what, less, why, size))
        most--;
    *distinct = most;
    why[0] = 0;
    return 0;
}

int decode_refuse_kernels(const struct model *model, char *why, size_t size)
{
    return refuse(-EINVAL, why, size, "%s: one of its matrices has more than %d kernels in its layers", model->name,
                  DECODE_KERNELS_MOST);
}

/** Add a matrix to what is used. */
static void use(struct decode_use *uses, size_t *count, const struct kernel *kernel, bool head, uint64_t bytes)
{
    size_t at = 0;
    while (at < *count && uses[at].kernel != kernel)
        at++;
    if (at == DECODE_USES_MOST)
        return;
    if (at == *count)
        uses[(*count)++] = (struct decode_use){.kernel = kernel};
    uses[at].matrices++;
    uses[at].head |= head;
    uses[at].bytes += bytes;
}

const struct kernel *decode_kernel_at(const struct decode_work *work, size_t layer, int role)
{
    const struct decode_weights_request request = decode_request(work, 0, 1);
    return decode_weights_kernel(&request, layer, role);
}

size_t decode_uses(const struct decode_work *work, struct decode_use uses[DECODE_USES_MOST])
{
    const struct model *model = &work->model;
    size_t count = 0;
    for (size_t i = 0; i < model->layers * DECODE_ROLES; i++) {
        size_t m, k;
        const struct kernel *kernel = decode_kernel_at(work, i / DECODE_ROLES, (int)(i % DECODE_ROLES));
        decode_shape(model, (int)(i % DECODE_ROLES), &m, &k);
        use(uses, &count, kernel, false, format_packed_bytes(kernel->format, m, k));
    }
    const struct kernel *head = decode_kernel_at(work, 0, DECODE_ROLES);
    use(uses, &count, head, true, format_packed_bytes(head->format, model->vocabulary, model->hidden));
    return count;
}

void decode_keep_found(struct decode_work *work, const struct kernel *kernel, size_t bytes)
{
    if (work->found.count == DECODE_FOUND_MOST)
        return;
    work->found.of[work->found.count].kernel = kernel;
    work->found.of[work->found.count++].bytes = bytes;
}

const struct kernel *decode_calls(const struct decode_work *work, size_t number)
{
    struct decode_use uses[DECODE_USES_MOST];
    return number < decode_uses(work, uses) ? uses[number].kernel : NULL;
}

int decode_refuse_rows(const struct decode_work *work, size_t layer, int role, const struct reference_check *check,
                       char *why, size_t size)
{
    return refuse(-EILSEQ, why, size,
                  "%s in layer %zu of %s, matrix %s, differs from the scalar reference in %zu of %zu rows",
                  decode_kernel_at(work, layer, role)->name, layer, work->model.name, decode_role_name(role),
                  check->wrong, check->rows);
}
