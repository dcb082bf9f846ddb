/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/**
 * Where the time of a token of an inference engine goes, or of a prompt, and what of it could be saved. Pure functions: no I/O.
 *
 *     memory           = weights_s + cache_s            what reading weights, and keys and values, takes at the read roof
 *     kernels beyond   = kernels_s - weights_s          what its products take beyond reading their weights
 *     everything else  = token_s - kernels_s - cache_s  barriers, quantization, norms, attention beyond reading, sampling
 *
 * They add up to token_s. NaN in any argument: it is not known.
 */
enum engine_token_state {
    ENGINE_TOKEN_WHOLE,     /* all three parts are known */
    ENGINE_TOKEN_NO_MEMORY, /* the roof, or the time itself, is not known: no part is */
    ENGINE_TOKEN_CACHED, /* less than memory alone takes: its weights came from a cache, or the roof is too low. No part is known */
    ENGINE_TOKEN_NO_KERNELS, /* of kernels nothing is known: what is beyond memory is in `rest` */
    ENGINE_TOKEN_LONGER,     /* the kernels alone take longer than the token: likewise */
};

struct engine_token {
    enum engine_token_state state;
    double memory_s, beyond_s,
        rest_s; /* NaN where not known; beyond_s is 0 where kernels were measured faster than the roof */
};

struct engine_token engine_token_parts(double token_s, double weights_s, double cache_s, double kernels_s);

/** Why parts are missing, in words that follow a name; NULL: none is. */
const char *engine_token_why(enum engine_token_state state);

/** A change and what the token takes with it. */
enum engine_token_change {
    ENGINE_TOKEN_NOTHING, /* ours has no part that is faster */
    ENGINE_TOKEN_KERNELS, /* our kernels in place of its own */
    ENGINE_TOKEN_REST,    /* everything between the products as in our pass */
    ENGINE_TOKEN_ALL,     /* our pass in place of it: which of its parts is slow is not known */
};

struct engine_token_saving {
    enum engine_token_change change;
    double saved_s; /* of the token; 0 for nothing */
};

/** The one change of which our pass, measured on the same machine, shows that it saves most. */
struct engine_token_saving engine_token_most(const struct engine_token *engine, const struct engine_token *pass);

/** "its kernels", "everything else", … in a record and in a sentence; NULL for nothing. */
const char *engine_token_change_name(enum engine_token_change change);
