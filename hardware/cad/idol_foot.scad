// A foot for the idol of UNO Tiki: it turns on an encoder; a Pico, a ring of lights and a weight
// are inside.  Three parts: body, bottom and hub.  docs/build-your-own.md says what to measure.
// Every measure above [Hidden] may be given: ./run cad NAME=VALUE, or in OpenSCAD's Customizer.
// Set-ups for the two encoders are in idol_foot.json.

/* [Part] */
// what to make; the assembly is to look at
part = "assembly"; // [assembly, body, bottom, hub]

/* [Idol: measure yours] */
// A: diameter of the idol's base
idol_base_diameter_mm = 60; // [20:0.1:120]
// B: height of its pointing hand above its base
idol_arm_height_mm = 75; // [5:1:300]
// its mass, with a few cards in it
idol_mass_g = 150; // [10:1:1500]

/* [Encoder: measure yours] */
// C: diameter of the bush or the boss that goes through the foot's top
bush_diameter_mm = 7; // [5:0.1:30]
// D: length of the bush's thread, 0 if the encoder is held by screws
bush_length_mm = 7; // [0:0.1:15]
// thickness of its nut with the washer, or of the heads of its screws
nut_height_mm = 2.5; // [1:0.1:6]
// shape of the encoder's body
encoder_shape = "square"; // [square, round]
// E: width or diameter of the encoder's body
encoder_width_mm = 12.4; // [8:0.1:42]
// F: depth of the body with its pins and wires
encoder_depth_mm = 15; // [5:0.1:60]
// how many screws hold it, 0 if a nut does
encoder_screws = 0; // [0:1:4]
// diameter of the circle on which its screws are
encoder_screw_circle_mm = 28; // [10:0.1:40]
// diameter of its screws
encoder_screw_diameter_mm = 3; // [2:0.1:4]
// G: diameter of the shaft
shaft_diameter_mm = 6; // [3:0.05:10]
// H: thickness of the shaft at its flat; the same as G if it is round
shaft_flat_mm = 4.5; // [2:0.05:10]
// I: from the face that touches the foot to the shaft's end
shaft_length_mm = 20; // [8:0.1:40]

/* [Ring of lights] */
// outer diameter of the ring's board, 0 for no ring
ring_outer_diameter_mm = 65.5; // [0:0.1:120]
// inner diameter of the ring's board
ring_inner_diameter_mm = 52.3; // [10:0.1:110]
// thickness of the board with its lights
ring_height_mm = 3.2; // [1:0.1:6]

/* [Pico and wires] */
// height of the posts on which the Pico stands
post_height_mm = 4; // [1.5:0.1:15]
// free height above the Pico, for its pins and the wires on them
pico_headroom_mm = 18; // [3:0.5:40]
// width of the USB plug's housing
usb_plug_width_mm = 12; // [8:0.1:16]
// height of the USB plug's housing
usb_plug_height_mm = 8; // [5:0.1:12]
// length of the housing with its plug
usb_plug_length_mm = 22; // [8:0.5:40]
// openings for wires: lights, tilt, buttons
wire_openings = 3; // [1:1:4]
// width and height of an opening for wires
wire_opening_mm = 6; // [3:0.5:9]

/* [Foot] */
// diameter of the foot
foot_diameter_mm = 130; // [90:1:210]
// thickness of the outer wall
wall_mm = 2.4; // [1.2:0.1:6]
// thickness of the top where the encoder is mounted
panel_mm = 3; // [1.2:0.1:8]
// thickness of the bottom
bottom_mm = 3; // [2.8:0.1:6]
// gap to each side of what is bought
clearance_mm = 0.4; // [0.1:0.05:1]
// how much wider than the shaft and the bush their holes are
fit_mm = 0.15; // [0:0.05:0.5]
// diameter of the holes into which M3 screws cut their thread
pilot_diameter_mm = 2.6; // [2.2:0.05:2.9]
// rubber feet below the bottom
rubber_feet = 6; // [3, 4, 6]
// diameter of a rubber foot
rubber_foot_diameter_mm = 10; // [5:0.5:12]
// width of the printer's bed
bed_mm = 220; // [100:1:500]

