import { ProtobufWriter } from '@memagent/engine'

/** Omits default values, as proto3 does. */
export class Proto3Writer extends ProtobufWriter {
  override integer(field: number, value: number | bigint): this {
    return value === 0 || value === 0n ? this : super.integer(field, value)
  }

  override text(field: number, value: string): this {
    return value === '' ? this : super.text(field, value)
  }

  override double(field: number, value: number): this {
    return Object.is(value, 0) ? this : super.double(field, value)
  }

  /** Written even if empty: presence matters for members of a list, a map or a oneof. */
  nested(field: number, build: (writer: Proto3Writer) => unknown): this {
    const writer = new Proto3Writer()
    build(writer)
    return this.message(field, writer)
  }

  packedIntegers(field: number, values: readonly number[]): this {
    if (values.length === 0) return this
    const writer = new Proto3Writer()
    for (const value of values) writer.varint(value)
    return this.message(field, writer)
  }
}
