/**
 * Head and tail of the document, half of the room each: the baseline of MemAgent's evaluation (arXiv 2507.02259, whose code
 * keeps the first and the last half of the tokens that fit). The middle is never seen.
 */
import { type TextDocument, withBudget } from '@memagent/core'
import { z } from 'zod'
import { longestPrefix, longestSuffix } from './cut-to-tokens.ts'
import { estimateExcerpts } from './estimates.ts'
import { answerFromExcerpts, type ExcerptSelection, gapTokens } from './excerpts.ts'
import type { MethodFactory } from './factory.ts'
import { type MethodRun, runMethod } from './method-run.ts'
import { windowOptions } from './options.ts'

const options = z.strictObject(windowOptions)

/** Characters to keep per token of room; if tokens are longer still, some room stays empty. */
const charactersPerToken = 32

export const truncate: MethodFactory<typeof options> = {
  description: 'the head and the tail of the document that fit the window, half each',
  options,
  create: (name, overrides) => ({
    name,
    description: truncate.description,
    answer: (request) =>
      runMethod(request, overrides, async (run) => {
        let ends: Ends | undefined
        return answerFromExcerpts(run, async (room) => {
          ends ??= await endsOf(request.document, Math.max(1, room) * charactersPerToken, run.signal)
          return headAndTail(ends, room, run)
        })
      }),
    estimate: (lengthTokens, profile) => estimateExcerpts(lengthTokens, withBudget(profile, overrides)),
  }),
}

/** Start and end of a document; in a short one they overlap. */
interface Ends {
  readonly head: string
  readonly startByte: number
  readonly tail: string
  readonly endByte: number
  /** The head is the whole document. */
  readonly isWhole: boolean
}

/** Streams the document, keeping at most this many characters of each end plus one piece. */
async function endsOf(document: TextDocument, characters: number, signal: AbortSignal): Promise<Ends> {
  let [head, tail, startByte, endByte] = ['', '', 0, 0]
  let isWhole = true
  for await (const { text, offsetBytes, lengthBytes } of document.open(signal)) {
    if (endByte === 0) startByte = offsetBytes
    endByte = offsetBytes + lengthBytes
    const rest = Math.min(text.length, characters - head.length)
    head += text.slice(0, rest)
    isWhole &&= rest === text.length
    tail = tail.length + text.length > 2 * characters ? (tail + text).slice(-characters) : tail + text
  }
  return { head, tail, startByte, endByte, isWhole }
}

async function headAndTail(ends: Ends, room: number, run: MethodRun): Promise<ExcerptSelection> {
  const { head, tail, startByte, endByte, isWhole } = ends
  const { count } = run.textTokenizer
  if (isWhole && (await count(head)) <= room) {
    return { excerpts: head === '' ? [] : [{ text: head, startByte, endByte }], isWhole: true }
  }
  const half = Math.max(0, Math.floor((room - (await gapTokens(run))) / 2))
  const first = await longestPrefix(head, half, count)
  const last = await longestSuffix(tail, half, count)
  const excerpts = [
    { text: first, startByte, endByte: startByte + Buffer.byteLength(first) },
    { text: last, startByte: endByte - Buffer.byteLength(last), endByte },
  ]
  return { excerpts: excerpts.filter(({ text }) => text !== '') }
}
