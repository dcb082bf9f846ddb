/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/model/token.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
        snprintf(part->why, sizeof part->why, "%s has no gamma of a kernel of %s", platform->name, format->name);
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

int token_predict(const struct census *census, const struct model_facts *facts, uint64_t positions,
                  const struct described_platform *platform, const struct prediction_team *team,
                  struct token_prediction *token)
{
    *token = (struct token_prediction){.parts = calloc(census->group_count + 1, sizeof *token->parts),
                                       .roof_bytes_per_s = platform ? roof_of(platform, team) : (double)NAN};
    if (!token->parts)
        return -ENOMEM;
    for (size_t i = 0; i < census->group_count; i++)
        token->parts[token->count++] =
            (struct token_part){.group = &census->groups[i], .bytes = census->groups[i].token_bytes};
    double cache = model_kv_bytes(facts, positions);
    if (cache > 0)
        token->parts[token->count++] = (struct token_part){.bytes = cache};
    for (size_t i = 0; i < token->count; i++) {
        predict_part(&token->parts[i], token->roof_bytes_per_s, platform, team);
        token->bytes += token->parts[i].bytes;
        token->seconds += token->parts[i].seconds;
        token->least_s += token->parts[i].least_s;
    }
    return 0;
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
