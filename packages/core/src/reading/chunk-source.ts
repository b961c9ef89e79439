/** The document as chunks, opened where a checkpoint stopped; tracks which chunks were handed out. */
import type { ModelProfile } from '../chat/profile.ts'
import { chunkDocument } from '../chunking/chunk-document.ts'
import type { Chunk } from '../chunking/chunker.ts'
import type { TextDocument, TextPiece } from '../documents/document.ts'
import { piecesOf } from '../documents/pieces-of.ts'
import { requireText, type TextRemark } from '../documents/require-text.ts'
import { CheckpointError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { createNeutralizer } from '../workflows/prompts/neutralize.ts'
import type { Prompts } from '../workflows/prompts/prompts.ts'
import type { DocumentPosition } from './checkpoint.ts'
import { prefetch } from './prefetch.ts'
import { TextHash } from './text-hash.ts'

export interface ChunkSourceOptions {
  readonly document: TextDocument
  readonly profile: ModelProfile
  readonly prompts: Prompts
  readonly tokenizer: Tokenizer
  readonly position: DocumentPosition | undefined
  /** Ordinal of the document's first chunk. @default 0 */
  readonly firstOrdinal?: number | undefined
  /** The most tokens of a chunk; called whenever the document is opened. */
  readonly chunkTokens: () => number
  readonly signal: AbortSignal
  /** Whether a document without any text is an error; otherwise it has no chunks. */
  readonly requiresText: boolean
  readonly onRemark: (remark: TextRemark) => void
  readonly onChunk: (chunk: Chunk) => void
  /** Cuts the text once for readings side by side. @default the reading cuts it itself */
  readonly together?: CutTogether | undefined
}

/** Asks for the chunks of a text from a position on. */
export interface CutRequest {
  readonly from: DocumentPosition
  readonly chunkTokens: number
  /** Cuts the text. @param signal @default the reading's */
  open(
    from: DocumentPosition,
    onEnd: (remarks: readonly TextRemark[]) => void,
    signal?: AbortSignal,
  ): AsyncGenerator<CutChunk>
  /** Called before the end, with the remarks made after the last chunk. */
  onEnd(remarks: readonly TextRemark[]): void
}

/** Cuts a text once for several readings. */
export interface CutTogether {
  cut(request: CutRequest): AsyncGenerator<CutChunk>
  /** Does the work unless another reading has done it for the same position. */
  verify(position: DocumentPosition, work: () => Promise<void>): Promise<void>
}

/** A chunk that was not handed out yet. */
export interface CutChunk {
  readonly chunk: Chunk
  /** Position in the document after it. */
  readonly position: DocumentPosition
  /** Remarks made while it was cut. */
  readonly remarks: readonly TextRemark[]
}

export class ChunkSource {
  /** Position after the last chunk handed out. */
  position: DocumentPosition
  readonly #options: ChunkSourceOptions
  #remarks: TextRemark[] = []

  constructor(options: ChunkSourceOptions) {
    this.#options = options
    this.position = options.position ?? start(options)
  }

  /** Hands out chunks from this ordinal on; those that `isRead` rejects do not count as read. @throws as `cut` */
  async *open(fromOrdinal: number, isRead: (chunk: Chunk) => boolean = () => true): AsyncGenerator<Chunk> {
    for await (const cut of this.cut(fromOrdinal)) {
      this.handOut(cut, isRead(cut.chunk))
      yield cut.chunk
    }
    this.end()
  }

  /** Moves the position past the chunk. */
  handOut({ chunk, position, remarks }: CutChunk, isRead = true): void {
    const { onRemark, onChunk } = this.#options
    for (const remark of remarks) onRemark(remark)
    this.position = position
    if (isRead) onChunk(chunk)
  }

  /** Call when all chunks are handed out. */
  end(): void {
    for (const remark of this.#remarks.splice(0)) this.#options.onRemark(remark)
    this.position = { ...this.position, isEnd: true }
  }

  /**
   * Chunks from this ordinal on, for `handOut`. Directly after the last chunk handed out, the text so far is skipped; otherwise
   * the document is cut again from the start.
   * @throws CheckpointError if the text before the position is not the text that was read
   */
  cut(fromOrdinal: number): AsyncGenerator<CutChunk> {
    return prefetch(this.#cut(fromOrdinal), this.#options.signal)
  }

  async *#cut(fromOrdinal: number): AsyncGenerator<CutChunk> {
    const { chunkTokens, together, signal } = this.#options
    const request: CutRequest = {
      from: fromOrdinal === this.position.ordinal ? this.position : start(this.#options),
      chunkTokens: chunkTokens(),
      open: (from, onEnd, ends = signal) => cutText({ ...this.#options, signal: ends }, from, onEnd),
      onEnd: (remarks) => this.#remarks.push(...remarks),
    }
    const cuts = together ? together.cut(request) : request.open(request.from, request.onEnd)
    for await (const cut of cuts) if (cut.chunk.ordinal >= fromOrdinal) yield cut
  }

  /**
   * For an answer that already exists: checks that the document is unchanged up to the position, and ends there if the reading
   * saw its end.
   * @throws CheckpointError
   */
  verify(): Promise<void> {
    const work = () => this.#verify()
    return this.#options.together?.verify(this.position, work) ?? work()
  }

  async #verify(): Promise<void> {
    const { characters, isEnd } = this.position
    if (characters === 0 && !isEnd) return
    const { document, signal } = this.#options
    let seen = 0
    for await (const { text } of piecesOf(verified(document, this.position), signal)) {
      seen += text.length
      if (isEnd && seen > characters) throw elsewhere(document, characters, seen)
      // The part that the workflow chose not to read may be endless.
      if (!isEnd && seen >= characters) return
    }
  }
}

async function* cutText(
  { document, profile, prompts, tokenizer, chunkTokens, signal, requiresText }: ChunkSourceOptions,
  from: DocumentPosition,
  onEnd: (remarks: readonly TextRemark[]) => void,
): AsyncGenerator<CutChunk> {
  const known = document.isLive ? document : verified(document, from)
  const untold: TextRemark[] = []
  const text = requireText(known, (remark) => untold.push(remark), !requiresText)
  const chunks = chunkDocument(text, {
    maxTokens: chunkTokens(),
    mode: profile.chunking,
    tokenizer: asInPrompt(tokenizer, prompts),
    startAt: { ordinal: from.ordinal, characters: document.isLive ? 0 : from.characters },
    signal,
  })
  let { characters } = from
  const hash = new TextHash(from.textHash)
  for await (const chunk of chunks) {
    characters += chunk.text.length
    hash.add(chunk.text)
    const position = { ordinal: chunk.ordinal + 1, characters, textHash: hash.value }
    yield { chunk, position, remarks: untold.splice(0) }
  }
  onEnd(untold)
}

const start = ({ firstOrdinal = 0 }: Pick<ChunkSourceOptions, 'firstOrdinal'>): DocumentPosition => ({
  ordinal: firstOrdinal,
  characters: 0,
  textHash: new TextHash().value,
})

/**
 * Counts text as it will appear in the prompt: neutralized text may have more tokens, and a document full of markers must
 * not push the prompt out of the window. Exact chunks have the tokens of the text itself, as far as they fit.
 */
export function asInPrompt(tokenizer: Tokenizer, { markers }: Prompts): Tokenizer {
  const neutralize = createNeutralizer(markers)
  return {
    ...tokenizer,
    count: (text) => tokenizer.count(neutralize(text)),
  }
}

/** The same document, but reading it fails if it does not begin with the text that was read before. */
function verified(document: TextDocument, position: DocumentPosition): TextDocument {
  const { characters, textHash } = position
  const open = async function* (signal?: AbortSignal): AsyncGenerator<TextPiece> {
    const hash = new TextHash()
    let rest = characters
    for await (const piece of document.open(signal)) {
      if (rest > 0) {
        hash.add(piece.text.slice(0, rest))
        rest -= Math.min(rest, piece.text.length)
        if (rest === 0 && hash.value !== textHash) throw elsewhere(document, characters)
        // All that is there for now is less than what was read.
        if (piece.isPause && rest > (piece.heldBack ?? 0))
          throw elsewhere(document, characters, characters - rest)
      }
      yield piece
    }
    if (rest > 0) throw elsewhere(document, characters, characters - rest)
  }
  return { name: document.name, sizeBytes: document.sizeBytes, isReopenable: document.isReopenable, open }
}

/** A document with a fingerprint is known to be the same, unless it can change, so its position is wrong. */
function elsewhere(
  { name, fingerprint, canChange }: TextDocument,
  characters: number,
  length = Number.POSITIVE_INFINITY,
): CheckpointError {
  if (canChange) {
    return new CheckpointError({
      code: 'checkpoint/another-text',
      message: `${name} was replaced or cut since it was read up to character ${characters}.`,
      hint: 'To read what it holds now, remove the run or the checkpoint first.',
      details: { characters },
    })
  }
  if (fingerprint === undefined) {
    return new CheckpointError({
      code: 'checkpoint/another-text',
      message: `The text of ${name} is not the one that the checkpoint was made from.`,
      hint: 'Use the same text again, or another checkpoint file.',
    })
  }
  const end = length < characters ? `which has ${length}` : 'where no chunk of this run ends'
  return new CheckpointError({
    code: 'checkpoint/position',
    message: `The checkpoint stands at character ${characters} of ${name}, ${end}.`,
    hint: 'Use another checkpoint file, or remove this one to start over.',
    details: { characters },
  })
}
