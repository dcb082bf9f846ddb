/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/file_mixes.h"

#include <string.h>

/** Which layers have a matrix in another type than the rest. */
enum layers {
    NO_LAYER,
    ALL_LAYERS,
    FIRST_TWO,
    FIRST_FOUR,
    FIRST_SIXTEENTH,
    FIRST_EIGHTH,
    EDGES_AND_THIRDS, /* the first and the last eighth, and every third between them */
    ALL_IF_SHARED,    /* all, if four or more heads share a key-value head */
};

struct other_type {
    enum layers layers;
    const char *type;
    const char *else_type; /* of the other layers; NULL: the type of the rest */
};

struct recipe {
    struct file_mix mix;
    const char *type;
    struct other_type v, o, down;
    const char *head;       /* NULL: Q6_K */
    const char *embeddings; /* where they are not the head; NULL: type */
};

/* llama_tensor_get_type_impl of llama.cpp's src/llama-quant.cpp. The output head, and embeddings that are also the head, are Q6_K. */
static const struct recipe recipes[] = {
    {.mix = {"q2_k", "q2_k, q3_k and q4_k", true, 10},
     .type = "Q2_K",
     .v = {ALL_IF_SHARED, "Q4_K", "Q3_K"},
     .o = {ALL_LAYERS, "Q3_K", NULL},
     .down = {ALL_LAYERS, "Q3_K", NULL}},
    {.mix = {"q2_k_s", "q2_k and q4_k", false, 21},
     .type = "Q2_K",
     .v = {ALL_IF_SHARED, "Q4_K", NULL},
     .down = {FIRST_EIGHTH, "Q4_K", NULL}},
    {.mix = {"q3_k_s", "q3_k", false, 11}, .type = "Q3_K"},
    {.mix = {"q3_k_m", "q3_k, q4_k and q5_k", false, 12},
     .type = "Q3_K",
     .v = {FIRST_TWO, "Q5_K", "Q4_K"},
     .o = {ALL_LAYERS, "Q4_K", NULL},
     .down = {FIRST_SIXTEENTH, "Q5_K", "Q4_K"}},
    {.mix = {"q3_k_l", "q3_k and q5_k", false, 13},
     .type = "Q3_K",
     .v = {ALL_LAYERS, "Q5_K", NULL},
     .o = {ALL_LAYERS, "Q5_K", NULL},
     .down = {ALL_LAYERS, "Q5_K", NULL}},
    {.mix = {"q4_0", "q4_0", true, 2}, .type = "Q4_0"},
    {.mix = {"q4_k_s", "q4_k and q5_k", false, 14},
     .type = "Q4_K",
     .v = {FIRST_FOUR, "Q5_K", NULL},
     .down = {FIRST_EIGHTH, "Q5_K", NULL}},
    {.mix = {"q4_k_m", "q4_k and q6_k", false, 15},
     .type = "Q4_K",
     .v = {EDGES_AND_THIRDS, "Q6_K", NULL},
     .down = {EDGES_AND_THIRDS, "Q6_K", NULL}},
    {.mix = {"q5_k_s", "q5_k", false, 16}, .type = "Q5_K"},
    {.mix = {"q5_k_m", "q5_k and q6_k", false, 17},
     .type = "Q5_K",
     .v = {EDGES_AND_THIRDS, "Q6_K", NULL},
     .down = {EDGES_AND_THIRDS, "Q6_K", NULL}},
    {.mix = {"q6_k", "q6_k", true, 18}, .type = "Q6_K"},
    {.mix = {"q8_0", "q8_0", true, 7}, .type = "Q8_0", .head = "Q8_0"},
    {.mix = {"iq2_m", NULL, false, 0}},
    {.mix = {"iq3_xs", NULL, false, 0}},
    {.mix = {"iq3_m", NULL, false, 0}},
};

/**
 * Types that are formats. Heads and embeddings are as llama-quantize stores those of files of such a type: not below 6 and 4 bits.
 */
static const struct recipe plain[] = {
#define TYPE(id, type_name, columns, bytes, tail, of)                                                                  \
    {.mix = {of, of, true, 0},                                                                                         \
     .type = type_name,                                                                                                \
     .head = 8 * (bytes) < 8 * (columns) ? NULL : type_name,                                                           \
     .embeddings = 8 * (bytes) < 3 * (columns) ? "Q4_K" : NULL},
#define TYPE_OF_BITNET(id, type_name, columns, bytes, tail, of)
#include "harness/gguf/gguf_types.def"
#undef TYPE
#undef TYPE_OF_BITNET
};

