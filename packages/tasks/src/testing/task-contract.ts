/**
 * What every task promises, as named cases that any test runner (or none) can run: `registerCases` of core's testing.
 * They treat a task as a black box: they read its documents and score answers.
 */
import assert from 'node:assert/strict'
import { TaskError } from '@memagent/core'
import { type ContractCase, withSkips } from '@memagent/core/testing'
import type { Sample, SampleRequest, Task } from '../task.ts'

export interface TaskContractOptions {
  readonly create: () => Task | Promise<Task>
  readonly countTokens: (text: string) => number
  /** @default [2000, 12000, 60000] */
  readonly lengths?: readonly number[]
  /** Samples for the statistical checks. @default 250 */
  readonly samples?: number
  /** Share of the documents without the answer. @default 0.2 */
  readonly absentShare?: number
  /** Decoys per 200,000 tokens, by the label `decoys`; 0: the task has none. @default 8 */
  readonly decoysPer200k?: number
  /** Largest relative deviation from the requested length. @default 0.02 */
  readonly lengthTolerance?: number
  /** Whether some samples do not know where their references are, and so have no evidence. @default false */
  readonly mayLackEvidence?: boolean
  /** The reference that "not in the text" stands for, if any. @default none */
  readonly silenceSays?: string
  /** Cases that do not apply, by name, with the reason. */
  readonly skip?: Readonly<Record<string, string>>
}

/** The whole text of a document, for tests only: a reader never loads it all. */
export async function textOf(sample: Pick<Sample, 'document'>): Promise<string> {
  let text = ''
  for await (const piece of sample.document.open()) {
    text += piece.text
  }
  return text
}

