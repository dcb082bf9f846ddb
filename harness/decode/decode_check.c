/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/decode/decode_check.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/decode/prefill_pass.h"
#include "results/text/refuse.h"

enum {
    CHECK_LAYERS = 2,
    CHECK_VOCABULARY = 500,
    CHECK_SIDE = 768,
    CHECK_KEYS = 3,
    CHECK_TOKENS = 7 /* each has a share in the chance that a draw decides nothing */
};

/** Of one user 77; of several they differ, whether those that are measured do or not. */
static const struct decode_lengths check_lengths = {3, {77, 40, 1}};

/** Whether the formats of all kernels of a role can hold this K. */
static bool holds(const struct decode_kernels *kernels, enum decode_role role, size_t k)
{
    bool all = true;
    for (size_t i = 0; i < kernels->count[role]; i++)
        all = all && !kernel_accepts_k(kernels->of[role][i], k, NULL, 0);
    return all;
}

/** The least side from `least` on, in steps, that the kernels of these roles take; that of the model if there is none. */
static size_t side(const struct decode_kernels *kernels, const enum decode_role *roles, size_t count, size_t least,
                   size_t step, size_t most)
{
    for (size_t k = least; k < most; k += step) {
        bool all = true;
        for (size_t i = 0; i < count; i++)
            all = all && holds(kernels, roles[i], k);
        if (all)
            return k;
    }
    return most;
}

/** As many as the role has kernels that has most of them. */
static size_t layers_of(const struct decode_kernels *kernels)
{
    size_t layers = CHECK_LAYERS;
    for (int role = 0; role < DECODE_ROLES; role++)
        layers = kernels->count[role] > layers ? kernels->count[role] : layers;
    return layers;
}

/** The kernels of the reduced model's matrices. */
struct assignment {
    const struct kernel *kernel[DECODE_KERNELS_MOST * DECODE_ROLES + 1];
    struct decode_given given;
};

/** The kernels of a role to the layers in turn. */
static const struct decode_given *assign(struct assignment *assigned, const struct decode_kernels *kernels,
                                         size_t layers)
{
    for (size_t i = 0; i < layers * DECODE_ROLES; i++)
        assigned->kernel[i] = kernels->of[i % DECODE_ROLES][i / DECODE_ROLES % kernels->count[i % DECODE_ROLES]];
    assigned->kernel[layers * DECODE_ROLES] = kernels->of[DECODE_ROLES][0];
    assigned->given = (struct decode_given){.kernel = assigned->kernel};
    return &assigned->given;
}

/** No whole number of panels, unless the head's kernel takes nothing else. */
static size_t vocabulary_of(const struct decode_kernels *kernels, const struct model *facts)
{
    const struct kernel *head = kernels->of[DECODE_ROLES][0];
    const size_t rows = head->panels_per_call ? kernel_group_rows(head) : 1;
    const size_t vocabulary = (CHECK_VOCABULARY + rows - 1) / rows * rows;
    return facts->vocabulary < vocabulary ? facts->vocabulary : vocabulary;
}

int decode_check_reduce(const struct decode_weights_request *request, struct model *reduced, char *why, size_t size)
{
    static const enum decode_role from_hidden[] = {DECODE_Q, DECODE_K, DECODE_V, DECODE_GATE, DECODE_UP};
    static const enum decode_role from_heads[] = {DECODE_O}, from_ffn[] = {DECODE_DOWN};
    const struct model *facts = request->facts;
    size_t group = facts->heads / facts->kv_heads;
    struct decode_kernels kernels;
    *reduced = *facts;
    if (decode_kernels_of(request, &kernels))
        return refuse(-EINVAL, why, size, "%s: a role has more than %d kernels", facts->name, DECODE_KERNELS_MOST);
    reduced->layers = layers_of(&kernels);
    reduced->layers = facts->layers < reduced->layers ? facts->layers : reduced->layers;
    reduced->vocabulary = vocabulary_of(&kernels, facts);
    reduced->hidden = side(&kernels, from_hidden, 5, CHECK_SIDE, 32, facts->hidden);
    reduced->ffn = side(&kernels, from_ffn, 1, CHECK_SIDE + 32, 32, facts->ffn);
    size_t kv_heads = facts->kv_heads < CHECK_KEYS ? facts->kv_heads : CHECK_KEYS;
    size_t step = group * facts->head_size;
    reduced->kv_heads = side(&kernels, from_heads, 1, kv_heads * step, step, facts->kv_heads * step) / step;
    reduced->heads = reduced->kv_heads * group;
    struct assignment assigned;
    struct decode_weights_request of = *request;
    of.facts = reduced;
    of.distinct = reduced->layers;
    of.given = assign(&assigned, &kernels, reduced->layers);
    return decode_weights_accepted(&of, why, size);
}

/** One of them: of one token, or of a prompt or batch. */
struct both {
    struct decode_pass *pass;
    struct prefill_pass *prefill;
};

