/**
 * How a perfect reader writes in the form of a workflow. Lessons are the same for all: the memory before and after a section.
 * A writer determines how the prompt shows the memory, and the response.
 */
import {
  type Edit,
  edits,
  gated,
  type Json,
  type Line,
  overwrite,
  parallel,
  promptsFor,
  recall,
  renderEdits,
  renderGates,
  renderLines,
  type Workflow,
} from '@memagent/core'
import type { NotedLines } from '@memagent/tasks'

export interface ResponseWriter {
  readonly workflow: Workflow<Json>
  /** The template of the conversation about a section. */
  readonly template: 'update' | 'report'
  /** Whether a value is written without a leading space if it has none in the text that it is copied from. */
  readonly copiesSpacing: boolean
  /** The memory as the prompts of small models show it. */
  shown(lines: NotedLines): string
  /** Each section is read with an empty memory, and answered from the notes of all: map-reduce. @default false */
  readonly readsAlone?: true
  /** Fills further places in these prompts. @default none */
  readonly otherParts?: Readonly<Record<string, string>>
  /**
   * The response to a section that turns one memory into another.
   * @param state of the workflow before. @default as if only these lines had been noted
   * @returns undefined if the workflow has another memory, so no response is right
   */
  update(before: NotedLines, after: NotedLines, state?: Json): string | undefined
  /** If the workflow reports news: how its template `merge` puts them into the memory. */
  merge?(before: NotedLines, after: NotedLines): { readonly reports: string; readonly response: string }
}

const emptyMemory = promptsFor(overwrite, 'compact').text('emptyMemory', {})
const joined = (lines: NotedLines) => [...lines.values()].join('; ') || emptyMemory

export const isSame = (a: NotedLines, b: NotedLines): boolean =>
  a.size === b.size && [...a].every(([line, text]) => b.get(line) === text)

const overwriting: ResponseWriter = {
  workflow: overwrite as unknown as Workflow<Json>,
  template: 'update',
  copiesSpacing: true,
  shown: joined,
  // The leading space gives it the same tokens as the text it is copied from.
  update: (_, after) => ` ${joined(after)}`,
}

const numbered = (lines: NotedLines): Line[] => [...lines.values()].map((text, i) => ({ id: i + 1, text }))

const editing: ResponseWriter = {
  workflow: edits as unknown as Workflow<Json>,
  template: 'update',
  copiesSpacing: false,
  shown: (lines) => renderLines(numbered(lines)),
  update(before, after, state) {
    const shown = (state as { readonly lines: readonly Line[] } | undefined)?.lines ?? numbered(before)
    const texts = [...before.values()]
    if (shown.length !== texts.length || shown.some(({ text }) => !texts.includes(text))) return undefined
    const idOf = new Map(shown.map(({ id, text }) => [text, id]))
    const changed = [...before].flatMap(([name, text]): Edit[] => {
      const [id, now] = [idOf.get(text)!, after.get(name)]
      if (now === undefined) return [{ type: 'drop', id }]
      return now === text ? [] : [{ type: 'replace', id, text: now }]
    })
    const added = [...after].filter(([name]) => !before.has(name))
    return renderEdits([...changed, ...added.map(([, text]): Edit => ({ type: 'add', text }))])
  },
}

const gating: ResponseWriter = {
  workflow: gated as unknown as Workflow<Json>,
  template: 'update',
  copiesSpacing: false,
  shown: joined,
  update: (before, after) =>
    renderGates({ memory: isSame(before, after) ? undefined : ` ${joined(after)}`, exit: false }),
}

/** Looks nothing up: a perfect reader forgets nothing, so only rewards teach what to recall. */
const recalling: ResponseWriter = {
  workflow: recall as unknown as Workflow<Json>,
  template: 'update',
  copiesSpacing: false,
  shown: joined,
  otherParts: { recalled: promptsFor(recall, 'compact').text('nothingRecalled', {}) },
  update: (_, after) => `<update> ${joined(after)}</update>`,
}

/** Lines of `after` that are new or changed. */
const newsIn = (before: NotedLines, after: NotedLines): NotedLines =>
  new Map([...after].filter(([line, text]) => before.get(line) !== text))

const reporting: ResponseWriter = {
  workflow: parallel as unknown as Workflow<Json>,
  template: 'report',
  copiesSpacing: false,
  shown: joined,
  update: (before, after) => (isSame(before, after) ? 'no' : `yes\n ${joined(newsIn(before, after))}`),
  merge: (before, after) => ({ reports: joined(newsIn(before, after)), response: ` ${joined(after)}` }),
}

/** For the method `map-reduce`, with the prompts of `overwrite`. */
const notingAlone: ResponseWriter = {
  ...overwriting,
  workflow: { ...overwriting.workflow, name: 'map-reduce' },
  readsAlone: true,
}

/** Writers by the name of the workflow, or of the method that uses a workflow's prompts. */
export const responseWriters = {
  overwrite: overwriting,
  edits: editing,
  gated: gating,
  recall: recalling,
  parallel: reporting,
  'map-reduce': notingAlone,
} as const satisfies Record<string, ResponseWriter>
export type TaughtWorkflow = keyof typeof responseWriters
