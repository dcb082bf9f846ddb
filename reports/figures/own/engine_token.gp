# SPDX-License-Identifier: BSD-3-Clause
# Where a token of an engine goes. engine_token.dat: a block a part: place, from, to (ms), bar; then one: place, ms, tokens a second, bar.
names_wide = narrow ? 12+6.8*name_length : 7.2*name_length+22
set style fill solid 0.9 noborder
set yrange [bars+0.7:0.3]
set xrange [0:longest*(narrow ? 1.4 : 1.22)]
set grid noytics xtics
if (narrow) { set ytics font font_tiny } else { set ytics font font_small }
set lmargin at screen from_left(names_wide)
set rmargin at screen from_right(14)
set bmargin at screen from_bottom(narrow ? 58 : 64)
set tmargin at screen from_top(narrow ? 66 : headroom+44)
set xlabel 'ms a token'
set key at screen from_left(narrow ? 8 : names_wide),from_top(narrow ? 6 : headroom-8) left top vertical maxcols 2 maxrows 2 samplen 1.2 font font_small
plot for [p=1:parts] 'engine_token.dat' index p-1 using (0.5*($2+$3)):1:(0.5*($3-$2)):(0.36):ytic(strcol(4)) with boxxyerror linecolor rgb part_colour[p] title part_title[p], \
     '' index parts using 2:1:(narrow ? sprintf('%.1f ms',$2) : sprintf('%.1f ms, %.1f tokens/s',$2,$3)) with labels left offset 0.8,0 font font_tiny textcolor rgb ink title '', \
     for [p=1:parts] '' index p-1 using ($3 > $2 ? 0.5*($2+$3) : NaN):1:(sprintf('%s: %s %.2f ms',strcol(4),part_title[p],$3-$2)) @hover
