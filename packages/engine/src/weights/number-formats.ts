/** Floating-point storage formats: IEEE half (F16), bfloat16 (BF16) and single (F32), little-endian. */

export type StorageType = 'F32' | 'F16' | 'BF16'

export const bytesPerNumber: Readonly<Record<StorageType, number>> = { F32: 4, F16: 2, BF16: 2 }

/** The values of all 65,536 halves; built on first use. */
let halfValues: Float32Array | undefined

export function decodeNumbers(bytes: Uint8Array, type: StorageType): Float32Array {
  // Copied: a view into a file may be unaligned.
  const copy = new Uint8Array(bytes).buffer
  if (type === 'F32') return new Float32Array(copy)
  const halves = new Uint16Array(copy)
  const values = new Float32Array(halves.length)
  if (type === 'F16') {
    halfValues ??= Float32Array.from({ length: 2 ** 16 }, (_, half) => fromHalf(half))
    for (let i = 0; i < halves.length; i++) values[i] = halfValues[halves[i]!]!
  } else {
    const bits = new Uint32Array(values.buffer)
    for (let i = 0; i < halves.length; i++) bits[i] = halves[i]! << 16
  }
  return values
}

export function encodeNumbers(values: Float32Array, type: StorageType): Uint8Array {
  if (type === 'F32') return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  const halves = Uint16Array.from(bits, type === 'F16' ? toHalf : toBfloat)
  return new Uint8Array(halves.buffer)
}

/** Float32 bits to bfloat16 bits. */
function toBfloat(bits: number): number {
  if ((bits & 0x7fffffff) > 0x7f800000) return (bits >>> 16) | 0x40
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16
}

/** Float32 bits to half bits; too large becomes infinity, too small becomes subnormal or zero. */
function toHalf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000
  const exponent = (bits >>> 23) & 0xff
  const mantissa = bits & 0x7fffff
  if (exponent === 0xff) return sign | 0x7c00 | (mantissa ? 0x200 : 0)
  const half = exponent - 112
  if (half >= 31) return sign | 0x7c00
  if (half <= 0) {
    if (half < -10) return sign
    return sign | roundShift(mantissa | 0x800000, 14 - half)
  }
  // A mantissa that rounds up past its end carries into the exponent, as it should.
  return sign + (half << 10) + roundShift(mantissa, 13)
}

/** value / 2^shift, to nearest, ties to even. */
function roundShift(value: number, shift: number): number {
  const low = value >>> shift
  const rest = value & ((1 << shift) - 1)
  const half = 1 << (shift - 1)
  return rest > half || (rest === half && (low & 1) === 1) ? low + 1 : low
}

function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >>> 10) & 0x1f
  const mantissa = half & 0x3ff
  if (exponent === 0) return sign * mantissa * 2 ** -24
  if (exponent === 31) return mantissa ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15)
}
