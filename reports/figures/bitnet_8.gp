# SPDX-License-Identifier: BSD-3-Clause
# Tokens per second and bandwidth of the 3.8B model over threads: token_scaling.gnuplot.
