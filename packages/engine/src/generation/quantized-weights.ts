/** Weights as small integers, for matrix products that processors compute several times faster. */

export interface QuantizedMatrix {
  /** [rows, columns] */
  readonly integers: Int8Array
  /** [columns]: a weight is its integer times the scale of its column. */
  readonly scales: Float32Array
}

/**
 * The largest integer is 64 and not 127: older processors add two products of an unsigned and a signed byte in 16 bits,
 * and 2 * 255 * 64 still fits, so that every machine computes the same.
 */
const largest = 64

/** Symmetric quantization of every column. @param matrix [rows, columns], row after row */
export function quantizeColumns(matrix: Float32Array, columns: number): QuantizedMatrix {
  const scales = new Float32Array(columns)
  for (let row = 0; row < matrix.length; row += columns) {
    for (let column = 0; column < columns; column++) {
      scales[column] = Math.max(scales[column]!, Math.abs(matrix[row + column]!))
    }
  }
  for (let column = 0; column < columns; column++) scales[column] = scales[column]! / largest
  // A column of zeros gets scale one.
  for (let column = 0; column < columns; column++) scales[column] ||= 1
  const integers = new Int8Array(matrix.length)
  for (let row = 0; row < matrix.length; row += columns) {
    for (let column = 0; column < columns; column++) {
      integers[row + column] = Math.round(matrix[row + column]! / scales[column]!)
    }
  }
  return { integers, scales }
}
