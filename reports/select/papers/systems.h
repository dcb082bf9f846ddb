/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/**
 * Colours of systems whose kernels stand beside ours, 0xRRGGBB: one system has one colour in all figures, as a width has
 * (figure_colour). Of a system whose formats stand side by side each format has a colour of its own (bitnet.c).
 */
#define SYSTEM_LLAMA_CPP 0x7f7f7fu
#define SYSTEM_TMAC      0x8f6fb0u
#define SYSTEM_ONEDNN    0x8ab8d6u
