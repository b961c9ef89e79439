/** Plants statements that contain values, and reports the positions of both. */

import type { ByteRange, TextDocument } from '@memagent/core'
import type { Random } from '../random.ts'
import type { SampleRequest } from '../task.ts'
import { plantInProse } from './plant.ts'
import type { ProseSource } from './prose-source.ts'

export interface Statement {
  readonly statement: string
  /** Position of the value in the statement, in UTF-16 code units. */
  readonly valueStart: number
  readonly value: string
}

export interface PlacedStatement extends Statement {
  /** Where in the document, 0..1 of its length. */
  readonly depth: number
}

export interface PlantedStatements {
  readonly document: TextDocument
  readonly sizeBytes: number
  /** Ranges of the whole statements, in the given order. */
  readonly statements: readonly ByteRange[]
  /** Ranges of their values. */
  readonly values: readonly ByteRange[]
}

/** @throws TaskError when the statements do not fit the requested length */
export function plantStatements(
  name: string,
  request: SampleRequest,
  prose: ProseSource,
  placed: readonly PlacedStatement[],
  random: Random,
): PlantedStatements {
  const { seed, index, lengthTokens, countTokens } = request
  const planted = plantInProse({
    name: `${name}-${seed}-${index}`,
    prose,
    plants: placed.map(({ statement, depth }) => ({ text: statement, depth })),
    lengthTokens,
    countTokens,
    random,
  })
  const values = placed.map(({ statement, valueStart, value }, i) => {
    const startByte = planted.ranges[i]!.startByte + Buffer.byteLength(statement.slice(0, valueStart))
    return { startByte, endByte: startByte + Buffer.byteLength(value) }
  })
  return { document: planted.document, sizeBytes: planted.sizeBytes, statements: planted.ranges, values }
}

/** `count` uniform depths below a limit, ascending. */
export const depthsBelow = (random: Random, count: number, limit: number): number[] =>
  Array.from({ length: count }, () => random.next() * limit).sort((a, b) => a - b)

/** `count` uniform depths from a limit to the end, ascending. */
export const depthsAbove = (random: Random, count: number, limit: number): number[] =>
  Array.from({ length: count }, () => limit + random.next() * (1 - limit)).sort((a, b) => a - b)

/** Uniform depths; of two or more decoys, one precedes the answer and one follows it. */
export function decoyDepths(random: Random, count: number, answerDepth: number | undefined): number[] {
  return Array.from({ length: count }, (_, i) => {
    const depth = random.next()
    if (answerDepth === undefined || count < 2 || i > 1) {
      return depth
    }
    return i === 0 ? depth * answerDepth : answerDepth + depth * (1 - answerDepth)
  })
}
