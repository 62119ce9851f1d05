/** Red, green and blue of sRGB's light, from 0 to 1: linear, not as they are written in a colour. */
export type Light = readonly [red: number, green: number, blue: number];

/** A colour in CIE L*a*b*, seen by daylight (D65). */
export interface Lab {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

type Matrix = readonly [Light, Light, Light];

/** How somebody sees colours, or what prints them. */
export type Vision = "normal" | "protanopia" | "deuteranopia" | "tritanopia" | "grey";

export const visions: readonly Vision[] = ["normal", "protanopia", "deuteranopia", "tritanopia", "grey"];

/** How much of each light the eye takes for brightness. */
const brightness: Light = [0.2126, 0.7152, 0.0722];

/** Machado, Oliveira and Fernandes 2009, at severity 1; for linear light. */
const simulations: Readonly<Record<Vision, Matrix>> = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
  grey: [brightness, brightness, brightness],
};

const dot = (one: Light, other: Light): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2];

/** The light of a colour as "#0b5cad". */
export function lightOf(colour: string): Light {
  const channel = (at: number): number => {
    const written = parseInt(colour.slice(at, at + 2), 16) / 255;
    return written <= 0.04045 ? written / 12.92 : ((written + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** What somebody sees of a light; a screen can show no less than none and no more than all. */
export function seen(light: Light, vision: Vision): Light {
  const [red, green, blue] = simulations[vision];
  const within = (row: Light): number => Math.min(Math.max(dot(row, light), 0), 1);
  return [within(red), within(green), within(blue)];
}

export function labOf(light: Light): Lab {
  const part = (row: Light, white: number): number => {
    const share = dot(row, light) / white;
    return share > 216 / 24389 ? Math.cbrt(share) : (share * 24389 / 27 + 16) / 116;
  };
  const x = part([0.4124564, 0.3575761, 0.1804375], 0.95047);
  const y = part([0.2126729, 0.7151522, 0.072175], 1);
  const z = part([0.0193339, 0.119192, 0.9503041], 1.08883);
  return { l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) };
}

/** How different two colours look: CIEDE2000 (Sharma, Wu and Dalal 2005). One is hardly seen; ten is seen at once. */
export function difference(one: Lab, other: Lab): number {
  const radians = Math.PI / 180;
  const of = (a: number, b: number): number => Math.hypot(a, b);
  const chromaMean = (of(one.a, one.b) + of(other.a, other.b)) / 2;
  const stretch = 1.5 - 0.5 * Math.sqrt(chromaMean ** 7 / (chromaMean ** 7 + 25 ** 7));
  const [a1, a2] = [one.a * stretch, other.a * stretch];
  const [c1, c2] = [of(a1, one.b), of(a2, other.b)];
  const hue = (a: number, b: number): number => (a === 0 && b === 0 ? 0 : (Math.atan2(b, a) / radians + 360) % 360);
  const [h1, h2] = [hue(a1, one.b), hue(a2, other.b)];
  const isGrey = c1 * c2 === 0, apart = h2 - h1;

  const turned = isGrey ? 0 : apart > 180 ? apart - 360 : apart < -180 ? apart + 360 : apart;
  const lightness = other.l - one.l, chroma = c2 - c1;
  const hueDistance = 2 * Math.sqrt(c1 * c2) * Math.sin((turned / 2) * radians);

  const l = (one.l + other.l) / 2, c = (c1 + c2) / 2;
  const sum = h1 + h2;
  const h = isGrey ? sum : Math.abs(apart) <= 180 ? sum / 2 : sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
  const cosine = (factor: number, plus: number): number => Math.cos((factor * h + plus) * radians);
  const t = 1 - 0.17 * cosine(1, -30) + 0.24 * cosine(2, 0) + 0.32 * cosine(3, 6) - 0.2 * cosine(4, -63);
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
  const turn = 60 * radians * Math.exp(-(((h - 275) / 25) ** 2));
  const rotation = -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(turn);
  return Math.sqrt(
    (lightness / sl) ** 2 + (chroma / sc) ** 2 + (hueDistance / sh) ** 2
    + rotation * (chroma / sc) * (hueDistance / sh));
}

/** How different two colours look to somebody. */
export function differenceSeen(one: string, other: string, vision: Vision): number {
  const [first, second] = [one, other].map((colour) => labOf(seen(lightOf(colour), vision))) as [Lab, Lab];
  return difference(first, second);
}

/** The contrast of two colours by WCAG: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [one, other].map((colour) => dot(brightness, lightOf(colour)))
    .sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
