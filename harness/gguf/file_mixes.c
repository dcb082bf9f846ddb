/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/gguf/file_mixes.h"

#include <stddef.h>
#include <string.h>

/* What llama.cpp's quantize gives the matrices of a dense model's layers; the output head, and embeddings that are also the head, are Q6_K. */
static const struct file_mix mixes[] = {
    {"q2_k_s", "q2_k and q4_k"},
    {"q3_k_s", "q3_k"},
    {"q3_k_m", "q3_k, q4_k and q5_k"},
    {"q3_k_l", "q3_k and q5_k"},
    {"q4_k_s", "q4_k and q5_k"},
    {"q4_k_m", "q4_k and q6_k"},
    {"q5_k_s", "q5_k"},
    {"q5_k_m", "q5_k and q6_k"},
    {"iq2_m", NULL},
    {"iq3_xs", NULL},
    {"iq3_m", NULL},
};

const struct file_mix *file_mix_find(const char *name)
{
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        if (strcasecmp(mixes[i].name, name) == 0)
            return &mixes[i];
    }
    return NULL;
}
