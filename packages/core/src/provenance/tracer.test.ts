/** What a tracer keeps of a reading, and that every quote is verbatim at its place. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chunkDocument } from '../chunking/chunk-document.ts'
import type { Chunk } from '../chunking/chunker.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { Tracer } from './tracer.ts'
import { verifySources } from './verify.ts'

const encoder = new TextEncoder()
const chunkOf = (ordinal: number, text: string, startByte = 0, source = 'a.txt'): Chunk => ({
  ordinal,
  text,
  tokens: 1,
  ranges: [{ source, startByte, endByte: startByte + encoder.encode(text).length }],
})

/** Traces a reading of these texts, with these memories after them. */
function traced(texts: readonly string[], memories: readonly string[], question?: string): Tracer {
  const tracer = new Tracer(question)
  let startByte = 0
  for (const [i, text] of texts.entries()) {
    tracer.addChunk(chunkOf(i, text, startByte))
    tracer.addMemory(i, memories[i]!, memories[i - 1] ?? '')
    tracer.endStep()
    startByte += encoder.encode(text).length
  }
  return tracer
}

const texts = [
  'It rained.\nÉmile Roche built the station in 1887. Nobody came.\n',
  'The café opened in 1901.\nIt was never full.\n',
]

describe('a tracer', () => {
  test('gives an answer the passages of the memory, also where they call somebody by half a name', async () => {
    const filler =
      'The bridge was painted green. A dog slept by the gate. Rain fell on the roofs. Nobody came. '
    const text = `Anna Mott came to Bonn. ${filler}Mott taught Roman law for nine years. ${filler}`
    const memory = 'Anna Mott taught Roman law for nine years.'
    const tracer = traced([text], [memory])
    for (const answer of [memory, 'Anna Mott']) {
      const [statement] = tracer.provenanceOf(memory, answer).answer!
      expect(statement).toMatchObject({ text: answer, verdict: 'found' })
      expect(statement!.sources[0]!.quote).toBe('Mott taught Roman law for nine years.')
      const [verified] = await verifySources(createTextDocument(text, 'a.txt'), [statement!])
      expect(verified).toMatchObject({ stands: true, changed: [] })
    }
  })

  test('stands by a count of more passages than are kept', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => `Person${i},Bonn,clerk`).join('\n')
    const memory = '20 persons are clerk in Bonn.'
    const statements = traced([`name,city,role\n${rows}\n`], [memory]).statementsOf(memory)
    expect(statements).toMatchObject([{ verdict: 'derived' }])
    const verified = await verifySources(createTextDocument(`name,city,role\n${rows}\n`, 'a.txt'), statements)
    expect(verified).toMatchObject([{ stands: true }])
  })

  test('gives bytes, line and step of the passage', () => {
    const memory = 'Émile Roche built the station in 1887.'
    const [statement] = traced(texts, [memory, memory]).statementsOf(memory)
    expect(statement).toMatchObject({ verdict: 'found', step: 0 })
    expect(statement!.sources).toEqual([
      { quote: memory, file: 'a.txt', startByte: 11, endByte: 50, position: { line: 2 }, step: 0 },
    ])
  })

  test('shows for what no passage says the passages that come nearest, beside its sources and never among them', () => {
    const memory = 'Émile Roche tore the station down; the café was popular.'
    const [statement] = traced(texts, ['', memory]).statementsOf(memory)
    expect(statement).toMatchObject({ verdict: 'not-found', sources: [] })
    // Text read at an earlier step is not searched.
    expect(statement!.nearest!.map(({ quote }) => quote)).toEqual(['The café opened in 1901.'])
    const [strange] = traced(texts, ['', 'Bananas ripen.']).statementsOf('Bananas ripen.')
    expect(strange).toEqual({ text: 'Bananas ripen.', step: 1, verdict: 'not-found', sources: [] })
  })

  test('looks among the nearest passages again when a statement is reworded', () => {
    const doubtful = 'Émile Roche tore the station down.'
    const tracer = traced(texts, [doubtful, 'Émile Roche built the station in 1887.'])
    const [statement] = tracer.statementsOf('Émile Roche built the station in 1887.')
    expect(statement).toMatchObject({ verdict: 'found', sources: [{ step: 0, startByte: 11 }] })
  })

  test('keeps the step of a statement that merely moves, and the passage of one that is reworded', () => {
    const tracer = traced(texts, [
      'The station was built in 1887 by Émile Roche.',
      '- The café opened in 1901.\n- Émile Roche built the station, 1887.',
    ])
    const [cafe, station] = tracer.statementsOf(
      'The café opened in 1901.\nÉmile Roche built the station, 1887.',
    )
    expect(cafe).toMatchObject({ verdict: 'found', step: 1 })
    expect(cafe!.sources[0]).toMatchObject({ step: 1, position: { line: 3 } })
    expect(station).toMatchObject({ verdict: 'found', step: 1 })
    expect(station!.sources[0]).toMatchObject({ step: 0, startByte: 11 })
  })

  test('takes no evidence from a chunk that was read before the statement was written', () => {
    const late = 'Émile Roche built the station in 1887.'
    expect(traced(texts, ['', late]).statementsOf(late)).toMatchObject([
      { verdict: 'not-found', sources: [] },
    ])
  })

  test('says nothing of the step of a statement that the reading began with', () => {
    const tracer = new Tracer()
    tracer.addChunk(chunkOf(0, texts[0]!))
    tracer.addMemory(0, 'The keeper is old.', 'The keeper is old.')
    const [given] = tracer.statementsOf('The keeper is old.')
    expect(given).toEqual({ text: 'The keeper is old.', verdict: 'not-found', sources: [] })
  })

  test('goes on from its JSON as if it had not stopped', () => {
    const memories = [
      'Émile Roche built the station in 1887.',
      'Roche built the station in 1887. The café opened in 1901.',
    ]
    const whole = traced(texts, memories)
    const first = traced(texts.slice(0, 1), memories)
    const second = new Tracer('', JSON.parse(JSON.stringify(first.state)))
    second.addChunk(chunkOf(1, texts[1]!, encoder.encode(texts[0]!).length))
    second.addMemory(1, memories[1]!, memories[0]!)
    second.endStep()
    expect(second.state).toEqual(whole.state)
  })

  test('holds no more after a long text than after a short one', () => {
    const fact = (i: number) => `The code of gate ${i} is ${7000 + i}.`
    const sizeAfter = (steps: number) => {
      const all = Array.from({ length: steps }, (_, i) => fact(i))
      return JSON.stringify(
        traced(
          all.map((text) => `${text}\n`),
          all,
        ).state,
      ).length
    }
    expect(sizeAfter(300)).toBeLessThan(sizeAfter(3) + 20)
  })

  test('chooses the passage that the question is about', () => {
    const text = 'The code of the north gate is 41.\nThe price of the north gate is 41.\n'
    const tracer = traced([text], ['41'], 'What is the price of the north gate?')
    expect(tracer.traceAnswer('41')[0]!.sources).toMatchObject([{ position: { line: 2 } }])
  })

  test('finds the items of a list in several places', () => {
    const memories = ['Belden has signed.', 'Belden has signed. Kraft has signed, too.']
    const tracer = traced(['Belden has signed.\n', 'Kraft has signed, too.\n'], memories)
    const answer = tracer.traceAnswer('Belden, Kraft')
    expect(answer.map(({ text, verdict, sources }) => [text, verdict, sources[0]?.step])).toEqual([
      ['Belden', 'found', 0],
      ['Kraft', 'found', 1],
    ])
    expect(tracer.traceAnswer('Oslo')).toMatchObject([{ verdict: 'not-found' }])
  })

  test('judges each value of a list by itself: a passage for one of them is none for all', () => {
    const question = 'Which herbs are in the goulash? List all of them, separated by semicolons.'
    const soup = ['The goulash asks for fresh sage.\n', 'It was cold.\n']
    const tracer = traced(soup, ['fresh sage', 'fresh sage\nrosemary'], question)
    expect(tracer.traceAnswer('fresh sage; rosemary')).toMatchObject([
      { text: 'fresh sage', verdict: 'found', sources: [{ quote: 'The goulash asks for fresh sage.' }] },
      { text: 'rosemary', verdict: 'not-found', sources: [] },
    ])
  })

  test('keeps passages of reports until they are merged', () => {
    const tracer = new Tracer()
    tracer.addChunk(chunkOf(0, texts[0]!))
    tracer.addReport(0, 'yes\nÉmile Roche built the station in 1887.')
    tracer.endStep()
    tracer.addMemory(1, 'Roche built the station in 1887.', '')
    expect(tracer.statementsOf('Roche built the station in 1887.')).toMatchObject([
      { verdict: 'found', sources: [{ step: 0 }] },
    ])
    expect(tracer.state.waiting).toEqual([])
  })
})

