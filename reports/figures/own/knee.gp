# SPDX-License-Identifier: BSD-3-Clause
# Above: effective bandwidth over beta (envelope, Fig. 4), a model line min(beta, B/gamma) for each sequence that leaves the diagonal
# within the plot, labelled where it ends, this machine's beta as bars, measured cold GEMVs of the largest team. Below: the same
# spread out, measured against modelled. knee.dat: block 0 beta of each team; block 1 the diagonal; one block per line (beta, e_bw); then
# one block per family (place, beta, measured, slowest, fastest, model).
set multiplot
cloud_text = '%s: %.2f bytes per core cycle at β %.2f'
top = narrow ? 40 : headroom+22
set tmargin at screen from_top(top)
set bmargin at screen from_top(top+plot_height)
set lmargin at screen from_left(narrow ? room(44) : 66)
set rmargin at screen from_right(narrow ? 128 : 190)
set xlabel 'β: bytes per core cycle that one core reads while all cores read' font font_normal offset 0,0.3
set ylabel 'e: effective bytes per core cycle' font font_normal offset 1,0
set tics font font_normal
set xrange [0:axis_end(x_max)]
set yrange [0:axis_end(y_max)]
unset key
do for [i=1:bars] { set arrow i from bar_beta[i],0 to bar_beta[i],y_max nohead linecolor rgb ink linewidth 1.2 dashtype 3 back }
set label 1 bar_label at graph 0,1.045 left font font_normal textcolor rgb ink
if (lines > 0) { set label 2 'knee, bytes per core cycle' at graph 1.02,1.045 left font (narrow ? font_tiny : font_small) textcolor rgb ink }
do for [i=1:lines] { set label 10+i line_title[i] at graph 1.02,first line_label[i] left font (narrow ? font_tiny : font_small) textcolor rgb ink }
if (notes > 0) { set label 3 'knees beyond the plot, on the diagonal all the way:' at screen from_left(16),from_top(top+plot_height+74) left font font_small textcolor rgb ink }
do for [i=1:notes] { set label 50+i note[i] at screen from_left(16),from_top(top+plot_height+74+18*i) left font (narrow ? size_of(9) : font_small) textcolor rgb ink }
plot 'knee.dat' index 1 using 1:2 with lines linewidth 2.2 linecolor rgb ink title '', \
     for [i=1:lines] 'knee.dat' index i+1 using 1:2 with lines linewidth line_width[i]+0.6 dashtype line_dash[i] linecolor rgb line_colour[i] title '', \
     for [i=1:clouds] 'knee.dat' index lines+i+1 using 2:3 with points pointtype cloud_mark[i] pointsize 0.9 linecolor rgb cloud_colour[i] title '', \
     'knee.dat' index 0 using 1:(0.5*y_max):(sprintf('β with %s: %.2f bytes per core cycle',strcol(2),$1)) @hover, \
     for [i=1:lines] 'knee.dat' index i+1 using ($0 == 0 ? $1 : NaN):2:(sprintf('%s: knee at %.3g bytes per core cycle',line_name[i],$1)) @hover, \
     for [i=1:clouds] 'knee.dat' index lines+i+1 using 2:3:(sprintf(cloud_text,strcol(8),$3,$2)) @hover
if (clouds > 0) {
    unset label
    unset arrow
    below = top+plot_height+130+18*notes
    set lmargin at screen from_left(narrow ? room(44) : 66)
    set rmargin at screen from_right(16)
    set tmargin at screen from_top(below)
    set bmargin at screen from_bottom(78)
    set xrange [0.25:clouds+0.75]
    set yrange [0:axis_end(zoom_max)]
    set xlabel ''
    set ylabel 'bytes per core cycle, '.cloud_team font font_small offset 1,0
    set xtics () scale 0 font font_small
    do for [i=1:clouds] { set xtics add (cloud_title[i] i) }
    set xtics rotate by 40 right offset 0.8,-0.1
    set grid noxtics
    set label 4 'Measured ('.cloud_shape.', with the slowest and the fastest shape) against the model (grey)' at graph 0,1.07 left font font_normal textcolor rgb ink
    unset key
    plot zoom_beta with lines linewidth 1.2 dashtype 3 linecolor rgb ink title 'β of the run', \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 1:6:(0.34) with xerrorbars pointtype 0 linewidth 2.5 linecolor rgb '#808080' title i == 1 ? 'model' : '', \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 1:3:4:5 with yerrorbars pointtype cloud_mark[i] pointsize 1 linewidth 1.5 linecolor rgb cloud_colour[i] title '', \
         NaN with yerrorbars pointtype 7 linewidth 1.5 linecolor rgb ink title cloud_shape.', slowest and fastest shape', \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 1:4:(clouds > 6 ? '' : strcol(7)) with labels offset 0,-0.7 font font_tiny textcolor rgb ink title '', \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 1:3:(sprintf(cloud_text.', model %.2f',strcol(8),$3,$2,$6)) @hover, \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 1:4:(sprintf('slowest shape %s: %.2f bytes per core cycle',strcol(7),$4)) @hover, \
         for [i=1:clouds] 'knee.dat' index lines+i+1 using 1:5:(sprintf('fastest shape: %.2f bytes per core cycle',$5)) @hover
}
unset multiplot