static void run(void *context, unsigned member)
{
    struct both *both = context;
    if (both->prefill)
        prefill_pass_run(both->prefill, member, NULL);
    else
        decode_pass_run(both->pass, member, NULL);
}

/** The scalar logits of the last token of a prompt, or, with a cache, those of each user. */
static int compute_reference(const struct decode_weights *weights, const struct decode_cache *cache, size_t tokens,
                             double *reference)
{
    int error = cache ? 0 : prefill_check_logits(&weights->model, tokens, weights->threads, reference);
    for (size_t user = 0; !error && cache && user < tokens; user++)
        error = decode_check_logits(&weights->model, cache, user, weights->threads,
                                    reference + user * weights->model.head.m);
    return error;
}

/** With a cache of users a batch, else a prompt; of no tokens a single one over the cache. */
static int run_both(const struct decode_weights *weights, const struct decode_cache *cache, size_t tokens,
                    const struct decode_code *code, struct team *team, double *distance, char *why, size_t size)
{
    struct both both = {0};
    const size_t sequences = cache && tokens ? tokens : 1, count = sequences * weights->model.head.m;
    double *reference = calloc(count, sizeof *reference);
    int error = !reference ? -ENOMEM
                : tokens ? prefill_pass_open(&both.prefill, &weights->model, cache, tokens, weights->model.facts.layers,
                                             code, team, why, size)
                         : decode_pass_open(&both.pass, &weights->model, cache, code, team, why, size);
    if (!error)
        error = compute_reference(weights, cache, cache ? sequences : tokens, reference);
    if (!error) {
        team_run(team, run, &both);
        *distance = decode_check_distance(tokens ? prefill_pass_logits(both.prefill) : decode_pass_logits(both.pass),
                                          reference, count);
    }
    prefill_pass_close(both.prefill);
    decode_pass_close(both.pass);
    free(reference);
    return error;
}

/** One draw of weights. */
static int check_once(const struct decode_weights_request *request, const struct decode_code *code, struct team *team,
                      double *distance, char *why, size_t size)
{
    struct decode_weights weights = {0};
    struct decode_cache cache = {0};
    snprintf(why, size, "no memory for the check of %s", request->facts->name);
    int error = decode_weights_open(&weights, request, team);
    bool prompt = request->tokens && !request->users;
    if (!error && !prompt)
        error = decode_cache_open(&cache, code->part[LAYER_ATTENTION]->attention.cache, request->facts,
                                  request->users ? request->tokens : 1, request->distinct, &check_lengths, team,
                                  request->seed);
    if (!error)
        error = run_both(&weights, prompt ? NULL : &cache, request->tokens, code, team, distance, why, size);
    decode_cache_release(&cache);
    decode_weights_release(&weights);
    return error;
}

double decode_check_bound(const struct decode_weights_request *request)
{
    double bound = DECODE_CHECK_BOUND;
    size_t layers = request->given && request->given->kernel ? request->facts->layers : 1;
    for (size_t i = 0; i < layers * DECODE_ROLES; i++) {
        const struct kernel *kernel = decode_weights_kernel(request, i / DECODE_ROLES, (int)(i % DECODE_ROLES));
        if (kernel->takes == KERNEL_TAKES_F32 && kernel->row && kernel->format->bits >= 16)
            bound = fmax(bound, kernel->error_bound);
        if (kernel->takes == KERNEL_TAKES_F32 && !kernel->row)
            bound = fmax(bound, DECODE_CHECK_COARSE * kernel->error_bound);
    }
    return bound;
}

int decode_check(const struct decode_weights_request *request, const struct decode_code *code, struct team *team,
                 double *distance, char *why, size_t size)
{
    struct model reduced;
    struct decode_weights_request small = *request;
    struct decode_kernels kernels;
    struct assignment assigned;
    small.tokens = request->tokens < CHECK_TOKENS ? request->tokens : CHECK_TOKENS;
    const double bound = decode_check_bound(request);
    *distance = INFINITY;
    int error = decode_check_reduce(request, &reduced, why, size);
    if (!error)
        error = decode_kernels_of(request, &kernels);
    if (!error)
        small.given = assign(&assigned, &kernels, reduced.layers);
    small.facts = &reduced;
    small.distinct = reduced.layers;
    for (int draw = 0; !error && draw < DECODE_CHECK_DRAWS && !(*distance <= bound); draw++) {
        double apart = NAN;
        small.seed = request->seed + (uint64_t)draw;
        worker_beat(request->heart);
        error = check_once(&small, code, team, &apart, why, size);
        *distance = apart < *distance ? apart : *distance;
    }
    if (!error && !(*distance <= bound)) {
        snprintf(why, size,
                 "a pass of %s reduced to %zu layers with %s differs by %.2g from the scalar one; at most %g is right",
                 reduced.name, reduced.layers, decode_weights_kernel(request, 0, 0)->name, *distance, bound);
        error = -EILSEQ;
    }
    return error;
}
