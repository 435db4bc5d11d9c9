// A bracket that holds a ball switch upright below Topple's board.  The board balances on its stem,
// so the bracket goes round the stem and is the same on both sides: the second sleeve takes a second
// switch, wired or not, as a counterweight.  docs/build-your-own.md says what to measure.
// Every measure above [Hidden] may be given: ./run cad NAME=VALUE, or in OpenSCAD's Customizer.

/* [Switch: measure yours] */
// K: diameter of the switch's can
can_diameter_mm = 5; // [3:0.05:8]
// L: length of the can without its pins
can_length_mm = 10; // [5:0.1:20]
// M: from the middle of one pin to the middle of the other
pin_pitch_mm = 2.5; // [1.5:0.05:5]
// diameter of a pin
pin_diameter_mm = 0.6; // [0.3:0.05:1.2]

/* [Board: measure yours] */
// N: diameter of the stem, or of the socket for it, below the board
stem_diameter_mm = 30; // [10:0.1:100]
// P: width of the board
board_mm = 208; // [80:1:400]

/* [Bracket] */
// thickness of the plate that touches the board
plate_mm = 2.4; // [1.2:0.1:5]
// thickness of the sleeve round the switch
sleeve_wall_mm = 1.6; // [1.2:0.1:4]
// gap round the can
can_clearance_mm = 0.15; // [0.05:0.05:0.5]
// gap round the stem
stem_clearance_mm = 0.5; // [0.1:0.1:5]
// diameter of its two screws
bracket_screw_diameter_mm = 3; // [2:0.1:4]
// width of the cable tie that holds the wire
tie_width_mm = 2.5; // [1.5:0.1:4]
// diameter of the wire
wire_diameter_mm = 2; // [0.5:0.1:4]

/* [Hidden] */
$fn = 72;
e = 0.01;
ledge = 1.6;
bore = can_diameter_mm + 2 * can_clearance_mm;
sleeve_r = bore / 2 + sleeve_wall_mm;
height = can_length_mm + 0.5 + ledge; // half a millimetre for foam
hole_r = stem_diameter_mm / 2 + stem_clearance_mm;
middle_r = hole_r + bracket_screw_diameter_mm + 4.4;
screw_y = (hole_r + middle_r) / 2;
sleeve_x = hole_r + 1.5 + sleeve_r;
anchor_length = tie_width_mm + 0.6 + 3.2;
anchor_width = wire_diameter_mm + 5;
anchor_x = sleeve_x + sleeve_r + 3 + anchor_length / 2;
end_r = max(anchor_width / 2 + 1.5, sleeve_r + 1.5);
length = 2 * (anchor_x + end_r);
tie_z = height - wire_diameter_mm / 2 - 1.6 - 1.8;

// The same limits as in checks_of_bracket.py, for who opens this file in OpenSCAD.
assert(pin_pitch_mm + pin_diameter_mm + 0.8 <= can_diameter_mm - 0.4, "the pins are as far apart as the can is wide");
assert(pin_diameter_mm + 0.6 <= bore - 2.4, "the pins' slot leaves no ledge for the can");
assert(length <= board_mm - 20, "the bracket is too long for the board");
assert(tie_z >= plate_mm + 0.8, "the wire and its tie are too thick for so short a switch");

module both() {
    for (a = [0, 180]) rotate(a) children();
}

module plate() {
    hull() {
        circle(middle_r);
        both() translate([anchor_x, 0]) circle(end_r);
    }
}

module anchor() { // the wire lies in the groove, a cable tie goes through below it
    difference() {
        translate([-anchor_length / 2, -anchor_width / 2, 0]) cube([anchor_length, anchor_width, height]);
        translate([0, 0, height]) rotate([0, 90, 0]) cylinder(d = wire_diameter_mm, h = 40, center = true, $fn = 32);
        translate([-(tie_width_mm + 0.6) / 2, -20, tie_z]) cube([tie_width_mm + 0.6, 40, 1.8]);
    }
}

module pin_slot() {
    hull() for (y = [-1, 1]) translate([0, y * pin_pitch_mm / 2]) circle(d = pin_diameter_mm + 0.6, $fn = 24);
}

difference() {
    union() {
        linear_extrude(plate_mm) plate();
        both() translate([sleeve_x, 0, 0]) {
            cylinder(r = sleeve_r, h = height);
            translate([0, 0, plate_mm - e]) cylinder(r1 = sleeve_r + 1.2, r2 = sleeve_r, h = 1.2);
        }
        both() translate([anchor_x, 0, 0]) anchor();
    }
    translate([0, 0, -e]) cylinder(r = hole_r, h = height + 1);
    both() translate([sleeve_x, 0, -e]) {
        cylinder(d = bore, h = height - ledge + e);
        linear_extrude(height + 1) pin_slot();
    }
    both() translate([0, screw_y, -e]) cylinder(d = bracket_screw_diameter_mm + 0.4, h = plate_mm + 1, $fn = 30);
}
