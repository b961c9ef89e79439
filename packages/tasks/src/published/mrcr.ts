/**
 * MRCR as OpenAI published it (openai/mrcr; after Vodrahalli et al., arXiv 2409.12640): a long conversation in which some
 * requests are made several times, and one of the replies must be repeated verbatim after a random string. Each row has
 * `prompt` (a JSON list of messages, the last of which is the question), `answer`, `random_string_to_prepend`, and
 * `n_needles`, `desired_msg_index`, `total_messages`, `n_chars`.
 */
import type { ByteRange } from '@memagent/core'
import { z } from 'zod'
import { text } from '../rows/row-file.ts'
import { scoreAnswer } from '../verifiers/score.ts'
import { sequenceRatio } from '../verifiers/sequence-ratio.ts'
import { definePublishedTask, labelsOf, publishedDeviations, publishedOptions } from './published-task.ts'

const message = z.object({ role: z.string(), content: z.string() })
const prompt = z
  .string()
  .transform((json, context) => {
    try {
      return JSON.parse(json)
    } catch (error) {
      context.addIssue({ code: 'custom', message: `it is not JSON: ${(error as Error).message}` })
      return z.NEVER
    }
  })
  .pipe(z.array(message).min(2))
  .meta({ takes: 'a JSON list of at least two messages with "role" and "content"' })

/** Metrics: `sequence_ratio` as published, plus `strict` and `lenient`. */
export const mrcr = definePublishedTask({
  name: 'mrcr',
  description:
    'MRCR: one of many replies of a long conversation, to be repeated word for word, from a file of its rows.',
  options: publishedOptions,
  row: z
    .object({ prompt, answer: text, random_string_to_prepend: text })
    .refine(({ answer, random_string_to_prepend: start }) => answer.startsWith(start), {
      path: ['answer'],
      message: 'it does not begin with random_string_to_prepend',
    }),
  benchmarkOf: () => ({
    name: 'mrcr',
    deviations: [
      ...publishedDeviations,
      'The conversation is one text, with "User:" and "Assistant:" in it.',
    ],
    readRow({ fields: { prompt: messages, answer, random_string_to_prepend: start }, row }) {
      const { text, contents } = conversation(messages.slice(0, -1))
      // The index is the request's; the reply follows it.
      const reply = Number(row.desired_msg_index) + 1
      const isReply = messages[reply]?.content === answer.slice(start.length)
      return {
        question: messages.at(-1)!.content,
        text,
        references: [answer],
        ...(isReply && contents[reply] ? { supportingFacts: [contents[reply]] } : {}),
        labels: {
          randomString: start,
          ...labelsOf(row, { needles: 'n_needles', messages: 'total_messages', characters: 'n_chars' }),
        },
      }
    },
    score: (sample, answer) => ({
      sequence_ratio: mrcrScore(answer ?? '', sample.references[0] ?? '', String(sample.labels.randomString)),
      ...scoreAnswer(sample, answer),
    }),
  }),
})

/** Similarity of answer and reference after the random string; 0 if the answer does not start with it. */
const mrcrScore = (answer: string, reference: string, start: string): number =>
  answer.startsWith(start) ? sequenceRatio(answer.slice(start.length), reference.slice(start.length)) : 0

/** The messages as one text, and the position of each content in it. */
function conversation(messages: readonly z.output<typeof message>[]): {
  text: string
  contents: readonly ByteRange[]
} {
  const parts: string[] = []
  const contents: ByteRange[] = []
  let bytes = 0
  for (const { role, content } of messages) {
    const head = `${role.charAt(0).toUpperCase()}${role.slice(1)}: `
    const startByte = bytes + Buffer.byteLength(head)
    const endByte = startByte + Buffer.byteLength(content)
    contents.push({ startByte, endByte })
    parts.push(`${head}${content}\n\n`)
    bytes = endByte + 2
  }
  return { text: parts.join(''), contents }
}
