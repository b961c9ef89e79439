/** What `memagent demo` reads and asks: one fact in a million tokens of prose, then several facts, one corrected later. */
import type { TextDocument } from '@memagent/core'
import { type ProseSource, scoreItems, strictScore, tasks } from '@memagent/tasks'
import { printable } from '../terminal.ts'
import { count } from '../view/progress.ts'
import { drawFact, type PlantedFact, plantFact } from './demo-text.ts'

export interface Act {
  readonly document: TextDocument
  readonly question: string
  readonly expected: readonly string[]
  /** Printed before the reading. */
  readonly introduction: readonly string[]
  /** Show the memory whenever it changes. */
  readonly showsMemories: boolean
  /** Bytes of prose that do not repeat. */
  readonly uniqueBytes: number
  /** What was planted, for `--json`. */
  readonly planted: object
  isCorrect(answer: string): boolean
}

export interface ActOptions {
  readonly prose: ProseSource
  readonly countTokens: (text: string) => number
  /** Display name of the reader. */
  readonly reader: string
  readonly seed: number
  /** @default 1,000,000 tokens, and at least 4,000,000 bytes */
  readonly tokens?: number | undefined
}

const defaultTokens = 1_000_000
const defaultBytes = 4_000_000

/**
 * One fact. Lengths are estimates; the text is made slightly longer than asked for, so as not to fall short.
 * @param given @default a fact drawn from tables @param decoysPer200k similar facts per 200,000 tokens
 */
export function oneFact(
  { prose, countTokens, reader, seed, tokens }: ActOptions,
  given: PlantedFact | undefined,
  decoysPer200k: number,
): Act {
  const make = (lengthTokens: number) => {
    const fact = given ?? drawFact(seed, Math.ceil((decoysPer200k * lengthTokens) / 200_000))
    return { fact, lengthTokens, ...plantFact(fact, { prose, seed, lengthTokens, countTokens }) }
  }
  let made = make(Math.ceil(1.005 * (tokens ?? defaultTokens)))
  const { sizeBytes } = made.planted
  if (tokens === undefined && sizeBytes < defaultBytes) {
    made = make(Math.ceil((1.01 * made.lengthTokens * defaultBytes) / sizeBytes))
  }
  const { fact, depth, planted, lengthTokens } = made
  const { statement, decoys, expected, question } = fact
  const uniqueBytes = Math.min(prose.uniqueBytes, planted.sizeBytes)
  return {
    document: planted.document,
    question,
    expected: [expected],
    introduction: [
      `${reader} reads about ${count(lengthTokens)} tokens, ${count(planted.sizeBytes)} bytes of prose (${count(uniqueBytes)} unique).`,
      `Planted at byte ${count(planted.ranges[0]!.startByte)} (${(100 * depth).toFixed(1)} %): ${printable(statement)}`,
      ...(decoys.length > 0
        ? [`And ${decoys.length} decoys, such as: ${printable(decoys[1] ?? decoys[0]!)}`]
        : []),
    ],
    showsMemories: false,
    uniqueBytes,
    planted: { fact: statement, depth, decoys: decoys.length },
    isCorrect: (answer) => strictScore(answer, [expected], 'any') === 1,
  }
}

const mostTokensOfSeveral = 200_000

/** Several values of one subject, the first of which the text corrects later, with values of other subjects in between. */
export async function severalFacts({ prose, countTokens, reader, seed, tokens }: ActOptions): Promise<Act> {
  const lengthTokens = Math.min(tokens ?? mostTokensOfSeveral, mostTokensOfSeveral)
  const task = await tasks['several-values']({ prose, values: 4, corrected: 1, templates: 'train' })
  const { document, question, references, notes, statements } = await task.sample({
    ...{ index: 0, seed, lengthTokens, countTokens },
  })
  const bytes = await bytesOf(document)
  const facts = notes!.map(({ statement: { startByte, endByte } }) => ({
    statement: bytes.toString('utf8', startByte, endByte),
    depth: startByte / bytes.length,
  }))
  return {
    document,
    question,
    expected: references,
    introduction: [
      `${reader} now reads another text, of about ${count(lengthTokens)} tokens, with several facts, one of which is corrected later:`,
      ...facts.map(
        ({ statement, depth }) => `at ${(100 * depth).toFixed(0).padStart(2)} %: ${printable(statement)}`,
      ),
      `And ${statements!.length - facts.length} decoys, about others.`,
    ],
    showsMemories: true,
    uniqueBytes: Math.min(prose.uniqueBytes, bytes.length),
    planted: { facts: facts.map(({ statement }) => statement), decoys: statements!.length - facts.length },
    isCorrect: (answer) => scoreItems(answer, references).f1 === 1,
  }
}

async function bytesOf(document: TextDocument): Promise<Buffer> {
  let text = ''
  for await (const piece of document.open()) text += piece.text
  return Buffer.from(text)
}
