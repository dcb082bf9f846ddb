# SPDX-License-Identifier: BSD-3-Clause
# Bars of each scheme on three shapes, one panel a table. apt_9_11.dat: a block for each table (place, Top/s, the paper's mark, ratio to f16
# here, in the paper, 1 if known to be the fastest, colour, what, kernel).
set multiplot
set style fill solid 0.95 noborder
set grid noxtics ytics
set boxwidth 0.9
set xrange [-1:places]
set xtics scale 0 font font_small
set xtics ()
left = narrow ? room(66) : 81
mark = (narrow ? 0.7 : 1.1)*(format eq 'svg' ? 0.7 : 1)
below = (narrow ? 7 : 4)*key_row+(narrow ? 56 : 34)
high = (height-below-headroom)*1.0/panels
set lmargin at screen from_left(left)
set rmargin at screen from_right(narrow ? 8 : 16)
unset key
pale(colour,known) = known > 0 ? colour : 0x90000000+int(colour)
bar_text(what,ops,kernel,here,paper) = sprintf('%s: %.3g Top/s, %s',what,ops,kernel).(here > 0 ? sprintf('; %.2f times f16 or bf16',here) : '').(paper > 0 ? sprintf(', the paper''s %.2f',paper) : '')
do for [p=1:panels] {
    if (p > 1) { unset label 901; unset label 902 }
    set tmargin at screen from_top(headroom+26+(p-1)*high)
    set bmargin at screen from_top(headroom+p*high-34)
    set yrange [0:axis_end((narrow ? 1.16 : 1.24)*panel_most[p])]
    set ylabel 'Top/s' offset (narrow ? 1.2 : 0.5),0
    set label 1 panel_title[p] at graph 0,1.07 left font font_panel textcolor rgb ink
    set xtics ()
    do for [s=1:shapes] { set xtics add (shape_title[(p-1)*shapes+s] shape_at[s]) }
    plot 'apt_9_11.dat' index panel_block[p] using 1:($2 > 0 ? $2 : NaN):(pale($7,$6)) with boxes linecolor rgb variable title '', \
         '' index panel_block[p] using 1:(narrow || $2 == 0 ? NaN : $3 > $2-0.05*panel_most[p] && $3 < $2+0.24*panel_most[p] ? $3+0.04*panel_most[p] : $2):(sprintf($2 < 0.1 ? '%.3f' : '%.2f',$2)) with labels left rotate by 90 offset 0,0.35 font font_tiny textcolor rgb ink title '', \
         '' index panel_block[p] using 1:($3 > 0 ? $3 : NaN) with points pointtype 13 pointsize mark linecolor rgb '#ffffff' title '', \
         '' index panel_block[p] using 1:($3 > 0 ? $3 : NaN) with points pointtype 12 pointsize mark linewidth 1.4 linecolor rgb ink title '', \
         '' index panel_block[p] using 1:($2 > 0 ? $2 : NaN):(bar_text(strcol(8),$2,strcol(9),$4,$5)) @hover
}
unset label
unset border
unset tics
unset grid
unset ylabel
set tmargin at screen from_bottom(below-20)
set bmargin at screen from_bottom(0)
set xrange [0:1]
set yrange [0:1]
set key at graph 0.5,0.5 center center horizontal maxcols (narrow ? 3 : 6) samplen 1.6 font font_normal
plot for [s=1:schemes] NaN with boxes linecolor rgb scheme_colour[s] title scheme_title[s], \
     NaN with points pointtype 12 pointsize mark linewidth 1.4 linecolor rgb ink title 'the paper''s ratio'
unset multiplot
