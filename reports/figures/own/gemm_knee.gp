# SPDX-License-Identifier: BSD-3-Clause
# GEMM over the number of tokens, one panel per width. gemm_knee.dat: for each panel a block of roofs (tokens, operations per cycle
# under memory, up-converting, multiplying, loading operands), then `lines` blocks of kernels (tokens, operations per cycle, Gop/s, 1 if cycles are counted, what binds, name).
columns = narrow ? 1 : (panels > 1 ? 2 : 1)
array marks[5] = [7, 5, 9, 13, 11]
block(p) = (p-1)*(lines+1)
# In a column a roof is in the legend of the first panel that has it: a panel is too low for all of them.
set multiplot layout (narrow ? panels : rows),columns margins from_left(narrow ? room(66) : 90),from_right(16),from_bottom(narrow ? 70 : 64),from_top(headroom+26) spacing (narrow ? 0 : 0.075),(narrow ? 32.0/height : 84.0/height)
set logscale x 2
set logscale y 10
set xrange [x_min/1.15:x_max*1.15]
set yrange [y_min:y_max]
set format y '%.0f'
set ytics ()
do for [d=-1:6] { do for [m in '1 2 5'] { set ytics add (sprintf('%g',m*10**d) m*10**d) } }
set key at graph 0.985,0.03 right bottom vertical Right noreverse samplen 3.6 font font_small spacing 1.02
do for [p=1:panels] {
    if (p > 1) { unset label 901; unset label 902 }
    if (narrow) { if (p == 1) { set key maxrows 3 } else { set key maxrows auto } }
    set label 1 panel_title[p] at graph 0,(narrow ? 1.09 : 1.1) left font font_panel textcolor rgb ink
    set label 2 (narrow ? '' : 'fastest: '.panel_changes[p]) at graph 0,1.035 left font font_tiny textcolor rgb ink
    set format x (narrow && p < panels ? '' : '%.0f')
    set xlabel (p > panels-columns ? 'tokens N at once' : '')
    set ylabel (p % columns == (columns == 1 ? 0 : 1) ? (narrow ? 'ops/cycle/core' : 'operations per cycle of a core') : '') offset 0.5,0
    plot 'gemm_knee.dat' index block(p) using 1:2 with lines linewidth 1.6 dashtype 1 linecolor rgb ink title narrow && p > 1 ? '' : 'memory roof', \
         '' index block(p) using 1:3 with lines linewidth 1.6 dashtype 2 linecolor rgb ink title panel_up_converts[p] > 0 && (!narrow || (sum [q=1:p] panel_up_converts[q]) == 1) ? 'up-convert roof' : '', \
         '' index block(p) using 1:4 with lines linewidth 1.6 dashtype 3 linecolor rgb ink title panel_multiplies[p] > 0 && (!narrow || (sum [q=1:p] panel_multiplies[q]) == 1) ? 'multiply roof' : '', \
         '' index block(p) using 1:5 with lines linewidth 1.6 dashtype 4 linecolor rgb ink title panel_loads[p] > 0 && (!narrow || (sum [q=1:p] panel_loads[q]) == 1) ? 'operand roof' : '', \
         for [l=1:lines] '' index block(p)+l using 1:2 with linespoints linewidth 1.8 dashtype l pointtype marks[l] pointsize 0.7 linecolor rgb panel_colour[p] title line_title[(p-1)*lines+l], \
         for [l=1:lines] '' index block(p)+l using 1:($4 > 0 ? NaN : $2) with points pointtype 7 pointsize 0.3 linecolor rgb '#ffffff' title '', \
         for [l=1:lines] '' index block(p)+l using 1:2:(sprintf('%s, N = %g: %.1f operations per cycle, %.0f Gop/s, %s binds',strcol(6),$1,$2,$3,strcol(5))) @hover
}
unset multiplot
