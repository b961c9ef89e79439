/**
 * Prompts are data. A workflow names the templates it renders and their places, and brings named sets of templates. A model's
 * profile names one of these sets, or carries its own: the very words that a checkpoint was trained with.
 */
import type { Message } from '../../chat/message.ts'
import { ConfigurationError, WorkflowError } from '../../errors.ts'
import { isObject } from '../../json-shape.ts'
import { hashOf } from '../../reading/text-hash.ts'
import { createNeutralizer } from './neutralize.ts'
import { problemsOfPlaces, problemsOfStructure, renderTemplate, tagsIn, timesOf } from './template.ts'

type PlacesByName = Readonly<Record<string, readonly string[]>>

/** The templates of a workflow by name, each with its places. */
export interface PromptPlaces {
  /** Each is rendered as a conversation of one message. */
  readonly conversations: PlacesByName
  /** Other texts, such as the memory before anything was read. */
  readonly texts: PlacesByName
}

/** A set of templates by name, as in a file. */
export interface PromptSet {
  /** For records and messages. */
  readonly name: string
  /** Path of the file it came from, for messages. */
  readonly source?: string | undefined
  readonly templates: Readonly<Record<string, string>>
  /** Strings other than tags that structure the templates, such as `[END]`. @default none */
  readonly markers?: readonly string[] | undefined
}

type SetOf<Places extends PromptPlaces> = Omit<PromptSet, 'name' | 'source' | 'templates'> & {
  readonly templates: { readonly [Name in keyof Places['conversations']]: string } & {
    readonly [Name in keyof Places['texts']]?: string
  }
}

export interface WorkflowPrompts<Places extends PromptPlaces = PromptPlaces> extends PromptPlaces {
  readonly conversations: Places['conversations']
  readonly texts: Places['texts']
  /** Places that hold memories, and the most memories in each: the window has room for them. @default { memory: 1 } */
  readonly memories?: {
    readonly [Place in Places['conversations'][keyof Places['conversations']][number]]?: number
  }
  /** Texts that a set may leave out. @default none */
  readonly defaults?: Readonly<Record<string, string>> | undefined
  /** By name; the first is used if a profile names none. */
  readonly sets: Readonly<Record<string, SetOf<Places>>>
}

export const memoriesIn = (template: string, { memories = { memory: 1 } }: WorkflowPrompts): number =>
  Object.entries(memories).reduce((sum, [place, count = 0]) => sum + count * timesOf(place, template), 0)

type PartsOf<Names> = Names extends readonly string[] ? { readonly [Place in Names[number]]: string } : never

/** A checked set, ready to be rendered. Parts must be neutralized first. */
export interface Prompts<Places extends PromptPlaces = PromptPlaces> {
  readonly name: string
  /** Identity of the set: its name, and a hash of its words if it is not the workflow's own. */
  readonly identity: string
  /** What structures these prompts; text from documents, memories and questions must not contain it. */
  readonly markers: readonly string[]
  readonly templates: Readonly<Record<string, string>>
  messages<Name extends keyof Places['conversations']>(
    template: Name,
    parts: PartsOf<Places['conversations'][Name]>,
  ): Message[]
  text<Name extends keyof Places['texts']>(template: Name, parts: PartsOf<Places['texts'][Name]>): string
}

/**
 * Checks a workflow's `prompts`; keeps the names of templates and places in its type.
 * @throws ConfigurationError for a set with a missing or extra template or place
 */
export function definePrompts<const Conversations extends PlacesByName, const Texts extends PlacesByName>(
  prompts: WorkflowPrompts<{ readonly conversations: Conversations; readonly texts: Texts }>,
): WorkflowPrompts<{ readonly conversations: Conversations; readonly texts: Texts }> {
  for (const [name, set] of Object.entries(prompts.sets)) checked(prompts, { ...(set as PromptSet), name })
  return prompts
}

/**
 * The prompts for a workflow.
 * @param chosen a name of the workflow's own sets, or another set. @default the workflow's first
 * @throws ConfigurationError for an unknown name, listing the known ones; for a set, naming its file and every template that is
 * missing, unknown, or not as the workflow renders it
 */
export function promptsFor<Places extends PromptPlaces>(
  { name: workflow, prompts }: { readonly name: string; readonly prompts: WorkflowPrompts<Places> },
  chosen: string | PromptSet | undefined,
): Prompts<Places> {
  const known = Object.keys(prompts.sets)
  if (typeof chosen === 'object') return checked(prompts, chosen, workflow, promptsIdentity(chosen))
  const name = chosen ?? known[0]!
  const set = Object.hasOwn(prompts.sets, name) ? (prompts.sets[name] as PromptSet) : undefined
  if (set) return checked(prompts, { ...set, name }, workflow)
  throw new ConfigurationError({
    code: 'prompts/unknown',
    message: `The workflow ${workflow} has no prompts named ${name}.`,
    hint: `It has ${known.join(', ')}: choose one with --prompts NAME, or templates of your own with --prompts ./FILE.`,
    details: { workflow, name, known },
  })
}