export function taskContract(options: TaskContractOptions): ContractCase[] {
  const {
    countTokens,
    lengths = [2000, 12_000, 60_000],
    samples = 250,
    absentShare = 0.2,
    decoysPer200k = 8,
    lengthTolerance = 0.02,
    mayLackEvidence = false,
  } = options
  const draw = async (request: Partial<SampleRequest> = {}): Promise<{ task: Task; sample: Sample }> => {
    const task = await options.create()
    return {
      task,
      sample: await task.sample({ index: 0, seed: 1, lengthTokens: lengths[0]!, countTokens, ...request }),
    }
  }
  const many = async (): Promise<{ task: Task; drawn: Sample[] }> => {
    const task = await options.create()
    const drawn: Sample[] = []
    for (let index = 0; index < samples; index += 1) {
      drawn.push(await task.sample({ index, seed: 7, lengthTokens: lengths[0]!, countTokens }))
    }
    return { task, drawn }
  }
  const check = (name: string, run: () => Promise<void>): ContractCase => ({ name, run })

  const cases = [
    check('refuses to make a sample of numbers that are none, or with a count that is none', async () => {
      const wrong: readonly Partial<SampleRequest>[] = [
        { index: -1 },
        { seed: Number.NaN },
        { lengthTokens: Number.NaN },
        { countTokens: () => Number.NaN },
        { countTokens: () => 0 },
        { countTokens: (async () => 1) as never },
      ]
      for (const request of wrong) await assert.rejects(draw(request), TaskError)
    }),
    check(
      'scores the reference 1 in every metric, and silence 1 where the text does not answer',
      async () => {
        const { task, drawn } = await many()
        for (const sample of drawn) {
          const { references, match } = sample
          const answer =
            references.length === 0 ? undefined : match === 'all' ? references.join(', ') : references[0]
          assertEvery(task.score(sample, answer), 1, sample.id)
        }
      },
    ),
    check('scores empty answers, silence about what is there, and answers to other questions 0', async () => {
      const { task, drawn } = await many()
      for (const [i, sample] of drawn.entries()) {
        assertEvery(task.score(sample, ''), 0, sample.id)
        assertEvery(task.score(sample, ' \n'), 0, sample.id)
        if (sample.references.length > 0) {
          const isRight = sample.references.some((reference) => reference === options.silenceSays)
          assertEvery(task.score(sample, undefined), isRight ? 1 : 0, sample.id)
        }
        const other = drawn[(i + 1) % drawn.length]!.references[0]
        if (other !== undefined && !sample.references.some((reference) => overlap(reference, other))) {
          assertEvery(task.score(sample, other), 0, `${sample.id} against ${other}`)
        }
      }
    }),
    check(
      'gives the same sample, byte for byte, for the same request, as often as it is opened',
      async () => {
        const [first, second] = [await draw({ index: 3 }), await draw({ index: 3 })]
        assert.deepEqual(describe(first.sample), describe(second.sample))
        const text = await textOf(first.sample)
        assert.equal(await textOf(first.sample), text)
        assert.equal(await textOf(second.sample), text)
        assert.equal(
          await first.sample.document.fingerprint?.(),
          await second.sample.document.fingerprint?.(),
        )
      },
    ),
    check('gives another sample for another seed or index', async () => {
      const texts = new Set<string>()
      const ids = new Set<string>()
      for (const request of [{ index: 0 }, { index: 1 }, { index: 0, seed: 2 }]) {
        const { sample } = await draw(request)
        texts.add(await textOf(sample))
        ids.add(sample.id)
      }
      assert.equal(texts.size, 3)
      assert.equal(ids.size, 3)
    }),
    check('asks the same question, with the same answer, at every length', async () => {
      for (const index of [0, 1, 2, 3, 4]) {
        const asked = new Set<string>()
        for (const lengthTokens of lengths) {
          const { sample } = await draw({ index, lengthTokens })
          asked.add(JSON.stringify([sample.question, sample.references, sample.match]))
        }
        assert.equal(asked.size, 1, [...asked].join('\n'))
      }
    }),
    check('is as long as asked for, and knows its bytes', async () => {
      for (const lengthTokens of lengths) {
        const { sample } = await draw({ lengthTokens, index: 2 })
        const text = await textOf(sample)
        const tokens = countTokens(text)
        assert.ok(
          Math.abs(tokens - lengthTokens) <= lengthTolerance * lengthTokens,
          `${tokens} tokens instead of ${lengthTokens}`,
        )
        assert.equal(sample.document.sizeBytes, Buffer.byteLength(text))
      }
    }),
    check('rejects a document too short for it', async () => {
      await assert.rejects(
        draw({ lengthTokens: 10 }),
        (error) => TaskError.isInstance(error) && error.code === 'task/document-too-short',
      )
    }),
    check('gives pieces whose offsets follow each other', async () => {
      const { sample } = await draw({ lengthTokens: lengths.at(-1)! })
      let offset = 0
      for await (const piece of sample.document.open()) {
        assert.equal(piece.offsetBytes, offset)
        assert.equal(piece.lengthBytes, Buffer.byteLength(piece.text))
        offset += piece.lengthBytes
      }
      assert.equal(offset, sample.document.sizeBytes)
    }),
    check('holds each reference where the evidence says, and no evidence without an answer', async () => {
      let withEvidence = 0
      for (let index = 0; index < 25; index += 1) {
        const { sample } = await draw({ index })
        withEvidence += sample.evidence.length > 0 ? 1 : 0
        if (!mayLackEvidence || sample.evidence.length > 0) {
          assert.equal(sample.evidence.length, sample.references.length)
        }
        const bytes = Buffer.from(await textOf(sample))
        for (const [i, { startByte, endByte }] of sample.evidence.entries()) {
          assert.equal(bytes.subarray(startByte, endByte).toString(), sample.references[i], sample.id)
        }
      }
      assert.ok(withEvidence > 0 || absentShare === 1, 'no sample knows where its references are')
    }),
    check('spreads the depth of the answer evenly over the document', async () => {
      const { drawn } = await many()
      const depths = drawn
        .filter((sample) => sample.evidence.length > 0)
        .map((sample) => sample.evidence[0]!.startByte / sample.document.sizeBytes!)
        .sort((a, b) => a - b)
      // Kolmogorov-Smirnov against the uniform distribution; 99.9 % of uniform samples pass 2.0 / sqrt(n).
      const distance = Math.max(
        ...depths.map((depth, i) => Math.max((i + 1) / depths.length - depth, depth - i / depths.length)),
      )
      assert.ok(distance < 2 / Math.sqrt(depths.length), `distance ${distance} at n = ${depths.length}`)
    }),
    check('leaves the answer out of the stated share of documents', async () => {
      const { drawn } = await many()
      const absent = drawn.filter((sample) => sample.references.length === 0).length
      assert.ok(Math.abs(absent - absentShare * samples) <= 1, `${absent} of ${samples}`)
    }),
    check('plants as many decoys as promised', async () => {
      for (const lengthTokens of lengths) {
        const { sample } = await draw({ lengthTokens })
        const decoys = Number(sample.labels.decoys ?? 0)
        assert.ok(decoys >= (decoysPer200k * lengthTokens) / 200_000, `${decoys} at ${lengthTokens} tokens`)
      }
    }),
  ]
  return withSkips(cases, options.skip)
}

/** Everything in a sample but its document. */
const describe = ({ document, notesIn, ...rest }: Sample): unknown => ({
  ...rest,
  sizeBytes: document.sizeBytes,
  notedAtTheEnd: notesIn?.({ startByte: (document.sizeBytes ?? 0) / 2, endByte: document.sizeBytes ?? 0 }),
})

function assertEvery(metrics: Readonly<Record<string, number>>, expected: number, where: string): void {
  assert.ok(Object.keys(metrics).length > 0, where)
  for (const [name, value] of Object.entries(metrics)) {
    assert.equal(value, expected, `${name} of ${where}`)
  }
}

const overlap = (one: string, other: string): boolean => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  return a.includes(b) || b.includes(a)
}
