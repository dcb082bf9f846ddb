# SPDX-License-Identifier: BSD-3-Clause
# Above: effective bandwidth over beta (envelope, Fig. 4), a model line min(beta, B/gamma) for each sequence that leaves the diagonal
# within the plot, labelled where it ends, this machine's beta as bars, and few enough measured cold GEMVs of the largest team. Below:
# the same a row each, measured against modelled. knee.dat: block 0 beta of each team; block 1 the diagonal; one block per line (beta,
# e_bw); then one block per family (place, beta, measured, slowest, fastest, model, slowest shape, kernel).
set multiplot
cloud_text = '%s: %.2f bytes per core cycle at β %.2f'
top = narrow ? 46 : headroom+22
left = narrow ? 60 : 66
label_font = narrow ? font_tiny : font_small
set tmargin at screen from_top(top)
set bmargin at screen from_top(top+plot_height)
set lmargin at screen from_left(left)
set rmargin at screen from_right(narrow ? 188 : 206)
set xlabel 'β: memory bandwidth of a core while all read (B/cycle)' font font_normal offset 0,0.3
set ylabel 'Effective bandwidth (B/cycle/core)' font font_normal offset (narrow ? 0 : 1),0
set tics font font_normal
set xrange [0:axis_end(x_max)]
set yrange [0:axis_end(y_max)]
unset key
do for [i=1:bars] { set arrow i from bar_beta[i],0 to bar_beta[i],y_max nohead linecolor rgb ink linewidth 1.2 dashtype 3 back }
set label 1 bar_label at graph 0,1.045 left font font_normal textcolor rgb ink
if (lines > 0) { set label 2 'knee (B/cycle)' at graph 1.02,screen from_top(top-(narrow ? 32 : 14)) left font label_font textcolor rgb ink }
do for [i=1:lines] { set label 10+i line_title[i] at graph 1.02,first line_label[i] left font label_font textcolor rgb ink }
# A column has no room for the list of the others.
shown_notes = narrow ? 0 : notes
if (shown_notes > 0) { set label 3 'knees beyond the plot, on the diagonal all the way:' at screen from_left(16),from_top(top+plot_height+74) left font font_small textcolor rgb ink }
do for [i=1:shown_notes] { set label 50+i note[i] at screen from_left(16),from_top(top+plot_height+74+18*i) left font font_small textcolor rgb ink }
# More dots than these lie on each other; below they have a row each.
dots = clouds > 8 ? 0 : clouds
plot 'knee.dat' index 1 using 1:2 with lines linewidth 2.2 linecolor rgb ink title '', \
     for [i=1:lines] 'knee.dat' index i+1 using 1:2 with lines linewidth line_width[i]+0.6 dashtype line_dash[i] linecolor rgb line_colour[i] title '', \
     for [i=1:dots] 'knee.dat' index lines+i+1 using 2:3 with points pointtype cloud_mark[i] pointsize 0.9 linecolor rgb cloud_colour[i] title '', \
     'knee.dat' index 0 using 1:(0.5*y_max):(sprintf('β with %s: %.2f bytes per core cycle',strcol(2),$1)) @hover, \
     for [i=1:lines] 'knee.dat' index i+1 using ($0 == 0 ? $1 : NaN):2:(sprintf('%s: knee at %.3g bytes per core cycle',line_name[i],$1)) @hover, \
     for [i=1:dots] 'knee.dat' index lines+i+1 using 2:3:(sprintf(cloud_text,strcol(8),$3,$2)) @hover
if (clouds > 0) {
    unset label
    unset arrow
    set errorbars 0
    below = top+plot_height+96+(shown_notes > 0 ? 34+18*shown_notes : 0)
    set lmargin at screen from_left(narrow ? 112 : 124)
    set rmargin at screen from_right(16)
    set tmargin at screen from_top(below)
    set bmargin at screen from_top(below+row_height*clouds)
    set xrange [0:axis_end(zoom_max)]
    set yrange [clouds+0.6:0.4]
    set xlabel 'Effective bandwidth, '.cloud_team.' (B/cycle/core)' font font_normal
    set ylabel ''
    set ytics () scale 0 font label_font
    do for [i=1:clouds] { set ytics add (cloud_title[i] i) }
    set grid xtics noytics
    set arrow 1 from zoom_beta,graph 0 to zoom_beta,graph 1 nohead linecolor rgb ink linewidth 1.2 dashtype 3 back
    set label 4 'Measured: '.cloud_shape.', and slowest to fastest shape; grey: model' at screen from_left(16),from_top(below-16) left font font_normal textcolor rgb ink
    plot for [i=1:clouds] 'knee.dat' index lines+i+1 using 6:($1-0.36):(0):(0.72) with vectors nohead linewidth 2.5 linecolor rgb '#808080' title '', \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 3:1:4:5 with xerrorbars pointtype cloud_mark[i] pointsize 0.9 linewidth 1.5 linecolor rgb cloud_colour[i] title '', \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 3:1:(sprintf(cloud_text.', model %.2f',strcol(8),$3,$2,$6)) @hover, \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 4:1:(sprintf('slowest shape %s: %.2f bytes per core cycle',strcol(7),$4)) @hover, \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 5:1:(sprintf('fastest shape: %.2f bytes per core cycle',$5)) @hover
}
unset multiplot
