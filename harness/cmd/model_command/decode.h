/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_MODEL_COMMAND_DECODE_H
#define HARNESS_CMD_MODEL_COMMAND_DECODE_H

#include "harness/cmd/model_command/model_command.h"
#include "harness/weights/given_model.h"

/** `kneepoint model --decode`: the pass of `kneepoint decode`, on the weights of the file. */
struct model_decode {
    const struct model_view *view;
    struct given_model given;
    unsigned threads; /* 0: every core */
    unsigned samples; /* 0: as many as `kneepoint decode` takes */
    bool json;
};

/** Whether a pass can be made of the file. @return 0, or an exit code after complaining */
int model_decode_open(const struct model_view *view, struct model_decode *decode);
void model_decode_close(struct model_decode *decode);

/** Measure it and print it. @return exit code */
int model_decode_run(const struct model_decode *decode);

#endif
