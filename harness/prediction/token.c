/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/prediction/token.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/decode/shared_operand.h"

/** Bytes per second that the team reads, by beta of each kind. */
static double roof_of(const struct described_platform *platform, const struct prediction_team *team)
{
    double sum = 0;
    for (size_t i = 0; i < platform->kind_count; i++) {
        const struct described_kind *kind = &platform->kinds[i];
        if (team->cores[i] > 0)
            sum += (double)team->cores[i] * kind->core_hz * kind->beta;
    }
    return sum;
}

static double seconds_of(const struct prediction *prediction)
{
    return isfinite(prediction->predicted_overlap_s) ? prediction->predicted_overlap_s : prediction->predicted_s;
}

/** One call with a kernel, by its own name or by that of the sequence that models it; -ENOENT: nothing was measured. */
static int predict_call(const struct census_group *group, const struct kernel *kernel,
                        const struct described_platform *platform, const struct prediction_team *team,
                        struct prediction *prediction)
{
    char why[512];
    const struct prediction_shape shape = {group->m, group->k};
    int error = prediction_make(platform, kernel->name, team, shape, prediction, why, sizeof why);
    if (error == -ENOENT && kernel->gamma)
        error = prediction_make(platform, kernel->gamma, team, shape, prediction, why, sizeof why);
    return error;
}

/** Where memory is what both wait for, the one with less arithmetic is the better one. */
static bool is_better(const struct prediction *one, const struct prediction *other)
{
    double a = seconds_of(one), b = seconds_of(other);
    return a < b || (a == b && one->kinds[0].gamma < other->kinds[0].gamma);
}

/** The fastest of the format's kernels, and the least that any of them takes; none: the part keeps reading at the roof. */
static void choose_kernel(struct token_part *part, const struct format *format,
                          const struct described_platform *platform, const struct prediction_team *team)
{
    double least_s = INFINITY;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        struct prediction prediction;
        if ((*kernel)->format != format || !(*kernel)->gemv ||
            predict_call(part->group, *kernel, platform, team, &prediction) != 0)
            continue;
        least_s = fmin(least_s, prediction.packed_bytes / prediction.bytes_per_s);
        if (part->kernel && !is_better(&prediction, &part->prediction))
            continue;
        part->kernel = *kernel;
        part->prediction = prediction;
    }
    if (part->kernel)
        part->least_s = part->group->calls * least_s;
    else
        snprintf(part->why, sizeof part->why, "%s " TOKEN_NO_GAMMA " %s", platform->name, format->name);
}

static bool is_multiplied(const struct census_group *group)
{
    return group && group->use <= CENSUS_HEAD;
}

/** Whether any kind of core that takes part waits for its arithmetic. */
static enum token_limit limit_of(const struct prediction *prediction)
{
    for (size_t i = 0; i < prediction->platform->kind_count; i++) {
        const struct roofline_kind *kind = &prediction->kinds[i];
        if (kind->cores > 0 &&
            roofline_binds(kind->beta, prediction->bytes_per_vector, kind->gamma) == ROOFLINE_UPCONVERT)
            return TOKEN_UPCONVERT;
    }
    return TOKEN_MEMORY;
}

static void predict_part(struct token_part *part, double roof, const struct described_platform *platform,
                         const struct prediction_team *team)
{
    const struct format *format = NULL;
    part->limit = TOKEN_ROOF;
    part->seconds = part->least_s = part->bytes / roof;
    if (is_multiplied(part->group))
        format = census_format(part->group, part->why, sizeof part->why);
    if (format && platform)
        choose_kernel(part, format, platform, team);
    if (!part->kernel)
        return;
    part->limit = limit_of(&part->prediction);
    part->seconds = part->group->calls * seconds_of(&part->prediction);
}

/** Seconds that the kernel takes to prepare one activation where it takes part; NaN if that is not stated. */
static double activation_time(const struct described_platform *platform, const struct prediction_team *team,
                              const struct kernel *kernel)
{
    for (size_t i = 0; i < platform->kind_count; i++) {
        const struct described_kernel *described =
            team->cores[i] ? described_kernel_of(&platform->kinds[i], kernel->name) : NULL;
        if (described)
            return described->prepare_s;
    }
    return NAN;
}

