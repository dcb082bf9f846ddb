/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_GGUF_FILE_MIXES_H
#define HARNESS_GGUF_FILE_MIXES_H

/**
 * Names of GGUF files that are no type of tensors: llama.cpp's recipes, which store some tensors in more bits than the others. A name
 * that is a type, too, as Q2_K and Q6_K, is not among them.
 */
struct file_mix {
    const char *name; /* "q4_k_m" */
    const char *
        types; /* of the layers' matrices, as formats here: "q4_k and q6_k"; NULL: most of its types are no format here */
};

/** By its name in upper or lower case. NULL: it is none. */
const struct file_mix *file_mix_find(const char *name);

#endif
