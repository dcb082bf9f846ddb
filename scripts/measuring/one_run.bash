# SPDX-License-Identifier: BSD-3-Clause
#
# What the tests of scripts/measuring/measure_* share: SCRIPT is the one, TOOL the program.

# It runs with a stand-in for the program, and its first command, of this name, makes the run that all others go into.
makes_one_run() {
    local first=${1:-gemv}
    cat >kneepoint <<END
#!/bin/sh
case "\$1" in
list) exec "$TOOL" "\$@" ;;
esac
echo "\$*" >>"$PWD/asked"
[ "\$1" = characterize ] || printf 'a table\n\nsaved: '
echo results/runs/here/1
END
    chmod +x kneepoint
    KNEEPOINT=$PWD/kneepoint "$SCRIPT" >made
    [ "$(cat made)" = results/runs/here/1 ]
    head -n 1 asked | grep -q "^$first --results=results "
    [ "$(tail -n +2 asked | grep -v "^tune " | grep -vc -- ' --into=results/runs/here/1')" -eq 0 ]
}
