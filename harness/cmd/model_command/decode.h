/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HARNESS_CMD_MODEL_COMMAND_DECODE_H
#define HARNESS_CMD_MODEL_COMMAND_DECODE_H

#include "harness/cmd/model_command/model_command.h"
#include "harness/plan/decode_job.h"
#include "harness/weights/given_model.h"

/** `kneepoint model --decode` and `--prefill`: the passes of `kneepoint decode`, on the weights of the file. */
struct model_decode {
    const struct model_view *view;
    struct given_model given;
    struct decode_given alike;                     /* its matrices without kernels of their own, for prompts */
    bool decodes;                                  /* a token */
    size_t prefill[DECODE_JOB_PREFILLS], prefills; /* prompts of so many tokens */
    unsigned threads;                              /* 0: every core */
    unsigned samples;                              /* 0: as many as `kneepoint decode` takes */
    bool json;
};

/** Whether passes can be made of the file. @return 0, or an exit code after complaining */
int model_decode_open(const struct model_view *view, struct model_decode *decode);
void model_decode_close(struct model_decode *decode);

/** Measure them and print them. @return exit code */
int model_decode_run(struct model_decode *decode);

#endif
