/**
 * Questions that people wrote about real texts, such as licences, manuals, changelogs and specifications. A text can be read
 * alone, joined with all others of its kind, or embedded in the others up to a given length: the same question at every
 * length, with evidence at a known position.
 */
import { resolve } from 'node:path'
import { type ByteRange, createTextDocument, TaskError } from '@memagent/core'
import { z } from 'zod'
import { padDocument } from './custom/padded-document.ts'
import { defineTask } from './define-task.ts'
import type { ProseSource } from './prose/prose-source.ts'
import { createQuestionOrder } from './question-order.ts'
import { createRandom } from './random.ts'
import { readCollection } from './real-documents/collection.ts'
import type { RealQuestion, RealText } from './real-documents/questions.ts'
import { wholeTexts } from './real-documents/whole-texts.ts'
import { sampleId } from './sample-id.ts'
import { badOption, oneOrSeveral, prose } from './settings/task-options.ts'
import type { Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

const path = z.string().min(1)

const options = z.strictObject({
  folder: path.meta({
    description: 'A folder with `questions.jsonl` and the texts, as `texts/<kind>/<document>`.',
    takes: 'the path of a folder with questions.jsonl and texts, such as recipes/real-documents',
  }),
  documents: oneOrSeveral(path).optional().meta({
    description: 'Ask only about these: documents (`licences/gpl-3.0.txt`) or kinds (`licences`).',
    defaultIs: 'all',
  }),
  joined: z
    .boolean()
    .default(false)
    .describe('All texts of a kind make one document, in an order drawn for each sample.'),
  padding: z
    .enum(['texts', 'prose'])
    .default('texts')
    .describe(
      'What surrounds a document that is shorter than the requested length: the other texts, repeated as needed, or prose. A longer document keeps its length.',
    ),
  /** Required for the padding `prose`. */
  prose: prose.optional(),
})

const name = 'real-documents'
const separator = '\n\n'

export const realDocuments = defineTask({
  name,
  description: 'Questions that people wrote about real texts: licences, manuals, changelogs and more.',
  options,
  create: createRealDocuments,
})

/** @throws TaskError for unknown documents, and for an invalid folder: see `readCollection` */
async function createRealDocuments(settings: z.output<typeof options>): Promise<Task> {
  const { folder, documents, joined, padding, prose } = settings
  if (padding === 'prose' && prose === undefined) {
    throw new TaskError({
      code: 'task/no-prose',
      message: `${name} cannot be padded: no prose was given.`,
    })
  }
  const { texts, questions: all } = await readCollection(resolve(folder))
  const questions = askedAbout(documents, all)
  const orderOf = createQuestionOrder(name, questions.length)
  const tokensOf = createTokenCounts()

  /** The texts that a question is asked about, in order. */
  const read = ({ text }: RealQuestion, seed: number, index: number): readonly RealText[] =>
    joined
      ? createRandom(name, 'joined', seed, index).shuffle(texts.filter(({ kind }) => kind === text.kind))
      : [text]

  const otherTexts = new Map<string, ProseSource>()
  const paddingFor = ({ text }: RealQuestion): ProseSource => {
    if (padding === 'prose') {
      return prose!
    }
    const key = joined ? text.kind : text.path
    const others = texts.filter(({ kind, path }) => (joined ? kind : path) !== key)
    if (others.length === 0) {
      throw new TaskError({
        code: 'task/no-padding',
        message: `${name}: there is no text besides ${key} to pad the document with.`,
        hint: "Add texts of other kinds, or choose the padding 'prose'.",
      })
    }
    const source = otherTexts.get(key) ?? wholeTexts(others)
    otherTexts.set(key, source)
    return source
  }

  return {
    name,
    questions: questions.length,
    keepsLonger: true,
    async sample(request) {
      const { index, seed, lengthTokens, countTokens } = request
      const asked = questions[orderOf(seed, index)]!
      const own = read(asked, seed, index)
      const whole = own.map(({ text }) => text).join(separator)
      const tokens = own.reduce((sum, text) => sum + tokensOf(text, countTokens), 0)
      const documentName = joined ? `${asked.text.kind}, joined` : asked.text.path
      const textStarts: number[] = []
      let start = 0
      for (const { text } of own) {
        textStarts.push(start)
        start += Buffer.byteLength(text + separator)
      }
      const document = { ...createTextDocument(whole, documentName), textStarts }
      const { document: padded, startByte } =
        lengthTokens <= tokens
          ? { document, startByte: 0 }
          : padDocument({
              document,
              size: { tokens, bytes: document.sizeBytes! },
              prose: paddingFor(asked),
              lengthTokens,
              countTokens,
              random: createRandom(name, 'padding', seed, index, lengthTokens),
            })
      const textByte = startByte + textStarts[own.indexOf(asked.text)]!
      const shifted = (range: ByteRange): ByteRange => ({
        startByte: textByte + range.startByte,
        endByte: textByte + range.endByte,
      })
      const evidence = asked.place === undefined ? [] : [shifted(asked.place)]
      return {
        id: sampleId(`${name}/${asked.id}`, request),
        question: asked.question,
        document: padded,
        references: asked.answers,
        match: 'any',
        evidence,
        supportingFacts: asked.quotes.map(shifted),
        labels: {
          kind: asked.text.kind,
          document: asked.text.path,
          id: asked.id,
          joined,
          present: asked.answers.length > 0,
          unanswerable: asked.answers.length === 0,
          places: asked.quotes.length,
          ...(evidence.length > 0 ? { depth: evidence[0]!.startByte / padded.sizeBytes! } : {}),
        },
      }
    },
    score: scoreAnswer,
  }
}

function askedAbout(
  documents: string | readonly string[] | undefined,
  questions: readonly RealQuestion[],
): readonly RealQuestion[] {
  if (documents === undefined) {
    return questions
  }
  const known = new Set(questions.flatMap(({ text }) => [text.kind, text.path]))
  const wanted = [documents].flat()
  for (const document of wanted) {
    if (!known.has(document)) {
      throw badOption(name, 'documents', document, `there are ${[...known].join(', ')}`)
    }
  }
  return questions.filter(({ text }) => wanted.includes(text.kind) || wanted.includes(text.path))
}

/** Tokens of every text, counted once per counting function. */
function createTokenCounts(): (text: RealText, countTokens: (text: string) => number) => number {
  const known = new WeakMap<(text: string) => number, Map<RealText, number>>()
  return (text, countTokens) => {
    const counts = known.get(countTokens) ?? new Map<RealText, number>()
    known.set(countTokens, counts)
    const tokens = counts.get(text) ?? countTokens(text.text)
    counts.set(text, tokens)
    return tokens
  }
}
