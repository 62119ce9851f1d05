import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { contrast, difference, differenceSeen, labOf, lightOf, visions } from "../../src/expenditure/colour_vision.js";
import { inkOn, scaleOf, surroundings } from "../../src/expenditure/colour.js";

const themes = ["light", "dark"] as const;
const kinds = ["sequential", "diverging"] as const;
const counts = [2, 3, 4, 5, 6, 7];

test("differences are those of Sharma, Wu and Dalal's pairs (CIEDE2000)", () => {
  const pairs: Array<[number, number, number, number, number, number, number]> = [
    [50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425], [50, 3.1571, -77.2803, 50, 0, -82.7485, 2.8615],
    [50, 2.8361, -74.02, 50, 0, -82.7485, 3.4412], [50, -1.3802, -84.2814, 50, 0, -82.7485, 1],
    [50, 0, 0, 50, -1, 2, 2.3669], [50, 2.49, -0.001, 50, -2.49, 0.0009, 7.1792],
    [50, 2.49, -0.001, 50, -2.49, 0.0011, 7.2195], [50, -0.001, 2.49, 50, 0.0009, -2.49, 4.8045],
    [50, 2.5, 0, 50, 0, -2.5, 4.3065], [50, 2.5, 0, 73, 25, -18, 27.1492], [50, 2.5, 0, 61, -5, 29, 22.8977],
    [50, 2.5, 0, 56, -27, -3, 31.903], [50, 2.5, 0, 58, 24, 15, 19.4535],
    [60.2574, -34.0099, 36.2677, 60.4626, -34.1751, 39.4387, 1.2644],
    [63.0109, -31.0961, -5.8663, 62.8187, -29.7946, -4.0864, 1.263],
    [2.0776, 0.0795, -1.135, 0.9033, -0.0636, -0.5514, 0.9082],
  ];
  for (const [l1, a1, b1, l2, a2, b2, expected] of pairs) {
    const one = { l: l1, a: a1, b: b1 }, other = { l: l2, a: a2, b: b2 };
    assert.equal(difference(one, other).toFixed(4), expected.toFixed(4));
    assert.equal(difference(other, one).toFixed(4), expected.toFixed(4));
  }
});

test("white is white, and nobody who sees no red tells a red from its green", () => {
  const white = labOf(lightOf("#ffffff"));
  assert.ok(Math.abs(white.l - 100) < 0.01 && Math.hypot(white.a, white.b) < 0.02);
  for (const vision of visions) assert.ok(differenceSeen("#ffffff", "#000000", vision) > 90);
  assert.ok(differenceSeen("#ff0000", "#006a00", "normal") > 60);
  assert.ok(differenceSeen("#ff0000", "#006a00", "protanopia") < 6);
});

for (const theme of themes) {
  for (const kind of kinds) {
    test(`S-NFR2: classes of a ${theme} ${kind} scale are told apart in every vision and in grey`, () => {
      for (const count of counts) {
        const scale = scaleOf(kind, count, theme);
        assert.equal(scale.length, count);
        scale.forEach((one, index) => {
          for (const other of scale.slice(index + 1)) {
            for (const vision of visions) {
              const found = differenceSeen(one, other, vision);
              assert.ok(found >= 10, `${count} classes: ${one} and ${other} are ${found} apart, ${vision}`);
            }
          }
        });
      }
    });
  }

  test(`S-NFR2: on ${theme} ground, outlines, hatching and every class are seen`, () => {
    const { ground, hatch, outline } = surroundings[theme];
    assert.ok(contrast(outline, ground) >= 4.5);
    assert.ok(contrast(hatch, ground) >= 3);
    for (const vision of visions) {
      assert.ok(differenceSeen(hatch, ground, vision) >= 30);
      for (const colour of kinds.flatMap((kind) => counts.flatMap((count) => scaleOf(kind, count, theme)))) {
        assert.ok(differenceSeen(colour, ground, vision) >= 4.5, `${colour} on the ground, ${vision}`);
      }
    }
  });
}

test("sequential scales go away from the ground", () => {
  for (const count of counts) {
    const lightness = (colour: string): number => labOf(lightOf(colour)).l;
    const light = scaleOf("sequential", count, "light").map(lightness);
    const dark = scaleOf("sequential", count, "dark").map(lightness);
    assert.deepEqual(light, [...light].sort((one, other) => other - one));
    assert.deepEqual(dark, [...dark].sort((one, other) => one - other));
  }
});

test("the ground is that of the pages", () => {
  const style = readFileSync("src/static/style.css", "utf8");
  const grounds = [...style.matchAll(/--ground: (#\w+);/g)].map(([, colour]) => colour);
  assert.deepEqual(grounds.slice(0, 2), [surroundings.light.ground, surroundings.dark.ground]);
});

test("a text is read on every class", () => {
  for (const theme of themes) {
    for (const colour of kinds.flatMap((kind) => counts.flatMap((count) => scaleOf(kind, count, theme)))) {
      assert.ok(contrast(inkOn(colour), colour) >= 4.5, colour);
    }
  }
  assert.throws(() => scaleOf("sequential", 8, "light"), (error) => error instanceof RangeError);
});
