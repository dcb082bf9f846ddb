# SPDX-License-Identifier: BSD-3-Clause
# Gamma of every sequence as horizontal bars. gamma_bars.dat: place, gamma, its 95% interval, claimed, llvm-mca, colour, name, text, place of the text.
set lmargin at screen from_left(narrow ? 196 : 350)
set rmargin at screen from_right(narrow ? 20 : 24)
set ytics font font_small
set bmargin at screen from_bottom(70)
if (narrow) { set tmargin at screen from_top(48) }
set xrange [0:axis_end(narrow ? 1.25*right : x_max)]
set yrange [bars+0.7:0.3]
set grid noytics xtics
set xlabel 'γ: core cycles per vector of 32 weights'
set key at screen 0.98,from_top(narrow ? 6 : 22) right top horizontal samplen 1.2 font font_small
set style fill solid 0.85 noborder
# By the text of a column: a number that is none takes the point away, wherever it is asked for.
known(text) = text ne 'nan'
said(name,gamma,low,high) = sprintf('%s: γ %.3f [%.3f, %.3f] cycles',name,gamma,low,high)
# Where nothing is claimed or known to llvm-mca of the first bar, its name once more: gnuplot 5.4 crashes on labels without any point.
place(text,gamma,row) = known(text) ? real(text) : row > 0 ? NaN : gamma
plot 'gamma_bars.dat' using (0.5*$2):1:(0.5*$2):(0.36):7:ytic(kernel_name(strcol(8))) with boxxyerror linecolor rgb variable title '', \
     '' using 3:1:(($4 < cut ? $4 : cut)-$3):(0) with vectors nohead linewidth 1.4 linecolor rgb ink title '', \
     '' using 5:1 with points pointtype 2 pointsize 1 linewidth 1.8 linecolor rgb ink title claimed ? 'claimed by the source' : '', \
     '' using 6:1 with points pointtype 5 pointsize 0.55 linecolor rgb ink title predicted ? 'llvm-mca' : '', \
     '' using 10:1:(narrow ? sprintf('%.3f',$2) : strcol(9)) with labels left offset 1.2,0 font font_tiny textcolor rgb ink title '', \
     '' using 2:1:(said(strcol(8),$2,$3,$4)) @hover, \
     '' using (place(strcol(5),$2,$0)):1:(known(strcol(5)) ? sprintf('%s: claimed %g cycles',strcol(8),real(strcol(5))) : strcol(8)) @hover, \
     '' using (place(strcol(6),$2,$0)):1:(known(strcol(6)) ? sprintf('%s: llvm-mca %.3f cycles',strcol(8),real(strcol(6))) : strcol(8)) @hover