/* [Weight] */
// what fills the chamber: dry sand 1.5, coins 4, lead shot 6.5
fill_density_g_cm3 = 1.5; // [0:0.1:7]
// the push against the hand that must not tip it over: 1 N is as heavy as 100 g
push_n = 1; // [0.1:0.1:5]

/* [Hidden] */
$fn = 120;
e = 0.01;
min_wall_mm = 1.2;
// Raspberry Pi Pico datasheet, "Mechanical specification"; Pico W and Pico 2 are the same.
pico_length = 51;
pico_width = 21;
pico_holes = [47, 11.4];
pico_board = 1;
pico_post = 4.4;      // outer diameter; the board has no parts so close to its holes
pico_pilot = 1.8;     // an M2 screw cuts its thread
usb_over_board = 1.3; // so far the socket stands out over the board's end
usb_middle = 1.35;    // its middle is so high above the board

r = foot_diameter_mm / 2;
ri = r - wall_mm;
has_ring = ring_outer_diameter_mm > 0;
groove_outer = ring_outer_diameter_mm / 2 + clearance_mm;
groove_inner = ring_inner_diameter_mm / 2 - clearance_mm;
top = max(panel_mm, has_ring ? ring_height_mm + 1.6 : 0, 2.4);
pocket = encoder_width_mm / 2 + clearance_mm;
pocket_corner = encoder_shape == "square" ? pocket * sqrt(2) : pocket;
inside = max(encoder_depth_mm - (top - panel_mm), post_height_mm + pico_board + pico_headroom_mm);
pico_y = encoder_width_mm / 2 + 2 + pico_width / 2;
pico_end = sqrt(max(0, pow(ri - 1, 2) - pow(pico_y + pico_width / 2 + 0.5, 2)));
usb_z = post_height_mm + pico_board + usb_middle;
usb_angle = asin(min(1, pico_y / r));
boss_angles = [75, 165, 255, 345];
boss_r = ri - 3;
chamber_inner = pocket_corner + 2 + 1.6;
chamber_angles = [195, 345];
rubber_angle = rubber_feet == 6 ? 0 : 30;
hub_gap = max(bush_length_mm - panel_mm, nut_height_mm) + 1;
hub_grip = shaft_length_mm - panel_mm - hub_gap;
hub_floor = hub_grip + 1.6;
hub_r = idol_base_diameter_mm / 2 + clearance_mm + 2;

// The same limits as in checks_of_foot.py, for who opens this file in OpenSCAD.
assert(bush_length_mm == 0 || panel_mm + nut_height_mm <= bush_length_mm, "panel_mm is too thick for the bush and its nut");
assert(bush_length_mm > 0 || encoder_screws >= 2, "without a bush the encoder needs two screws or more");
assert(encoder_screws == 0 || encoder_screw_circle_mm / 2 - encoder_screw_diameter_mm / 2 >= bush_diameter_mm / 2 + min_wall_mm, "the encoder's screws are too close to its bush");
assert(!has_ring || ring_outer_diameter_mm - ring_inner_diameter_mm >= 4, "the ring's board is too narrow");
assert(!has_ring || groove_inner >= pocket_corner + min_wall_mm, "the ring is above the encoder's body");
assert(!has_ring || groove_inner >= bush_diameter_mm / 2 + 4 + min_wall_mm, "the ring is where the encoder's nut is");
assert(!has_ring || encoder_screws == 0 || groove_inner >= encoder_screw_circle_mm / 2 + 3 + min_wall_mm, "the ring is where the encoder's screws are");
assert(!has_ring || groove_outer + 4 <= ri, "the ring is too large for the foot");
assert(pico_y + pico_width / 2 + 1.5 <= ri && pow(pico_length - pico_end, 2) + pow(pico_y + pico_width / 2 + 0.5, 2) <= pow(ri - 1, 2), "the Pico does not fit in beside the encoder");
assert(boss_gap() >= 0.5, "the Pico is where a screw of the bottom is");
assert(r * cos(usb_angle) - pico_end - usb_over_board + 3 <= usb_plug_length_mm, "the USB plug does not reach the Pico");
assert(usb_z >= usb_plug_height_mm / 2 + clearance_mm, "the USB plug is in the way of the bottom");
assert(usb_z + usb_plug_height_mm / 2 + clearance_mm + 2 <= inside, "the USB plug is in the way of the top");
assert(wire_opening_mm + 3 <= inside, "the openings for wires are too high");
assert(shaft_flat_mm <= shaft_diameter_mm && shaft_flat_mm >= 0.6 * shaft_diameter_mm, "shaft_flat_mm does not belong to such a shaft");
assert(hub_grip >= 5, "the shaft is too short for the hub");
assert(foot_diameter_mm + 6 <= bed_mm, "the foot does not fit on the bed");
assert(2 * hub_r + 6 <= bed_mm, "the hub does not fit on the bed");

