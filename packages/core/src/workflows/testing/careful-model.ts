/**
 * A scripted model that does what every workflow asks: it notes sentences about gates, keeps those it has, and answers with the
 * words it noted. It sees only prompts, so it can stand behind a server.
 */
import { notFoundPhrase } from '../answer/boxed.ts'
import { renderGates } from '../gated/gate-grammar.ts'

export const gateQuestion = 'Which words open the three gates? Name all of them, in their order.'

/** What is to be noted; `neutralize` leaves it as it is. */
export const gateFact = (gate: number, word: string): string => `Gate ${gate} opens at the word ${word}.`

const facts = /Gate \d+ opens at the word [a-z]+\./g

/** What the answer should be. @param words of the gates from 1 on */
export const gateAnswer = (words: readonly string[]): string => words.join(', ')

export interface CarefulPrompt {
  /** The facts of the chunk that are not yet noted. */
  readonly news: readonly string[]
  /** The facts of the memory. */
  readonly known: readonly string[]
  readonly text: string
}

type Note = (prompt: CarefulPrompt) => string

const rewrite: Note = ({ news, known }) => [...known, ...news].join(' ') || 'No previous memory'

/** It has enough when it knows as many facts as the question asks for. */
const withGates: Note = ({ news, known }) => {
  const all = [...known, ...news]
  const memory = news.length > 0 ? all.join(' ') : undefined
  return renderGates({ memory, exit: all.length === 3 })
}

const asEdits: Note = ({ news }) => news.map((fact) => `+ ${fact}`).join('\n') || 'none'

/** What the model writes when it does not answer, by workflow; a workflow that is not listed asks for the whole memory. */
const notes: Readonly<Record<string, Note>> = {
  recall: (prompt) => `<update>${rewrite(prompt)}</update>\n<recall>gate</recall>`,
  edits: asEdits,
  'edits-confirmed': asEdits,
  'skim-edits': asEdits,
  gated: withGates,
  'gated-exit': withGates,
  parallel: ({ news, known, text }) => {
    const reports = between('reports', text)
    if (reports !== '') return [...known, ...factsIn(reports)].join(' ')
    return news.length > 0 ? `yes\n${news.join(' ')}` : 'no'
  },
  slots: ({ news, known }) => (news.length > 0 ? [...known, ...news].join(' ') : 'unchanged'),
}

/** @returns the response to a prompt of this workflow's set `paper` */
export function carefulReply(workflow: string, prompt: string): string {
  const known = factsIn(between('memory', prompt))
  const section = sectionOf(prompt)
  if (section === '' && prompt.includes('\\boxed{')) return answerFrom(known)
  const news = factsIn(section).filter((fact) => !known.includes(fact))
  return (notes[workflow] ?? rewrite)({ news, known, text: prompt })
}

function answerFrom(known: readonly string[]): string {
  const words = known.toSorted().map((fact) => /(\w+)\.$/.exec(fact)![1]!)
  return `\\boxed{${words.length === 0 ? notFoundPhrase : gateAnswer(words)}}`
}

export const factsIn = (text: string): string[] => [...new Set(text.match(facts))]

/** The chunk in a prompt; empty if there is none. */
export const sectionOf = (prompt: string): string => between('section', prompt)

/** The contents of this tag in a prompt. */
const between = (tag: string, prompt: string): string =>
  [...prompt.matchAll(new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n?</${tag}>`, 'g'))]
    .map(([, text]) => text)
    .join('\n')