/** The least that is stated of the format's kernels; 0 where none is. */
static double least_activation_time(const struct described_platform *platform, const struct prediction_team *team,
                                    const struct format *format)
{
    double least_s = INFINITY;
    for (const struct kernel *const *kernel = kernel_all(); *kernel; kernel++) {
        if ((*kernel)->format != format || !(*kernel)->gemv)
            continue;
        least_s = fmin(least_s, activation_time(platform, team, *kernel)); /* which passes over what is not a number */
    }
    return isfinite(least_s) ? least_s : 0;
}

/** How many of its vectors no part before has prepared in the same way. */
static double vectors_of(const struct census_group *group, struct shared_operands *operands, const void *maker)
{
    double count = 0;
    for (size_t i = 0; i < group->vector_count; i++) {
        const struct census_vector *vector = &group->vectors[i];
        if (!vector->shared || shared_operands_add(operands, vector->id, maker))
            count += vector->count;
    }
    return count;
}

/** What was prepared so far: by kernels, and for the bound by formats. */
struct prepared {
    struct shared_operands by_kernel, by_format;
};

static void add_preparation(struct token_prediction *token, struct token_part *part, struct prepared *prepared,
                            const struct described_platform *platform, const struct prediction_team *team)
{
    part->prepare_s = part->kernel ? 0 : (double)NAN;
    if (!part->kernel)
        return;
    const struct format *format = part->kernel->format;
    const double k = (double)part->group->k;
    part->vectors = vectors_of(part->group, &prepared->by_kernel, part->kernel);
    part->least_s +=
        k * vectors_of(part->group, &prepared->by_format, format) * least_activation_time(platform, team, format);
    part->prepare_s = k * part->vectors * activation_time(platform, team, part->kernel);
    token->unprepared += isfinite(part->prepare_s) ? 0 : 1;
    if (!isfinite(part->prepare_s))
        return;
    part->seconds += part->prepare_s;
    token->prepare_s += part->prepare_s;
}

static void predict_parts(const struct census *census, double cache_bytes, const struct described_platform *platform,
                          const struct prediction_team *team, struct prepared *prepared, struct token_prediction *token)
{
    for (size_t i = 0; i < census->group_count; i++)
        token->parts[token->count++] =
            (struct token_part){.group = &census->groups[i], .bytes = census->groups[i].token_bytes};
    if (cache_bytes > 0)
        token->parts[token->count++] = (struct token_part){.bytes = cache_bytes};
    for (size_t i = 0; i < token->count; i++) {
        predict_part(&token->parts[i], token->roof_bytes_per_s, platform, team);
        add_preparation(token, &token->parts[i], prepared, platform, team);
        token->bytes += token->parts[i].bytes;
        token->seconds += token->parts[i].seconds;
        token->least_s += token->parts[i].least_s;
    }
}

int token_predict(const struct census *census, double cache_bytes, const struct described_platform *platform,
                  const struct prediction_team *team, struct token_prediction *token)
{
    *token = (struct token_prediction){.parts = calloc(census->group_count + 1, sizeof *token->parts),
                                       .roof_bytes_per_s = platform ? roof_of(platform, team) : (double)NAN};
    struct prepared prepared = {.by_kernel.seen = calloc(census->vectors + 1, sizeof *prepared.by_kernel.seen),
                                .by_format.seen = calloc(census->vectors + 1, sizeof *prepared.by_format.seen)};
    int error = token->parts && prepared.by_kernel.seen && prepared.by_format.seen ? 0 : -ENOMEM;
    if (!error)
        predict_parts(census, cache_bytes, platform, team, &prepared, token);
    else
        token_free(token);
    free(prepared.by_kernel.seen);
    free(prepared.by_format.seen);
    return error;
}

void token_free(struct token_prediction *token)
{
    free(token->parts);
    *token = (struct token_prediction){0};
}

const char *token_limit_name(enum token_limit limit)
{
    static const char *const names[] = {
        [TOKEN_MEMORY] = "memory", [TOKEN_UPCONVERT] = "up-convert", [TOKEN_ROOF] = "read at the roof"};
    return names[limit];
}
