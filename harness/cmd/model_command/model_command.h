/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_MODEL_COMMAND_MODEL_COMMAND_H
#define HARNESS_CMD_MODEL_COMMAND_MODEL_COMMAND_H

#include <stdint.h>

#include "harness/cmd/console/table.h"
#include "harness/model/token.h"
#include "harness/weights/census.h"
#include "harness/weights/model_facts.h"
#include "harness/weights/model_file.h"
#include "platforms/described.h"
#include "platforms/isa.h"

/** What `kneepoint model` knows of a file and says of it. */
struct model_view {
    const char *path; /* as the user named it */
    struct model_file file;
    struct model_facts facts;
    struct census census;
    isa_features features; /* of this machine: which kernels run here */
    uint64_t positions;    /* of the context */
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

/** Whether a kernel reads the type's blocks as they are, and runs here. */
bool model_kernel_is_of(const struct model_view *view, const struct kernel *kernel, const struct census_type *type);

#endif
