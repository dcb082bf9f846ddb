# SPDX-License-Identifier: BSD-3-Clause
# Left: effective bandwidth over beta (envelope, Fig. 4), a model line min(beta, B/gamma) per sequence, this machine's beta as bars,
# measured cold GEMVs of the largest team. Right: the same spread out, measured against modelled.
# knee.dat: block 0 beta of each team; one block per line (beta, e_bw); then one block per family (place, beta, measured, slowest, fastest, model).
set multiplot
cloud_text = '%s: %.2f bytes per core cycle at β %.2f'
key_rows = narrow ? lines : (lines+1)/2
set lmargin at screen from_left(narrow ? room(54) : 70)
set rmargin at screen (narrow ? from_right(12) : from_left(610))
set bmargin at screen from_top(narrow ? 310 : 440)
set xlabel 'β: bytes per core cycle that one core reads while all cores read'
set ylabel 'effective bandwidth (bytes per core cycle)' offset 0.8,0
set xrange [0:axis_end(x_max)]
set yrange [0:axis_end(y_max)]
do for [i=1:bars] { set arrow i from bar_beta[i],0 to bar_beta[i],y_max nohead linecolor rgb ink linewidth 1.2 dashtype 3 back }
if (narrow) { set tmargin at screen from_top(34) }
set label 1 bar_label at graph 0,1.035 left font font_normal textcolor rgb ink
set key at screen from_left(narrow ? 6 : 59),from_bottom(12) left bottom vertical maxcols 2 maxrows key_rows samplen 3.4 font font_small width -2
set label 2 'knee of each sequence, in bytes per core cycle:' at screen from_left(narrow ? 12 : 70),from_bottom(20+key_row*key_rows) left font font_small textcolor rgb ink
plot for [i=1:lines] 'knee.dat' index i using 1:2 with lines linewidth line_width[i] dashtype line_dash[i] linecolor rgb line_colour[i] title line_title[i], \
     for [i=1:clouds] 'knee.dat' index lines+i using 2:3 with points pointtype cloud_mark[i] pointsize 0.9 linecolor rgb cloud_colour[i] title '', \
     'knee.dat' index 0 using 1:(0.5*y_max):(sprintf('β with %s: %.2f bytes per core cycle',strcol(2),$1)) @hover, \
     for [i=1:clouds] 'knee.dat' index lines+i using 2:3:(sprintf(cloud_text,strcol(8),$3,$2)) @hover
if (clouds > 0) {
    unset label
    unset arrow
    set lmargin at screen from_left(narrow ? room(54) : 730)
    set rmargin at screen from_right(narrow ? 12 : 16)
    if (narrow) { set tmargin at screen from_top(382); set bmargin at screen from_top(620) }
    set xrange [0.25:clouds+0.75]
    set yrange [0:axis_end(zoom_max)]
    set xlabel ''
    set ylabel 'bytes per core cycle, '.cloud_team offset 1.2,0
    set xtics () scale 0 font font_small
    do for [i=1:clouds] { set xtics add (cloud_title[i] i) }
    set xtics rotate by 40 right offset 0.8,-0.1
    set grid noxtics
    set key at screen from_left(narrow ? 6 : 718),from_bottom(narrow ? 40+key_row*key_rows : 20+key_row*key_rows) left bottom vertical maxcols 1 maxrows 3 samplen 2.2 width 0 title ''
    plot zoom_beta with lines linewidth 1.2 dashtype 3 linecolor rgb ink title 'β of the run', \
         for [i=1:clouds] 'knee.dat' index lines+i using 1:6:(0.34) with xerrorbars pointtype 0 linewidth 2.5 linecolor rgb '#808080' title i == 1 ? 'model' : '', \
         for [i=1:clouds] 'knee.dat' index lines+i using 1:3:4:5 with yerrorbars pointtype cloud_mark[i] pointsize 1 linewidth 1.5 linecolor rgb cloud_colour[i] title '', \
         NaN with yerrorbars pointtype 7 linewidth 1.5 linecolor rgb ink title cloud_shape.', slowest and fastest shape', \
         for [i=1:clouds] 'knee.dat' index lines+i using 1:4:(clouds > 6 ? '' : strcol(7)) with labels offset 0,-0.7 font font_tiny textcolor rgb ink title '', \
         for [i=1:clouds] 'knee.dat' index lines+i using 1:3:(sprintf(cloud_text.', model %.2f',strcol(8),$3,$2,$6)) @hover, \
         for [i=1:clouds] 'knee.dat' index lines+i using 1:4:(sprintf('slowest shape %s: %.2f bytes per core cycle',strcol(7),$4)) @hover, \
         for [i=1:clouds] 'knee.dat' index lines+i using 1:5:(sprintf('fastest shape: %.2f bytes per core cycle',$5)) @hover
}
unset multiplot
