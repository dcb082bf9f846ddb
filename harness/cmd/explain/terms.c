/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/cmd/explain/explain_command.h"

#include <stdio.h>
#include <string.h>

const struct term terms[] = {
    {"beta", " β bandwidth ", "bytes per core cycle of one core",
     "What one core reads from memory, or from a cache, while all members of the team read: the roof of bandwidth. "
     "With one thread it is the most that a core can request, with all threads its share of what memory delivers.",
     "The fastest of several read streams of this architecture, chosen on this machine, over a pool several times the caches; every level and "
     "team has its own. Time is divided by the core's own cycles, never by time stamp ticks.",
     "kneepoint beta\nkneepoint beta --level all"},
    {"gamma", " γ ", "core cycles per output vector of 32 weights",
     "The cost of up-converting packed weights and multiplying and adding them, with operands in registers and without "
     "loading the weights: the other roof. A kernel cannot compute faster than its sequence's gamma.",
     "The sequence is run with U and with 2U dot products an iteration; the difference is free of the loop. Over the number of independent "
     "accumulators a plateau (ports or front end) and a latency are fitted. Results of every variant are compared with a scalar reference first.",
     "kneepoint gamma NAME\nkneepoint gamma NAME --all"},
    {"knee", " B/gamma ", "bytes per core cycle of one core",
     "B / gamma: the beta at which reading and computing take the same time. If a core's beta is below it, a kernel "
     "is bound by memory and as fast as its bytes arrive; above it, more bandwidth does not help that sequence.",
     "B is counted from the format, gamma is measured. `kneepoint knee` tests it: the sequence streams its weights "
     "from every level of the memory, and what it attains is compared with min(beta, B / gamma).",
     "kneepoint gamma NAME\nkneepoint knee NAME"},
    {"omega", " ω overlap ", "dimensionless, 0 to 1",
     "How much of the shorter of reading and computing overlaps the longer: time = longer + (1 - omega) x shorter. 1 "
     "is the roofline's max(), 0 is one after the other. Above 1, beta or gamma does not describe this kernel; below "
     "0, something other than either limits it.",
     "Solved from one cell of each kernel, 4096x4096 from memory with one thread, whose beta and gamma were measured beside it; all other "
     "cells are predicted with it, and their residual is shown.",
     "kneepoint gemv NAME"},
    {"model", " roofline ", NULL,
     "What a kernel should take: the longer of reading its bytes at beta and computing at gamma, plus (1 - omega) times the shorter, "
     "plus starting and synchronising the team. If omega is 1, that is the roofline: min(beta, B / gamma) bytes a cycle, whose two "
     "lines meet at the knee.",
     "beta, gamma and omega are measured, each alone; then the prediction is held against cells that none of them was taken from, as "
     "their residual. `kneepoint predict` applies the model to a described machine, `kneepoint model FILE.gguf` to the layers of a "
     "model file.",
     "kneepoint gemv NAME\nkneepoint predict --platform NAME"},
    {"e_bw", " ebw ", "bytes per core cycle of one core",
     "Effective bandwidth: what one core reads while it computes with what it reads. The model says min(beta, B / gamma).",
     "A sequence with the loads of its weights is a stream through memory; a read stream beside each sample gives its beta.",
     "kneepoint knee NAME"},
    {"B", " bytes_per_vector B/vec ", "bytes",
     "Packed bytes of one output vector of 32 weights, 32 times the bits a weight over 8, scales and padding of the format included.",
     "Counted, not measured.", "kneepoint list sequences"},
    {"roof", " roof_fraction ", "share",
     "What a kernel attains over the read roof: its packed bytes per second, divided by what the fastest read stream "
     "of the same team and level read just before the same sample. 1 is as fast as reading alone.",
     "The roof is read beside each sample, so a disturbance of both divides out.", "kneepoint gemv NAME"},
    {"alpha", " α ", "share, 0 to 1",
     "Share of the time of a token, or of a prompt, in the layers' products. By Amdahl's law a kernel that is x times as fast makes the "
     "token 1 / (1 - alpha + alpha / x) times as fast, 1 / (1 - alpha) at most.",
     "The parts of each pass through the model are timed inside it.", "kneepoint decode NAME"},
    {"op/c", " ops_per_cycle ", "operations per core cycle and core",
     "2 operations a weight (and token) over core cycles and over the members of the team. It compares formats by "
     "work; GB/s compares them by bytes.",
     "From the time of the product and the core clock measured beside it.", "kneepoint gemv NAME\nkneepoint gemm NAME"},
    {"binds", " bound limit ", NULL,
     "What limits a number. Of a GEMV: memory (reading takes longer), up-convert (gamma does), start or "
     "synchronisation (a small matrix). Of a sequence: ports (its uops on the ports they need), latency (too few "
     "accumulators), frontend (uops per cycle).",
     "The largest term of the model with the numbers that were measured; never a guess from the kernel's name.",
     "kneepoint gemv NAME\nkneepoint gamma NAME"},
    {"plateau", NULL, "core cycles per output vector of 32 weights",
     "The gamma that is left when there are enough accumulators: execution ports or the front end limit it then, no "
     "longer latency.",
     "Fitted, with the latency, over the numbers of accumulators that the registers allow.",
     "kneepoint gamma NAME --all"},
    {"latency", " latency_cycles ", "core cycles",
     "Of a sequence: cycles from one accumulation to the next into the same register; with too few accumulators, it "
     "limits gamma. Of memory: the time of a load whose address the load before it read.",
     "Of a sequence, from the fit over accumulators; of memory, from a chase through cache lines in random order.",
     "kneepoint gamma NAME --all\nkneepoint beta --latency"},
    {"gamma_up", NULL, "core cycles per output vector of 32 weights",
     "The cycles that a GEMM kernel spends once for all tokens, to unpack weights to its scratch, tiles or a panel of "
     "int8.",
     "Measured with the kernel's own code, packed weights in a cache; and fitted as a term of a sweep over tokens.",
     "kneepoint gamma KERNEL\nkneepoint gemm KERNEL"},
    {"gamma_dot", NULL, "core cycles per output vector of 32 weights and token",
     "The cycles that a GEMM kernel spends for each token, to multiply the unpacked weights.",
     "Fitted over numbers of tokens, which separates it from gamma_up.", "kneepoint gemm KERNEL"},
    {"N*", " n_star ", "tokens",
     "Tokens above which computing binds and below which memory does: the knee of a GEMM. <1: computing always binds.",
     "Where the two sides of the fitted model meet; the range is from leaving out any one point.",
     "kneepoint gemm KERNEL"},
    {"resid", " residual max_resid ", "share",
     "Measured time over predicted time, minus 1: how wrong the model is. Shown only for cells from which no parameter "
     "of the prediction was taken.",
     "From the same run's beta, gamma and omega.", "kneepoint gemv NAME"},
    {"grade", " pmu chain wall ", NULL,
     "How core cycles were counted. pmu: by the CPU, in user mode around each sample. chain: from chains of dependent "
     "instructions of known latency, timed beside each sample. wall: unknown, because the two chains disagree; such a "
     "number is time only.",
     "`kneepoint doctor` says why counters are missing.", "kneepoint info\nkneepoint doctor"},
    {"prep", " prepare_share ", "share",
     "Time to convert f32 activations to the kernel's operand on one core, as a share of the GEMV's time, which does "
     "not include it.",
     "Timed separately, in the same run.", "kneepoint gemv NAME"},
    {"deq", " dequantize_share ", "share",
     "Time to convert int32 results to f32 with a scale per row, as a share of the GEMV's time, which does not include "
     "it.",
     "Timed separately, in the same run.", "kneepoint gemv NAME"},
    {"error", " exact lossless ", NULL,
     "exact: every result equals the scalar reference, bit for bit. Otherwise the largest distance from the format's "
     "definition over the largest result; if it exceeds the bound that the kernel states, the kernel is not timed.",
     "Every kernel is checked between guard pages before it is timed, and its results again while it is.",
     "kneepoint list kernels --certificate"},
    {"ci95", " +- interval ", NULL,
     "95% interval of a median, from order statistics of the kept samples; +- is half of it. A median of fewer than 6 kept samples is not printed.",
     "Samples are rejected for a cause, never for their time; n kept and rejected are in --json.", NULL},
    {"cold", " warm proto protocol ", NULL,
     "cold: another copy of the weights from memory each time. warm: the same weights again and again, from the cache that holds them, which is the level shown.",
     "Cold reads rotate through a pool several times the caches.",
     "kneepoint gemv NAME --cold\nkneepoint gemv NAME --warm"},
};

const size_t term_count = sizeof terms / sizeof *terms;

const struct term *term_find(const char *word)
{
    char between[64];
    if (strchr(word, ' ') || strlen(word) + 3 > sizeof between || !*word)
        return NULL;
    snprintf(between, sizeof between, " %s ", word);
    for (size_t i = 0; i < term_count; i++) {
        if (strcmp(terms[i].name, word) == 0)
            return &terms[i];
    }
    for (size_t i = 0; i < term_count; i++) {
        if (strcasecmp(terms[i].name, word) == 0 || (terms[i].others && strcasestr(terms[i].others, between)))
            return &terms[i];
    }
    return NULL;
}
