# SPDX-License-Identifier: BSD-3-Clause
# Gammas that llvm-mca predicts, as hollow marks, one row a sequence. gamma_predicted.dat: block 0 the rows (row, sequence, bits), then
# one block for each core: row, core cycles per vector, sequence, source.
# Equal gammas beside each other.
beside(c) = cores > 1 ? 0.5*((c-1.0)/(cores-1)-0.5) : 0
array hollow[8] = [6, 4, 8, 12, 10, 14, 6, 4]
set lmargin at screen from_left(narrow ? 226 : 300)
set rmargin at screen from_right(narrow ? 10 : 24)
key_rows = narrow ? cores : ceil(cores/2.0)
set bmargin at screen from_bottom(72+key_rows*key_row)
if (narrow) { set tmargin at screen from_top(12) }
set logscale x 2
set xrange [x_min:x_max]
set yrange [rows+0.7:0.3]
set grid ytics xtics
set xtics ()
do for [d=-1:3] { do for [m in '1 2 5'] { set xtics add (sprintf('%g',m*10**d) m*10**d) } }
row_font = narrow ? font_tiny : font_small
set ytics scale 0 font row_font
set xlabel 'γ predicted by llvm-mca, not measured: core cycles per vector of 32 weights'
if (narrow) { set xlabel 'γ predicted by llvm-mca, cycles per vector' }
set key at screen 0.5,from_bottom(8) center bottom horizontal maxcols (narrow ? 1 : 2) samplen 1.2 font font_small
plot 'gamma_predicted.dat' index 0 using (x_min):1:ytic(2) with points pointtype 0 linecolor rgb 0xff000000 title '', \
     for [c=1:cores] '' index c using 2:($1+beside(c)) with points pointtype hollow[c] pointsize 0.85 linewidth 1.6 linecolor rgb core_colour[c] title core_title[c], \
     for [c=1:cores] '' index c using 2:($1+beside(c)):(sprintf('%s, %s: γ %.3f cycles, %s',strcol(3),core_title[c],$2,strcol(4))) @hover
