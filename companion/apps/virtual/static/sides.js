// Over which side of the table a seat's arm comes, clockwise from the far one; nothing is drawn here.

export const SIDES = { far: 0, right: 90, near: 180, left: 270 };