// From the nearest boss to the Pico's board; negative if they overlap.
function boss_gap() = min([for (a = boss_angles)
    let (dx = max(0, boss_r * cos(a) - pico_end, pico_end - pico_length - boss_r * cos(a)),
         dy = max(0, abs(boss_r * sin(a) - pico_y) - pico_width / 2))
    sqrt(dx * dx + dy * dy) - 4]);

module sector(angles, radius) {
    polygon([[0, 0], for (i = [0 : 30])
        let (a = angles[0] + (angles[1] - angles[0]) * i / 30) radius * 1.2 * [cos(a), sin(a)]]);
}

module annulus(outer, inner) {
    difference() { circle(outer); circle(inner); }
}

module shaft(extra) { // a D seen along the shaft
    d = shaft_diameter_mm + extra;
    intersection() {
        circle(d = d, $fn = 60);
        translate([-d, -d / 2]) square([2 * d, shaft_flat_mm + extra]);
    }
}

module encoder_outline() {
    if (encoder_shape == "square") square(2 * pocket, center = true);
    else circle(pocket);
}

module chamber_walls() {
    intersection() {
        circle(ri + e);
        difference() {
            offset(delta = 1.6) chamber();
            chamber();
        }
    }
}

module chamber() {
    intersection() {
        annulus(ri, chamber_inner);
        sector(chamber_angles, r);
    }
}

module at_bosses() {
    for (a = boss_angles) rotate(a) translate([boss_r, 0]) children();
}

module top_plate() {
    difference() {
        union() {
            cylinder(r = r, h = top - 1);
            translate([0, 0, top - 1]) cylinder(r1 = r, r2 = r - 1, h = 1);
        }
        translate([0, 0, -e]) linear_extrude(top + 1) {
            circle(d = bush_diameter_mm + 2 * fit_mm, $fn = 60);
            if (encoder_screws > 0) for (i = [0 : encoder_screws - 1])
                rotate(180 + i * 360 / encoder_screws) translate([encoder_screw_circle_mm / 2, 0])
                    circle(d = encoder_screw_diameter_mm + 0.3, $fn = 30);
            if (has_ring) rotate(135) translate([(groove_outer + groove_inner) / 2, 0])
                square([min(5, groove_outer - groove_inner - 1), 9], center = true);
        }
        if (top > panel_mm) translate([0, 0, -e]) linear_extrude(top - panel_mm + e) encoder_outline();
        if (has_ring) translate([0, 0, top - ring_height_mm])
            linear_extrude(ring_height_mm + 1) annulus(groove_outer, groove_inner);
    }
}

