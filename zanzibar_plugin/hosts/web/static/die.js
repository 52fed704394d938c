// Dice as pictures.  They are for the eyes alone: what they show is written beside them.

const SVG = "http://www.w3.org/2000/svg";
const [LOW, MID, HIGH] = [9, 18, 27];
const PIPS = {
  1: [[MID, MID]],
  2: [[LOW, HIGH], [HIGH, LOW]],
  3: [[LOW, HIGH], [MID, MID], [HIGH, LOW]],
  4: [[LOW, LOW], [LOW, HIGH], [HIGH, LOW], [HIGH, HIGH]],
  5: [[LOW, LOW], [LOW, HIGH], [MID, MID], [HIGH, LOW], [HIGH, HIGH]],
  6: [[LOW, LOW], [LOW, MID], [LOW, HIGH], [HIGH, LOW], [HIGH, MID], [HIGH, HIGH]],
};

/** A die that shows `face`, as an image without a name. */
export function diePicture(face) {
  const picture = draw("svg", { class: "face", viewBox: "0 0 36 36", "aria-hidden": "true" });
  picture.append(draw("rect", { x: 1.5, y: 1.5, width: 33, height: 33, rx: 7 }));
  for (const [cx, cy] of PIPS[face] ?? []) picture.append(draw("circle", { cx, cy, r: 3.4 }));
  return picture;
}

/** The sign of a die that will be thrown again: a turning arrow. */
export function againSign() {
  const picture = draw("svg", { class: "again", viewBox: "0 0 24 24", "aria-hidden": "true" });
  picture.append(draw("path", { d: "M19 12a7 7 0 1 1-2.2-5.1M19 3v5h-5" }));
  return picture;
}

function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
