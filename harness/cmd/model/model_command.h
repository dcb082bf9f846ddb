/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdint.h>

#include "harness/cmd/console/table.h"
#include "harness/gguf/census.h"
#include "harness/gguf/given_model.h"
#include "harness/gguf/listed_file.h"
#include "harness/gguf/model_facts.h"
#include "harness/gguf/model_file.h"
#include "harness/plan/decode_job.h"
#include "harness/prediction/token.h"
#include "platforms/cpu/isa.h"
#include "platforms/described/described.h"

/** What `kneepoint model` knows of a file and says of it. */
struct model_view {
    const char *path; /* as the user named it */
    const char *type; /* of a listed model that is named instead of a file: "q4_k_m"; NULL: a file */
    struct listed_file listed;
    struct model_file file;
    struct model_facts facts;
    struct census census;
    isa_features features;  /* of this machine: which kernels run here */
    char cpu[128];          /* its name */
    char cpu_of_system[96]; /* what /proc/cpuinfo calls it, as engines do */
    uint64_t positions;     /* of the context */
    enum layer_cache cache; /* that their keys and values are kept in */
    double kv_bytes;        /* of these */
    struct described_platform platform;
    bool has_platform;
    char platform_from[4352]; /* where its description is from */
    char why[1024];           /* without a platform: why */
    struct prediction_team team;
    struct token_prediction token;
};

/** As text on standard output. @return exit code */
int model_print(const struct model_view *view, const struct table_view *table);

extern const struct table model_type_table, model_part_table;

/** Records of a type and of a part; NULL without memory. */
json_t *model_type_record(const struct model_view *view, const struct census_type *type);
json_t *model_part_record(const struct model_view *view, const struct token_part *part);

/** As JSON Lines: "model_type" of each type, "model_part" of each group, and "model". @return an exit code */
int model_print_json(const struct model_view *view);

/** Text of the file as it can be printed: control characters made visible, and cut where it is full. */
const char *model_text(struct gguf_text text, char *out, size_t size);

/** `kneepoint model --make`: write the file and say what it is. @return exit code */
int model_make(const struct listed_file *listed, const char *path);

/** `kneepoint model --decode` and `--prefill`: the passes of `kneepoint decode`, on the weights of the file. */
struct model_decode {
    const struct model_view *view;
    struct given_model given;
    bool decodes;                                 /* a token */
    size_t prefill[DECODE_JOB_LENGTHS], prefills; /* prompts of this many tokens */
    unsigned threads;                             /* 0: every core */
    unsigned samples;                             /* 0: as many as `kneepoint decode` takes */
    bool json;
    const struct run_request *run; /* where it is saved */
    /** Prints what is predicted, as soon as it can be measured and saved. @return exit code */
    int (*predict)(const void *context);
    const void *context;
};

/** Whether passes can be made of the file. @return 0, or an exit code after complaining */
int model_decode_open(const struct model_view *view, struct model_decode *decode);
void model_decode_close(struct model_decode *decode);

/** Measure them and print them. @return exit code */
int model_decode_run(struct model_decode *decode);