describe('verifying', () => {
  const memory = 'Émile Roche built the station in 1887.'
  const found = traced(texts.slice(0, 1), [memory]).statementsOf(memory)
  const stands = async (text: string) =>
    (await verifySources(createTextDocument(text, 'a.txt'), found)).map(({ stands, changed }) => [
      stands,
      changed.length,
    ])

  test('reads the passages again', async () => {
    expect(await stands(texts[0]!)).toEqual([[true, 0]])
    expect(await stands(texts[0]!.replace('1887', '1888'))).toEqual([[false, 1]])
    expect(await stands('')).toEqual([[false, 1]])
  })
})

describe('properties', () => {
  const word = fc.constantFrom(
    'Anna',
    'Kell',
    'not',
    'the',
    'bought',
    'by',
    '1,200',
    'twelve',
    '.',
    '\n',
    ', ',
    '東京',
    '🙂',
    'é',
    '"',
    '\u2028',
    '-',
    '7',
  )
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
  )

  test('every quote is byte for byte what stands at its place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 4 }), async (steps) => {
        const whole = steps.map(([one, other]) => `${one}. ${other}.\n`).join('')
        const tracer = new Tracer()
        const tokenizer = createEstimateTokenizer()
        let before = ''
        for await (const chunk of chunkDocument(createTextDocument(whole, 'a.txt'), {
          maxTokens: 12,
          tokenizer,
        })) {
          tracer.addChunk(chunk)
          const memory = [before, chunk.text, steps[chunk.ordinal % steps.length]![1]].join('\n').slice(-400)
          tracer.addMemory(chunk.ordinal, memory, before)
          tracer.endStep()
          before = memory
        }
        const bytes = encoder.encode(whole)
        for (const { verdict, sources } of tracer.statementsOf(before)) {
          expect(sources.length > 0).toBe(verdict !== 'not-found')
          for (const { quote, startByte, endByte } of sources) {
            expect(
              new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(startByte, endByte)),
            ).toBe(quote)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a sentence of names and numbers that is copied is found where it stands', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 12 }), (codes) => {
        const lines = [...new Set(codes)].map(
          (code) => `The gate of Kell number ${code} has the code ${code + 20_000}.`,
        )
        const tracer = traced([lines.join('\n')], [lines.at(-1)!])
        expect(tracer.statementsOf(lines.at(-1)!)[0]!.sources.map(({ quote }) => quote)).toEqual([
          lines.at(-1),
        ])
      }),
      { numRuns: 40 },
    )
  })

  test('hostile texts end', () => {
    const hostile = [
      'a, '.repeat(20_000),
      '1 '.repeat(20_000),
      'Anna and '.repeat(10_000),
      '.'.repeat(20_000),
      '"'.repeat(20_000),
      'not '.repeat(20_000),
    ]
    for (const one of hostile) {
      const tracer = traced([one], [one.slice(0, 4000)])
      expect(tracer.statementsOf(one.slice(0, 4000)).length).toBeLessThanOrEqual(2000)
    }
  })
})