module body() { // as it is used, the bottom's upper face at 0
    translate([0, 0, inside]) top_plate();
    difference() {
        linear_extrude(inside + e) difference() {
            union() {
                annulus(r, ri);
                chamber_walls();
                intersection() { circle(r); at_bosses() circle(4, $fn = 40); }
            }
            at_bosses() circle(d = pilot_diameter_mm, $fn = 30);
        }
        openings();
    }
}

module openings() {
    usb_high = usb_z + usb_plug_height_mm / 2 + clearance_mm;
    translate([r * cos(usb_angle) - 20, pico_y - usb_plug_width_mm / 2 - clearance_mm, -1])
        cube([40, usb_plug_width_mm + 2 * clearance_mm, usb_high + 1]);
    for (i = [0 : wire_openings - 1]) rotate(90 + (i + 0.5) * 60 / wire_openings)
        translate([ri - 3, -wire_opening_mm / 2, -1]) cube([20, wire_opening_mm, wire_opening_mm + 1]);
    for (a = [usb_angle + 14 : 6 : 66]) vent(a);
    for (a = [175 : 6 : 187]) vent(a);
}

module vent(angle) {
    rotate(angle) translate([ri - 2, -1.5, 5]) cube([20, 3, inside - 9]);
}

module bottom() { // as it is used and printed, its upper face at bottom_mm
    difference() {
        linear_extrude(bottom_mm) difference() {
            circle(r);
            at_bosses() circle(d = 3.4, $fn = 40);
            bottom_vents();
            tie_slots();
        }
        at_bosses_3d() translate([0, 0, -e]) cylinder(d1 = 6.6, d2 = 3, h = 1.8, $fn = 40);
        for (i = [0 : rubber_feet - 1]) rotate(rubber_angle + i * 360 / rubber_feet)
            translate([r - 8, 0, -e]) cylinder(d = rubber_foot_diameter_mm + 0.6, h = 0.8, $fn = 40);
        at_pico_holes() translate([0, 0, bottom_mm - 1]) cylinder(d = pico_pilot, h = 2, $fn = 40);
    }
    at_pico_holes() translate([0, 0, bottom_mm - e]) linear_extrude(post_height_mm + e)
        annulus(pico_post / 2, pico_pilot / 2, $fn = 40);
}

module at_bosses_3d() {
    for (a = boss_angles) rotate(a) translate([boss_r, 0, 0]) children();
}

module at_pico_holes() {
    for (x = [-1, 1], y = [-1, 1])
        translate([pico_end - pico_length / 2 + x * pico_holes[0] / 2, pico_y + y * pico_holes[1] / 2, 0])
            children();
}

module bottom_vents() {
    for (i = [-2 : 2]) translate([pico_end - pico_length / 2 + i * 7, pico_y])
        hull() for (y = [-5, 5]) translate([0, y]) circle(1.2, $fn = 20);
}

module tie_slots() { // a cable tie through both holds the wires of one opening
    for (i = [0 : wire_openings - 1]) rotate(90 + (i + 0.5) * 60 / wire_openings)
        for (y = [-4, 4]) translate([ri - 15, y]) square([4, 2], center = true);
}

module hub() { // as it is used and printed; its slanted underside throws the light outwards
    rim = 5;
    foot_r = max(shaft_diameter_mm / 2 + 4, hub_r - (hub_floor - 2));
    slant = hub_r - foot_r;
    difference() {
        union() {
            cylinder(r1 = foot_r, r2 = hub_r, h = slant + e);
            translate([0, 0, slant]) cylinder(r = hub_r, h = hub_floor + rim - slant);
        }
        translate([0, 0, hub_floor]) cylinder(r = hub_r - 2, h = rim + 1);
        translate([0, 0, -e]) linear_extrude(hub_grip) shaft(2 * fit_mm);
    }
}

if (part == "body") translate([0, 0, inside + top]) rotate([180, 0, 0]) body();
else if (part == "bottom") bottom();
else if (part == "hub") hub();
else {
    bottom();
    translate([0, 0, bottom_mm]) body();
    translate([0, 0, bottom_mm + inside + top + hub_gap]) hub();
}
