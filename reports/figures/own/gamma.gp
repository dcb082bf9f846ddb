# SPDX-License-Identifier: BSD-3-Clause
# Gamma against the number of independent accumulators: one panel per format, in a grid, one line per sequence and ISA.
# gamma.dat: one block per line (accumulators, gamma, its 95% interval, fit, claim, bound, name).
set multiplot
set logscale y 2
set logscale x 2
set xrange [0.85:14]
set yrange [y_low:y_high]
unset key
# An interval is a line, not an error bar: gnuplot clears the place of the mark of those, and with it the point. Of none it is no line at all.
wide(gamma,low,high) = high-low > 0.25*gamma
low_end(low) = low > y_low/4 ? low : y_low/4
if (narrow) { columns = 2; above = 50; below = 210 }
array mark_of_isa[16] = [7,5,9,13,11,15,6,4,8,12,10,14,1,3,2,1]
rows = (panels+columns-1)/columns
tic_step = y_high/y_low > 64 ? 8 : 4
edge = narrow ? 76.0 : 70.0
cell_width = (width-edge-6)/columns
cell_height = (height-above-below)/(1.0*rows)
do for [p=1:panels] {
    place = (p-1)%columns
    row = (p-1)/columns
    set lmargin at screen (edge+place*cell_width)/width
    set rmargin at screen (edge+(place+1)*cell_width-12)/width
    set tmargin at screen 1-(above+row*cell_height)/height
    set bmargin at screen 1-(above+(row+1)*cell_height-54)/height
    set label 1 panel_title[p] at graph 0,1 left offset 0,1.5 font font_panel textcolor rgb ink
    set label 2 panel_best[p].(narrow ? '' : panel_isa[p]) at graph 0,1 left offset 0,0.5 font font_tiny textcolor rgb ink
    if (place == 0) { set ytics y_low,tic_step,y_high font font_tiny; set format y '%.3g' } else { set format y '' }
    set format x (p > panels-columns ? '%g' : '')
    set xtics (1,2,4,8) scale 0.4 font font_tiny offset 0,0.4
    if (p == 2) { unset label 901; unset label 902 }
    plot for [i=panel_first[p]:panel_last[p]] 'gamma.dat' index i-1 using 1:5 with lines linewidth 1.2 linecolor rgb panel_colour[p] title '', \
         for [i=panel_first[p]:panel_last[p]] 'gamma.dat' index i-1 using 1:2 with points linewidth 1 pointsize 0.55 pointtype mark_of_isa[line_isa[i]] linecolor rgb panel_colour[p] title '', \
         for [i=panel_first[p]:panel_last[p]] 'gamma.dat' index i-1 using 1:(wide($2,$3,$4) ? low_end($3) : $2):(0):(wide($2,$3,$4) ? $4-low_end($3) : 0) with vectors nohead linewidth 1 linecolor rgb panel_colour[p] title '', \
         for [i=panel_first[p]:panel_last[p]] 'gamma.dat' index i-1 using 1:6 with points pointtype 2 pointsize 1.1 linewidth 1.6 linecolor rgb ink title '', \
         for [i=panel_first[p]:panel_last[p]] 'gamma.dat' index i-1 using 1:2:(sprintf('%s ×%g: γ %.3f [%.3f, %.3f], %s',strcol(8),$1,$2,$3,$4,strcol(7))) @hover
}
unset border
unset tics
unset label 901
unset label 902
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen from_bottom(60)
set bmargin at screen 0
unset logscale
set xrange [0:1]
set yrange [0:1]
set label 1 'Independent accumulators' at screen 0.5,from_bottom(narrow ? 190 : 100) center textcolor rgb ink font (narrow ? font_normal : size_of(15))
set label 2 (narrow ? 'γ (cycles)' : 'γ (cycles per 32 weights)') at screen (narrow ? 12.0 : 14.0)/width,from_top(above+0.5*(rows*cell_height-54)) rotate center textcolor rgb ink font font_normal
set key at screen 0.5,from_bottom(narrow ? 174 : 78) center top horizontal maxcols (narrow ? 2 : 6) samplen 1 font font_small
plot for [i=1:isas] NaN with points pointtype mark_of_isa[i] pointsize 0.8 linecolor rgb ink title isa_title[i], \
     NaN with points pointtype 2 pointsize 1.1 linewidth 1.6 linecolor rgb ink title 'claimed by the source'
unset multiplot
