# SPDX-License-Identifier: BSD-3-Clause
# Instruction sequences as bars, measured and published, relative to the multiply-add.
# c2.dat: place, ratio measured, ratio published, cycles measured, ns published, uops, texts of both bars.
set lmargin at screen from_left(narrow ? room(78) : 84)
set rmargin at screen from_right(narrow ? 10 : 24)
set bmargin at screen from_bottom(66)
set xrange [0.4:bars+0.6]
set yrange [0:axis_end(y_max)]
set grid noxtics ytics
set ylabel 'time relative to MAD'
set style fill solid 0.9 noborder
set boxwidth 0.34
set xtics () scale 0
do for [i=1:bars] { set xtics add (bar_title[i].(strlen(bar_instruction[i]) ? "\n".bar_instruction[i] : '') i) }
set key at graph 0.02,0.97 left top font font_normal
plot 'c2.dat' using ($1-0.18):2 with boxes linecolor rgb 0x0072b2 title 'measured here (core cycles a register)', \
     '' using ($1+0.18):3 with boxes linecolor rgb 0xb0b0b0 title 'published (ns)', \
     '' using ($1-0.18):2:(strcol(7)."\n".strcol(8)) with labels center offset 0,1.4 font font_small textcolor rgb ink title '', \
     '' using ($1+0.18):3:(strcol(9)."\n".strcol(10)) with labels center offset 0,1.4 font font_small textcolor rgb ink title '', \
     '' using ($1-0.18):2:($2 > 0 ? sprintf('measured: %.3f cycles a register, %.3f of MAD, %g uops',$4,$2,$6) : 'not measured') @hover, \
     '' using ($1+0.18):3:($3 > 0 ? sprintf('published: %.2f ns, %.3f of MAD',$5,$3) : 'not stated') @hover
