# SPDX-License-Identifier: BSD-3-Clause
# What a team reads of pools of growing size, with the stated caches and the pool of the cold cells as lines.
# pool.dat: MB, GB/s, from, to (95%), times the stated caches, 1 if cold.
set lmargin at screen from_left(narrow ? room(84) : 90)
set rmargin at screen from_right(narrow ? 12 : 24)
set bmargin at screen from_bottom(62)
set logscale x 2
set xrange [x_min:x_max]
set yrange [0:y_max]
set grid noxtics ytics
set xlabel 'MB that the team reads round and round'
set ylabel sprintf('GB/s with %d thread%s', threads, threads == 1 ? '' : 's')
if (stated_mb > 0) {
    set arrow from stated_mb, graph 0 to stated_mb, graph 1 nohead dashtype 2 linecolor rgb ink
    set label 'stated caches' at stated_mb, graph 0.96 offset 0.6,0 left font font_small textcolor rgb ink
}
if (pool_mb > 0) {
    set arrow from pool_mb, graph 0 to pool_mb, graph 1 nohead dashtype 3 linecolor rgb 0x0072b2
    set label 'pool of cold cells' at pool_mb, graph 0.96 offset 0.6,0 left font font_small textcolor rgb 0x0072b2
}
unset key
plot 'pool.dat' using 1:2:xtic(sprintf('%.0f', $1)) with lines linewidth 2 linecolor rgb 0x0072b2, \
     '' using 1:2:3:4 with yerrorbars linecolor rgb 0x0072b2 pointtype 6 pointsize 1.2 linewidth 1.5, \
     '' using 1:($6 > 0 ? $2 : NaN) with points linecolor rgb 0x0072b2 pointtype 7 pointsize 1.2, \
     '' using 1:2:(sprintf('%g×', $5)) with labels offset 2.2,0.9 font font_small textcolor rgb ink, \
     '' using 1:2:(sprintf('%.0f MB, %g times the stated caches: %.1f GB/s (%.1f to %.1f)%s', $1, $5, $2, $3, $4, \
         $6 > 0 ? ', cold' : '')) @hover
