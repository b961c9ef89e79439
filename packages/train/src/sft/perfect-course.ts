/** A perfect reader's reading in progress: what it has noted, and every conversation so far. */
import type { ChatResult, Chunk, Conversation, Message, ReadingContext } from '@memagent/core'
import { applyNotes, type Note, type NotedLines, type Sample } from '@memagent/tasks'

export interface TaughtConversation {
  readonly messages: readonly Message[]
  readonly response: string
  readonly kind: 'changed' | 'kept' | 'answer'
  /** The section in the prompt, and the statements in it; undefined if it shows none. */
  readonly section?: ReadSection | undefined
}

export interface ReadSection {
  readonly text: string
  readonly statements: readonly ReadStatement[]
}

/** A planted statement of a section. */
export interface ReadStatement {
  /** Its end in the section, in UTF-16 code units. */
  readonly end: number
  /** What a perfect reader notes; empty if it only drops a line, undefined for a decoy or something already known. */
  readonly noted: string | undefined
}

/** The response to a conversation; undefined if none is right. */
export type Respond = (
  conversation: Conversation,
) => Omit<TaughtConversation, 'messages' | 'response'> & { readonly response: string | undefined }

export class PerfectCourse {
  readonly conversations: TaughtConversation[] = []
  /** What the memory should say. */
  lines: NotedLines = new Map()
  /** Whether the reading has been perfect so far. */
  isRight = true
  readonly #sample: Sample
  #waiting: readonly Note[]
  /** Start bytes of the statements noted by reading their chunk alone. */
  readonly #told = new Set<number>()

  constructor(sample: Sample) {
    this.#sample = sample
    this.#waiting = sample.notes ?? []
  }

  /** The notes on statements that end in the next chunk; they must also begin in it. */
  notesIn(chunk: Chunk): readonly Note[] {
    const { endByte } = chunk.ranges.at(-1)!
    const { startByte } = chunk.ranges[0]!
    const noted = this.#waiting.filter(({ statement }) => statement.endByte <= endByte)
    this.isRight &&= noted.every(({ statement }) => statement.startByte >= startByte)
    this.#waiting = this.#waiting.slice(noted.length)
    this.lines = applyNotes(this.lines, noted)
    return noted
  }

  /** The notes that a reader of this chunk alone makes. */
  notesOfAlone({ ranges }: Chunk): readonly Note[] {
    const part = { startByte: ranges[0]!.startByte, endByte: ranges.at(-1)!.endByte }
    const notes = this.#sample.notesIn?.(part) ?? []
    for (const { statement } of notes) this.#told.add(statement.startByte)
    return notes
  }

  /** Whether every note of a whole reading was also made by reading its chunk alone. */
  get isToldAlone(): boolean {
    return (this.#sample.notes ?? []).every(({ statement }) => this.#told.has(statement.startByte))
  }

  /**
   * The chunk as prompts show it, with what to note of it.
   * @param notes default those of a reader of the text up to here
   */
  sectionIn(
    { text, ranges }: Chunk,
    { neutralize }: ReadingContext,
    notes = this.#sample.notes ?? [],
  ): ReadSection {
    const { statements = [] } = this.#sample
    const { startByte } = ranges[0]!
    const { endByte } = ranges.at(-1)!
    const bytes = Buffer.from(text)
    const read = statements
      .filter((statement) => statement.startByte >= startByte && statement.endByte <= endByte)
      .map((statement) => {
        const note = notes.findLast((note) => note.statement.endByte === statement.endByte)
        const end = bytes.toString('utf8', 0, statement.endByte - startByte).length
        return { end, noted: note && (note.text ?? '') }
      })
    return { text: neutralize(text), statements: read }
  }

  /** The context with this reader in place of the model. */
  responding(context: ReadingContext, respond: Respond): ReadingContext {
    const chat = async (conversation: Conversation): Promise<ChatResult> => {
      const { messages, maxTokens } = conversation
      const { response, ...about } = respond(conversation)
      const completionTokens = response === undefined ? maxTokens : await context.countTokens(response)
      this.isRight &&= response !== undefined && completionTokens < maxTokens
      this.conversations.push({ messages, response: response ?? '', ...about })
      const usage = { promptTokens: 0, completionTokens }
      return { text: response ?? '', usage, finishReason: { unified: 'stop', raw: undefined } }
    }
    // One by one, so lessons are the same every time.
    const chatAll = async (all: readonly Conversation[]) => {
      const results: ChatResult[] = []
      for (const one of all) results.push(await chat(one))
      return results
    }
    return { ...context, chat, chatAll }
  }
}
