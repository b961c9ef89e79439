/**
 * MRCR as OpenAI published it (openai/mrcr; after Vodrahalli et al., arXiv 2409.12640): a long conversation in which some
 * requests are made several times, and one of the replies is to be repeated word for word after a random string. In each row:
 * `prompt` (a JSON list of messages, the last one is the question), `answer`, `random_string_to_prepend`, and `n_needles`,
 * `desired_msg_index`, `total_messages`, `n_chars`.
 */
import type { ByteRange } from '@memagent/core'
import { scoreAnswer } from '../verifiers/score.ts'
import { sequenceRatio } from '../verifiers/sequence-ratio.ts'
import { definePublishedTask, publishedDeviations, publishedOptions } from './published-task.ts'
import { labelsOf, type RowFields } from './row-fields.ts'

/** Metrics: `sequence_ratio` as published, beside `strict` and `lenient`. */
export const mrcr = definePublishedTask({
  name: 'mrcr',
  description:
    'MRCR: one of many replies of a long conversation, to be repeated word for word, of a file of its rows.',
  options: publishedOptions,
  benchmarkOf: () => ({
    name: 'mrcr',
    deviations: [
      ...publishedDeviations,
      'The conversation is one text, with "User:" and "Assistant:" in it.',
    ],
    readRow(fields, row) {
      const messages = messagesOf(fields)
      const [answer, start] = [fields.text('answer'), fields.text('random_string_to_prepend')]
      if (!answer.startsWith(start)) {
        fields.fail('"answer" does not begin with "random_string_to_prepend"')
      }
      const { text, contents } = conversation(messages.slice(0, -1))
      // The index is that of the request; the reply follows.
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

/** How alike answer and reference are behind the random string; 0 for an answer that does not begin with it. */
export const mrcrScore = (answer: string, reference: string, start: string): number =>
  answer.startsWith(start) ? sequenceRatio(answer.slice(start.length), reference.slice(start.length)) : 0

interface Message {
  readonly role: string
  readonly content: string
}

function messagesOf(fields: RowFields): readonly Message[] {
  const prompt = fields.text('prompt')
  let messages: unknown
  try {
    messages = JSON.parse(prompt)
  } catch (error) {
    fields.fail(`"prompt" is not JSON: ${(error as Error).message}`)
  }
  return Array.isArray(messages) && messages.length > 1 && messages.every(isMessage)
    ? messages
    : fields.fail('"prompt" must be a list of at least two messages with "role" and "content"')
}

const isMessage = (value: unknown): value is Message => {
  const { role, content } = (value ?? {}) as Partial<Record<keyof Message, unknown>>
  return typeof role === 'string' && typeof content === 'string'
}

/** The messages as one text, and where the content of each stands in it. */
function conversation(messages: readonly Message[]): { text: string; contents: readonly ByteRange[] } {
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
