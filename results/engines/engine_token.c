/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/engines/engine_token.h"

#include <math.h>
#include <stddef.h>

static double sum(const struct engine_token *token)
{
    return token->memory_s + (isnan(token->beyond_s) ? 0 : token->beyond_s) + token->rest_s;
}

struct engine_token engine_token_parts(double token_s, double weights_s, double cache_s, double kernels_s)
{
    const double memory_s = weights_s + cache_s;
    struct engine_token token = {ENGINE_TOKEN_NO_MEMORY, NAN, NAN, NAN};
    if (!(token_s > 0) || !(memory_s > 0) || isinf(token_s))
        return token;
    if (token_s < memory_s) {
        token.state = ENGINE_TOKEN_CACHED;
        return token;
    }
    token.memory_s = memory_s;
    token.rest_s = token_s - memory_s;
    token.state = isnan(kernels_s) ? ENGINE_TOKEN_NO_KERNELS : ENGINE_TOKEN_LONGER;
    if (!(kernels_s + cache_s <= token_s))
        return token;
    token.state = ENGINE_TOKEN_WHOLE;
    token.beyond_s = fmax(0, kernels_s - weights_s);
    token.rest_s = token_s - memory_s - token.beyond_s;
    return token;
}

const char *engine_token_why(enum engine_token_state state)
{
    switch (state) {
    case ENGINE_TOKEN_WHOLE: break;
    case ENGINE_TOKEN_NO_MEMORY: return "what memory alone takes is not known";
    case ENGINE_TOKEN_CACHED:
        return "it is faster than memory alone allows: its weights came from a cache, or the roof was measured while memory was slower";
    case ENGINE_TOKEN_NO_KERNELS: return "its kernels were not measured";
    case ENGINE_TOKEN_LONGER:
        return "its kernels alone take longer here than the engine took in all: the machine was slower than when the engine ran, or the engine is built otherwise";
    }
    return NULL;
}

struct engine_token_saving engine_token_most(const struct engine_token *engine, const struct engine_token *pass)
{
    struct engine_token_saving most = {ENGINE_TOKEN_NOTHING, 0};
    const struct engine_token_saving parts[] = {
        {ENGINE_TOKEN_KERNELS, engine->beyond_s - pass->beyond_s},
        {ENGINE_TOKEN_REST, engine->rest_s - pass->rest_s},
    };
    if (isnan(engine->beyond_s) || isnan(pass->beyond_s)) {
        double saved_s = sum(engine) - sum(pass);
        return saved_s > 0 ? (struct engine_token_saving){ENGINE_TOKEN_ALL, saved_s} : most;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].saved_s > most.saved_s)
            most = parts[i];
    }
    return most;
}

const char *engine_token_change_name(enum engine_token_change change)
{
    switch (change) {
    case ENGINE_TOKEN_NOTHING: break;
    case ENGINE_TOKEN_KERNELS: return "kernels";
    case ENGINE_TOKEN_REST: return "everything else";
    case ENGINE_TOKEN_ALL: return "the whole pass";
    }
    return NULL;
}
