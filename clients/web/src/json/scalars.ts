// The values of proto3's JSON that TypeScript has no type for. They are named, so that a page converts before it
// calculates. https://protobuf.dev/programming-guides/json/

/** A whole number of 64 bits, as decimal digits: a JSON number would lose some beyond 2^53. */
export type Int64 = string;

/** The same without a sign. */
export type Uint64 = string;

/** A floating-point number; JSON has no number for the three that are none. */
export type Double = number | "NaN" | "Infinity" | "-Infinity";

/** Bytes in base64. */
export type Bytes = string;

/** A moment in RFC 3339, such as "2026-11-24T22:55:06.120Z". */
export type Timestamp = string;

/** Seconds with an "s" behind them, such as "1.5s". */
export type Duration = string;

/** One of the members or none: two together are no value of this type. */
export type OneOf<Members> =
  | { [Name in keyof Members]:
      { [Chosen in Name]: Members[Chosen] } & { [Other in Exclude<keyof Members, Name>]?: never }
    }[keyof Members]
  | { [Name in keyof Members]?: never };

/** The number, or NaN and the infinities as numbers. A field that was left out is 0. */
export function toNumber(value: Double | undefined): number {
  return value === undefined ? 0 : Number(value);
}

/** A field that was left out is 0. */
export function toBigInt(value: Int64 | Uint64 | undefined): bigint {
  return BigInt(value ?? 0);
}

/** The moment that is so many microseconds after the Unix epoch, to the millisecond. */
export function dateOfMicroseconds(value: Int64 | undefined): Date {
  const microseconds = toBigInt(value);
  const part = microseconds % 1000n;
  // Before 1970 too, a moment belongs to the millisecond that it lies in.
  return new Date(Number((microseconds - part) / 1000n - (part < 0n ? 1n : 0n)));
}

/** The bytes that base64 stands for. A field that was left out has none. */
export function toBytes(value: Bytes | undefined): Uint8Array {
  return Uint8Array.from(atob(value ?? ""), (character) => character.charCodeAt(0));
}
