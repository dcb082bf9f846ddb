# SPDX-License-Identifier: BSD-3-Clause
# One panel per ratio, by model size. bitnet_ratios.dat: one block per panel: size, here with the paper's kernels, here with our
# fastest, i7-13700H, M2 Ultra, label, low and high of both here.
set multiplot layout (narrow ? panels : 1),(narrow ? 1 : panels) margins from_left(narrow ? 74 : 60),(narrow ? from_right(10) : 0.76),from_bottom(narrow ? 116 : 66),from_top(headroom+24) spacing 0.045,80.0/height
set xrange [0.4:sizes+0.6]
set grid noxtics ytics
if (narrow) { set xtics font font_small } else { set xtics rotate by 45 right font font_small offset 0.4,-0.1 }
unset key
key_place = narrow ? 'at screen from_left(8),from_bottom(6) left bottom vertical maxcols 2 maxrows 3 width -1' : 'at graph 1.04,1 left top vertical'
paper_i7 = 0xb8860b
paper_m2 = 0x0072b2
#DEL[2] = [0xb8860b, 0x0072b2]
do for [p=1:panels] {
    set yrange [0:axis_end(panel_max[p])]
    if (p > 1) { unset label }
    if (p > 1 && !narrow) { unset ylabel } else { set ylabel (narrow ? 'times as fast' : sprintf('times as fast; here %d thread%s', threads, threads == 1 ? '' : 's')) offset 0.8,0 }
    set label panel_title[p] at graph 0,1.06 font font_panel textcolor rgb ink
    if (p == panels) { set key @key_place samplen 3 spacing 1.35 font font_small }
    plot 1 with lines linewidth 1 linecolor rgb ink title '', \
         claim_i7[p] with lines linewidth 1.6 dashtype 3 linecolor rgb paper_i7 title 'claimed at most, i7-13700H', \
         claim_m2[p] with lines linewidth 1.6 dashtype 3 linecolor rgb paper_m2 title 'claimed at most, M2 Ultra', \
         'bitnet_ratios.dat' index p-1 using 1:4:xtic(6) with linespoints linewidth 1.2 pointtype 9 pointsize 0.9 linecolor rgb paper_i7 title 'paper, i7-13700H', \
         '' index p-1 using 1:5 with linespoints linewidth 1.2 pointtype 11 pointsize 0.9 linecolor rgb paper_m2 title 'paper, M2 Ultra', \
         '' index p-1 using 1:2:7:8 with yerrorbars linewidth 1.2 pointtype 0 linecolor rgb ink title '', \
         '' index p-1 using 1:3:9:10 with yerrorbars linewidth 1.2 pointtype 0 linecolor rgb ink title '', \
         '' index p-1 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 1.1 linecolor rgb ink title 'here, the paper’s kernels', \
         '' index p-1 using 1:3 with linespoints linewidth 2 dashtype 2 pointtype 12 pointsize 1.3 linecolor rgb ink title 'here, our fastest kernels', \
         '' index p-1 using 1:4:(sprintf('%s, %s, i7-13700H: %.3g',panel_title[p],strcol(6),$4)) @hover, \
         '' index p-1 using 1:5:(sprintf('%s, %s, M2 Ultra: %.3g',panel_title[p],strcol(6),$5)) @hover, \
         '' index p-1 using 1:(real(strcol(strcol(2) eq 'nan' ? 4 : 2))):(strcol(2) eq 'nan' ? strcol(6) : sprintf('%s, %s, here, the paper’s kernels: %.3g [%s, %s]',panel_title[p],strcol(6),real(strcol(2)),strcol(7),strcol(8))) @hover, \
         '' index p-1 using 1:(real(strcol(strcol(3) eq 'nan' ? 4 : 3))):(strcol(3) eq 'nan' ? strcol(6) : sprintf('%s, %s, here, our fastest: %.3g [%s, %s]',panel_title[p],strcol(6),real(strcol(3)),strcol(9),strcol(10))) @hover
}
unset multiplot
