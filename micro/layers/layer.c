/* SPDX-License-Identifier: BSD-3-Clause */
#include "micro/layers/layer.h"

const char *layer_activation_name(enum layer_activation activation)
{
    static const char *const names[LAYER_ACTIVATIONS] = {"silu", "relu2"};
    return activation < LAYER_ACTIVATIONS ? names[activation] : "unknown";
}
