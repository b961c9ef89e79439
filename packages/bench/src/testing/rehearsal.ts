/** Documents, models and requests for testing methods: small windows, a planted fact, and a record of every call. */

import {
  createEstimateTokenizer,
  createScriptedModel,
  type ModelProfile,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedReply,
  type Tokenizer,
} from '@memagent/core'
import { watchedDocument } from '@memagent/core/testing'
import type { Method, MethodRequest, MethodResult } from '../method.ts'
import { nothingPhrase, ownPrompts } from '../methods/prompts.ts'

export const question = 'What is the access code for the north gate?'
export const fact = 'The access code for the north gate is 48213.'
export const value = '48213'

/** For models with and without instructions, with windows so small that a few thousand tokens make many chunks. */
export const profiles: readonly ModelProfile[] = [
  {
    name: 'instructed',
    budget: { window: 640, question: 60, chunk: 120, memory: 60, output: 50 },
    prompts: 'paper',
  },
  {
    name: 'compact',
    budget: { window: 360, question: 50, chunk: 160, memory: 48, output: 40 },
    prompts: 'compact',
  },
]

export const estimateTokenizer = createEstimateTokenizer()

/** The prompts of the second profile. */
export const compactPrompts = ownPrompts({ prompts: 'compact' })

/** Sentence `i`, which occurs in no other text; includes two-byte letters. */
export const sentenceOf = (i: number) => `Visitor q${i}z left Zürich for the code of day ${i % 28}.`

/** Paragraphs of about this many tokens, with the given sentence at a share of the whole. */
export function textWith(tokens: number, planted: string | undefined, share: number): string {
  const sentences: string[] = []
  let length = 0
  for (let i = 0; length < tokens; i++) {
    sentences.push(sentenceOf(i))
    length += estimateTokenizer.count(`${sentences.at(-1)} `) as number
  }
  if (planted !== undefined) sentences.splice(Math.floor(share * sentences.length), 0, planted)
  return sentences.map((sentence, i) => `${sentence}${i % 4 === 3 ? '\n\n' : ' '}`).join('')
}

export const promptOf = ({ messages }: Pick<ScriptedCall, 'messages'>) =>
  messages.map(({ content }) => content).join('\n')

/** Whether a prompt asks for an answer rather than notes. */
export const asksForAnswer = (prompt: string, { prompts }: ModelProfile) =>
  prompts === 'compact' ? !/<section>|<reports>/.test(prompt) : prompt.includes('\\boxed{}')

/** A model that knows the value only if the prompt contains it, and otherwise says that there is nothing. */
export function oracle(call: ScriptedCall, profile: ModelProfile): string {
  const prompt = promptOf(call)
  const isAnswer = asksForAnswer(prompt, profile)
  if (prompt.includes(value)) return isAnswer ? `It is \\boxed{${value}}.` : value
  if (isAnswer) return '\\boxed{not in the text}'
  return prompt.includes(nothingPhrase) ? nothingPhrase : ownPrompts(profile).text('emptyMemory', {})
}

/** @param maxTokens of the response */
export type NoteForm = (note: string, maxTokens: number, prompt: string) => string

export interface Rehearsal {
  readonly method: Method
  readonly profile: ModelProfile
  readonly text: string
  /** @default oracle */
  readonly respond?:
    | ((call: ScriptedCall, profile: ModelProfile) => ScriptedReply | Promise<ScriptedReply>)
    | undefined
  /** How a model writes notes for a method that asks for a form. @default as they are */
  readonly form?: NoteForm | undefined
  readonly request?: Partial<MethodRequest>
  /** @default an estimate by characters */
  readonly tokenizer?: Tokenizer | undefined
}

export interface Rehearsed {
  readonly model: ScriptedModel
  /** Settles when the method does. */
  readonly result: Promise<MethodResult>
  readonly counts: { readonly opened: number; readonly closed: number }
}

/** One answer of a method, with a scripted model that rejects anything beyond the profile's window. */
export function rehearse(rehearsal: Rehearsal): Rehearsed {
  const { method, profile, text, respond = oracle, tokenizer = estimateTokenizer, form } = rehearsal
  const { window } = profile.budget
  const model = createScriptedModel(
    async (call) => {
      const reply = await respond(call, profile)
      const prompt = promptOf(call)
      if (!form || reply instanceof Error || asksForAnswer(prompt, profile)) return reply
      const { text: note = '', ...rest } = typeof reply === 'string' ? { text: reply } : reply
      return { ...rest, text: form(note, call.options.maxTokens, prompt) }
    },
    { tokenizer, contextWindow: window },
  )
  const { document, counts } = watchedDocument(text)
  const result = method.answer({
    question,
    document,
    model,
    profile,
    tokenizer,
    sampling: { seed: 1 },
    ...rehearsal.request,
  })
  return { model, result, counts }
}