/** Identity of a choice of prompts whose workflow is not known yet. */
export const promptsIdentity = (chosen: string | PromptSet): string =>
  typeof chosen === 'string'
    ? chosen
    : `${chosen.name} ${hashOf(JSON.stringify([Object.entries(chosen.templates).sort(), chosen.markers]))}`

/**
 * Parses a set from a file: optional `name` and `markers`, and the templates by name.
 * @param source for messages: the file @param name if the file has none
 * @throws ConfigurationError naming file and field
 */
export function parsePromptSet(fields: unknown, source: string, name: string): PromptSet {
  const given = isObject(fields) ? fields : {}
  const { name: ownName = name, markers, ...templates } = given
  const isList = Array.isArray(markers) && markers.every((marker) => typeof marker === 'string')
  const problems = [
    ...(isObject(fields) ? [] : ['templates by name are wanted, such as `update: ...`']),
    ...(typeof ownName === 'string' && ownName !== '' ? [] : ['name: a text that is not empty is wanted']),
    ...(markers === undefined || isList ? [] : ['markers: a list of texts is wanted']),
    ...Object.entries(templates)
      .filter(([, template]) => typeof template !== 'string')
      .map(([field]) => `${field}: a text is wanted`),
  ]
  if (problems.length > 0) throw invalid(source, problems)
  return {
    name: ownName as string,
    source,
    templates: templates as PromptSet['templates'],
    ...(markers === undefined ? {} : { markers: markers as readonly string[] }),
  }
}

/** The inverse of `parsePromptSet`. */
export const writtenPrompts = (chosen: string | PromptSet): string | Readonly<Record<string, unknown>> =>
  typeof chosen === 'string'
    ? chosen
    : { name: chosen.name, ...chosen.templates, ...(chosen.markers && { markers: chosen.markers }) }

function checked<Places extends PromptPlaces>(
  { conversations, texts, defaults, sets: _ }: WorkflowPrompts<Places>,
  set: PromptSet,
  workflow?: string,
  identity = set.name,
): Prompts<Places> {
  const templates = { ...defaults, ...set.templates }
  const places = { ...(conversations as PlacesByName), ...(texts as PlacesByName) }
  const rendered = Object.keys(conversations).flatMap((name) => templates[name] ?? [])
  const markers = [...tagsIn(rendered), ...(set.markers ?? [])]
  const problems = [
    ...Object.entries(places).flatMap(([field, names]) => {
      const template = templates[field]
      if (template === undefined) return `${field} is missing`
      const problem = problemsOfPlaces(template, names)
      const isOpen = problem.length === 0 && Object.hasOwn(conversations, field)
      return [...problem, ...(isOpen ? problemsOfStructure(template, markers) : [])].map(
        (text) => `${field}: ${text}`,
      )
    }),
    ...Object.keys(templates)
      .filter((field) => !Object.hasOwn(places, field))
      .map((field) => `${field} is no template of it (it has ${Object.keys(places).join(', ')})`),
    ...problemsOfMarkers(set.markers ?? []),
  ]
  if (problems.length > 0) throw invalid(set.source ?? `The set ${set.name}`, problems, workflow)
  // A workflow in JavaScript has no type checks.
  const render = (name: PropertyKey, parts: Readonly<Record<string, string>> = {}) => {
    const [field, template] = [String(name), templates[String(name)]]
    if (template === undefined) throw notRendered(set.name, field, 'there is no such template')
    const missing = places[field]?.find((place) => typeof parts[place] !== 'string')
    if (missing !== undefined) throw notRendered(set.name, field, `no text was given for {${missing}}`)
    return renderTemplate(template, parts)
  }
  return {
    name: set.name,
    identity,
    markers,
    templates,
    messages: (name, parts) => [{ role: 'user', content: render(name, parts) }],
    text: render,
  }
}

function problemsOfMarkers(markers: readonly string[]): readonly string[] {
  return markers.flatMap((marker) => {
    try {
      createNeutralizer([marker])
      return []
    } catch (error) {
      return `markers: ${(error as Error).message}`
    }
  })
}

const notRendered = (set: string, template: string, reason: string) =>
  new WorkflowError({
    code: 'workflow/not-rendered',
    message: `The template ${template} of the prompts ${set} cannot be rendered: ${reason}.`,
    details: { template },
  })

const invalid = (source: string, problems: readonly string[], workflow?: string) =>
  new ConfigurationError({
    code: 'prompts/invalid',
    message: `${source} holds no prompts${workflow === undefined ? '' : ` for the workflow ${workflow}`}:\n  ${problems.join('\n  ')}`,
    details: { source, problems },
  })
