# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests of scripts/measuring/measure_* share: SCRIPT is the one, TOOL the program.

# It runs with a stand-in for the program, and its first command makes the run that all others go into.
makes_one_run() {
    cat >kneepoint <<END
#!/bin/sh
case "\$1" in
list) exec "$TOOL" "\$@" ;;
esac
echo "\$*" >>"$PWD/asked"
echo "saved: results/runs/here/1"
END
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint run "$SCRIPT"
    [ "$status" -eq 0 ]
    [ "$output" = results/runs/here/1 ]
    head -n 1 asked | grep -q '^gemv --results=results '
    [ "$(tail -n +2 asked | grep -vc -- ' --into=results/runs/here/1 ')" -eq 0 ]
}