enum { RECIPES = sizeof recipes / sizeof *recipes, PLAIN = sizeof plain / sizeof *plain };

static const struct recipe *recipe_at(size_t i)
{
    return i < RECIPES ? &recipes[i] : &plain[i - RECIPES];
}

static const struct recipe *recipe_of(const char *name)
{
    for (size_t i = 0; i < RECIPES + PLAIN; i++) {
        const char *own = recipe_at(i)->mix.name;
        if (own && strcasecmp(own, name) == 0)
            return recipe_at(i);
    }
    return NULL;
}

const struct file_mix *file_mix_at(size_t index)
{
    for (size_t i = 0; i < RECIPES + PLAIN; i++) {
        const struct recipe *recipe = recipe_at(i);
        if (recipe->mix.name && recipe_of(recipe->mix.name) == recipe && !index--)
            return &recipe->mix;
    }
    return NULL;
}

const struct file_mix *file_mix_find(const char *name)
{
    const struct recipe *recipe = recipe_of(name);
    return recipe ? &recipe->mix : NULL;
}

/* ---- which type ---- */

static bool is_among(enum layers layers, const struct model *model, size_t layer)
{
    const size_t all = model->layers;
    switch (layers) {
    case ALL_LAYERS: return true;
    case FIRST_TWO: return layer < 2;
    case FIRST_FOUR: return layer < 4;
    case FIRST_SIXTEENTH: return layer < all / 16;
    case FIRST_EIGHTH: return layer < all / 8;
    case EDGES_AND_THIRDS: return layer < all / 8 || layer >= 7 * all / 8 || (layer - all / 8) % 3 == 2;
    case ALL_IF_SHARED: return model->heads / model->kv_heads >= 4;
    case NO_LAYER: break;
    }
    return false;
}

static const char *type_of(const struct recipe *recipe, const struct other_type *other, const struct model *model,
                           size_t layer)
{
    if (is_among(other->layers, model, layer))
        return other->type;
    return other->else_type ? other->else_type : recipe->type;
}

/** Models of 70 billion weights, whose v is small, have 5 bits there at least. */
static const char *type_of_v(const struct recipe *recipe, const struct model *model, size_t layer)
{
    const char *type = type_of(recipe, &recipe->v, model, layer);
    bool is_70b = model->layers == 80 && model->heads != model->kv_heads;
    return is_70b && (strcmp(type, "Q3_K") == 0 || strcmp(type, "Q4_K") == 0) ? "Q5_K" : type;
}

/** Of the same tensor if its rows are no whole blocks of 256 columns. */
static const char *fall_back(const char *type, size_t k)
{
    static const char *const instead[][2] = {
        {"Q2_K", "Q4_0"}, {"Q3_K", "Q4_0"}, {"Q4_K", "Q5_0"}, {"Q5_K", "Q5_1"}, {"Q6_K", "Q8_0"}};
    for (size_t i = 0; k % 256 && i < sizeof instead / sizeof *instead; i++) {
        if (strcmp(instead[i][0], type) == 0)
            return instead[i][1];
    }
    return type;
}

const char *file_mix_type(const struct file_mix *mix, const struct model *model, size_t layer, int role)
{
    const struct recipe *recipe = recipe_of(mix->name);
    size_t m, k = model->hidden;
    if (role == DECODE_ROLES)
        return fall_back(recipe->head ? recipe->head : "Q6_K", k);
    decode_shape(model, role, &m, &k);
    const char *type = role == DECODE_V      ? type_of_v(recipe, model, layer)
                       : role == DECODE_O    ? type_of(recipe, &recipe->o, model, layer)
                       : role == DECODE_DOWN ? type_of(recipe, &recipe->down, model, layer)
                                             : recipe->type;
    return fall_back(type, k);
}

const char *file_mix_embedding_type(const struct file_mix *mix, const struct model *model)
{
    const struct recipe *recipe = recipe_of(mix->name);
    return fall_back(recipe->embeddings ? recipe->embeddings : recipe->type, model->hidden);
}
