# SPDX-License-Identifier: BSD-3-Clause
#
# For the bats files of compare and baseline: `load comparing` after `load measuring`. Runs as if they had been measured.

# stored_run FOLDER [NAME=VALUE...]: a run of three cells that one block after the other measured.
#
#   blocks=11      processes, of 5 samples each          visits=1     of each process, each of 5 samples
#   noise=0.0004   scatter of the blocks, a ratio        seed=1       of that scatter
#   slow=1         time of the cell gemv/synthetic.step.avx2/1024x1024/t1/warm, a ratio
#   roof=1         time of everything that reads memory, a ratio
#   cpu='Test CPU' feature= cache=33554432 flags='-O2' pages=thp grade=chain     facts of it: one feature more; bytes
#   extra=         one cell more, of that name
#   neighbour=0    samples of each block that a neighbour disturbed
#   control=0      scatter of the roof beside the cold cell, a ratio      slow_cold=1 time of that cell, a ratio
#   slow_gamma=1   gamma, a ratio
#   slow_gemm=     one cell more, a GEMM of 64 tokens that computing holds up: its time, a ratio
stored_run() {
    local folder=$1 blocks=11 visits=1 noise=0.0004 seed=1 slow=1 roof=1 cpu='Test CPU' feature='' cache=33554432 flags=-O2 pages=thp grade=chain extra='' neighbour=0 control=0 slow_cold=1 slow_gamma=1 slow_gemm=
    shift
    [ $# -eq 0 ] || local "$@"
    mkdir -p "$folder"
    printf '{"kneepoint":"0.1.0","schema":2,"started":"2026-01-01T00:00:00Z","cpu":{"name":"%s","vendor":"Test","family":6,"model":143,"stepping":8,"microcode":"0x1","microarchitecture":"Test","features":["avx2","fma"%s]},"host":{"hostname":"here","kernel":"6.1"},"topology":{"online_cpus":2,"caches":[{"level":3,"bytes":%s,"instances":1}]},"compiler":"gcc 12","flags":"%s","revision":"0123456789abcdef","dirty":false}\n' \
        "$cpu" "${feature:+,\"$feature\"}" "$cache" "$flags" >"$folder/meta.json"
    awk -v blocks="$blocks" -v visits="$visits" -v noise="$noise" -v seed="$seed" -v slow="$slow" -v roof="$roof" -v pages="$pages" \
        -v grade="$grade" -v extra="$extra" -v neighbour="$neighbour" -v control="$control" -v slow_cold="$slow_cold" -v slow_gamma="$slow_gamma" -v slow_gemm="$slow_gemm" '
        function repeated(value, n, all) { all = value; while (--n > 0) all = all "," value; return all }
        function columns(times, n) {
            return sprintf("\"grade\":\"%s\",\"ticks\":[%s],\"core_khz\":[%s]", grade, times, repeated(2000000, n))
        }
        function samples(name, block, visit, more, times, n, read_of_roof) {
            printf "{\"type\":\"samples\",\"name\":\"%s\",\"visit\":%d,\"block\":%d,\"tsc_hz\":1000000000000,%s%s%s}\n",
                name, visit, block, more, columns(times, n), read_of_roof
        }
        function ticks(time) { return sprintf("%.0f", time * 1e12) }
        function cell(name, iterations) {
            printf "{\"type\":\"cell\",\"name\":\"%s\",\"iterations\":%d,\"repeats\":1,\"roof_bytes\":%d,%s\"exact\":true}\n", name, iterations, name ~ /cold$/ ? 2000000 : 0, iterations ? "\"vectors\":16," : ""
        }
        function quantity(value, unit) {
            return sprintf("{\"median\":%g,\"min\":%g,\"mad\":0.0,\"ci95\":[%g,%g],\"n\":55,\"rejected\":0,\"unit\":\"%s\",\"grade\":\"chain\"}", value, value, value, value, unit)
        }
        function scattered() { return 1 + noise * 2 * (rand() - 0.5) }
        BEGIN {
            srand(seed)
            gamma = "gamma/synthetic.step.avx2/a4"
            warm = "gemv/synthetic.step.avx2/1024x1024/t1/warm"
            cold = "gemv/synthetic.step.avx2/4096x4096/t1/cold"
            cell(gamma, 1000); cell(warm, 0); cell(cold, 0)
            gemm = "gemm/synthetic.tile.avx2/4096x4096/n64/t1/cold"
            if (extra != "") cell(extra, 0)
            if (slow_gemm != "") cell(gemm, 0)
            for (block = 1; block <= blocks; block++) for (visit = 1; visit <= visits; visit++) {
                of_gamma = slow_gamma * scattered(); of_warm = slow * scattered(); of_cold = roof * slow_cold * scattered(); of_roof = roof * (1 + control * (block % 5 - 2) / 2)
                pairs = warms = colds = extras = gemms = disturbed = ""
                of_gemm = slow_gemm * scattered()
                for (i = 0; i < 5; i++) {
                    jitter = 1 + 0.0001 * i
                    comma = i ? "," : ""
                    pairs = pairs comma ticks(1e-5) "," ticks(1e-5 + 1e-5 * of_gamma * jitter)
                    warms = warms comma ticks(2e-5 * of_warm * jitter)
                    colds = colds comma ticks(2e-4 * of_cold * jitter)
                    extras = extras comma ticks(1e-4 * jitter)
                    gemms = gemms comma ticks(4e-3 * of_gemm * jitter)
                    if (i < neighbour) disturbed = disturbed comma i
                }
                if (disturbed != "") disturbed = "\"rejected\":{\"sibling\":[" disturbed "]},"
                samples(gamma, block, visit, "\"unroll\":[1,2],", pairs, 10)
                samples(warm, block, visit, disturbed, warms, 5)
                samples(cold, block, visit, "", colds, 5, ",\"roof\":{\"stream\":7," columns(repeated(ticks(1e-4 * of_roof), 5), 5) "}")
                if (extra != "") samples(extra, block, visit, "", extras, 5)
                if (slow_gemm != "") samples(gemm, block, visit, "", gemms, 5, ",\"roof\":{\"stream\":7," columns(repeated(ticks(1e-4 * of_roof), 5), 5) "}")
            }
            printf "{\"type\":\"gamma\",\"name\":\"synthetic.step.avx2\",\"accumulators\":4,\"best\":true,\"gamma\":{\"median\":1.25,\"min\":1.2,\"mad\":0.001,\"ci95\":[1.2,1.3],\"n\":55,\"rejected\":0,\"unit\":\"cycles\",\"grade\":\"%s\"}}\n", grade
            printf "{\"type\":\"gemv\",\"name\":\"synthetic.step.avx2\",\"m\":1024,\"k\":1024,\"threads\":1,\"protocol\":\"warm\",\"level\":\"L2\",\"packed_bytes\":262144,\"gamma_used\":\"synthetic.step.avx2@4\"}\n"
            printf "{\"type\":\"gemv\",\"name\":\"synthetic.step.avx2\",\"m\":4096,\"k\":4096,\"threads\":1,\"protocol\":\"cold\",\"level\":\"memory\",\"packed_bytes\":4000000,\"gamma_used\":\"synthetic.step.avx2@4\"}\n"
            if (slow_gemm != "") printf "{\"type\":\"gemm\",\"name\":\"synthetic.tile.avx2\",\"m\":4096,\"k\":4096,\"n\":64,\"threads\":1,\"protocol\":\"cold\",\"level\":\"memory\",\"packed_bytes\":4000000,\"memory_s\":2e-4,\"compute_s\":null,\"time_s\":%s,\"cycles_per_vector\":%s}\n",
                quantity(4e-3 * slow_gemm, "s"), quantity(4e-3 * slow_gemm * 2e9 / 524288, "cycle")
            printf "{\"type\":\"memory\",\"name\":\"cpu0\",\"cpu\":0,\"numa_node\":0,\"node_ok\":true,\"bytes\":1000,\"pages\":\"%s\",\"huge_page_fraction\":1.0}\n", pages
        }' >"$folder/records.jsonl"
}

# floor_file: where the noise floor of such a run lies; the digits stand for what its meta.json says of the CPU.
floor_file() {
    echo results/noise-floor/test-cpu-test-40f6e050.here.json
}

# ends_with STATUS COMMAND...: $status is that; standard output in file out, standard error in file err.
ends_with() {
    local wanted=$1 stdout stderr
    shift
    apart "$KNEEPOINT" "$@"
    told "$@"
    [ "$status" -eq "$wanted" ]
}
