/** A series is what a line of a plot shows: a method with its model and settings. */
import { ConfigurationError, canonicalJson } from '@memagent/core'
import { hashText } from '@memagent/tasks'
import { methodNames } from '../../methods/registry.ts'
import { oncePerItem } from '../../once-per-item.ts'
import type { Observation } from '../observation.ts'
import { plainText } from '../plain-text.ts'
import { seriesStyles } from '../plots/style.ts'

export interface Series {
  readonly id: string
  /** The method, with whatever tells it apart from other series of that method. */
  readonly name: string
  readonly method: string
  readonly model: string
  readonly workflow: string | undefined
  /** Its name in the report; undefined: named by its method. */
  readonly reader: string | undefined
  readonly settings: Readonly<Record<string, unknown>>
  /** False: the model was not trained for what the method asks, so the series is shown but never compared. */
  readonly trained: boolean | undefined
  /** Colour, sign and dashes in every plot of every report (`plots/style.ts`). */
  readonly style: number
}

/** Whether numbers of a series say something about its method. */
export const isComparable = ({ trained }: { readonly trained?: boolean | undefined }): boolean =>
  trained !== false

const untrainedMark = ' (not trained)'

export const seriesId = oncePerItem(({ method, model, workflow, settings, reader }: Observation): string =>
  canonicalJson([method, model, workflow ?? null, settings, reader ?? null]),
)

/** The workflow of readers unless another is chosen. */
const usualWorkflow = 'overwrite'

/**
 * The reader first, then in the order of the method registry, then by name. Unless one is named, the reader is the series
 * with the usual workflow, or else any workflow, or else any series; among several, the first by name. An untrained series is
 * never the reader, unless all are untrained.
 * @param reader name of a series or of a method
 * @throws ConfigurationError when no series has that name, or it was not trained
 */
export function findSeries(observations: readonly Observation[], reader?: string): Series[] {
  const found = new Map(observations.map((observation) => [seriesId(observation), observation]))
  const untrained = new Set(observations.filter(({ trained }) => trained === false).map(seriesId))
  const unnamed = [...found].map(([id, { method, model, workflow, settings, reader, trained }]) => ({
    id,
    method,
    model,
    workflow,
    settings,
    reader,
    trained: untrained.has(id) ? false : trained,
  }))
  const sorted = unnamed
    .map((series) => ({ ...series, name: nameOf(series, unnamed) }))
    .sort((a, b) => placeOf(a) - placeOf(b) || a.name.localeCompare(b.name, 'en', { numeric: true }))
  const styles = stylesOf(sorted.map(({ name }) => name))
  const all = sorted.map((series) => ({
    ...series,
    name: isComparable(series) ? series.name : `${series.name}${untrainedMark}`,
    style: styles.get(series.name)!,
  }))
  const named =
    all.find(({ name }) => name === reader || name === `${reader}${untrainedMark}`) ??
    all.find(({ reader: called }) => called === reader && called !== undefined) ??
    all.find(({ method }) => method === reader)
  if (reader !== undefined && named === undefined) throw unknownSeries(reader, all)
  if (named && !isComparable(named)) {
    throw new ConfigurationError({
      code: 'bench/untrained-series',
      message: `Nothing is compared with ${JSON.stringify(named.name)}: its model was not trained for what the method asks.`,
      hint: 'Name another method to compare with.',
    })
  }
  const comparable = all.filter(isComparable)
  const readers = comparable.filter(({ workflow }) => workflow !== undefined)
  const usual = readers.find(({ workflow }) => workflow === usualWorkflow)
  const first = named ?? usual ?? readers[0] ?? comparable[0]
  return first === undefined ? all : [first, ...all.filter((series) => series !== first)]
}

export const unknownSeries = (name: string, all: readonly Series[]) =>
  new ConfigurationError({
    code: 'bench/unknown-series',
    message: `No method ${JSON.stringify(name)} is recorded.`,
    hint: `Recorded are: ${all.map(({ name }) => JSON.stringify(name)).join(', ')}.`,
  })

type Unnamed = Omit<Series, 'name' | 'style'>

/** The name without options. */
const baseName = (method: string) => /^[^:,]*/.exec(method)![0]

/** Position in the registry; unknown methods come last. */
const placeOf = ({ method }: Pick<Series, 'method'>) => {
  const place = methodNames.indexOf(baseName(method))
  return place < 0 ? methodNames.length : place
}

/** In the order of their colours. Recorded reports show these, so append new methods. */
export const methodsByLook: readonly string[] =
  'overwrite whole truncate bm25 embeddings map-reduce refine edits gated gated-exit slots recall skim parallel skim-edits edits-confirmed'.split(
    ' ',
  )

/** Every colour with every sign. */
const allStyles = seriesStyles * seriesStyles

/**
 * A method looks the same in every report: its place in `methodsByLook` gives the colour. A variant's sign is a hash of its
 * name; if two series of one report would look the same, the later takes the next sign.
 */
function stylesOf(names: readonly string[]): ReadonlyMap<string, number> {
  const styles = new Map(methodsByLook.map((method, place) => [method, place]))
  const taken = new Set(styles.values())
  for (const name of names) {
    if (styles.has(name)) continue
    let style = styleOfVariant(name)
    // Tries all signs of one colour, then those of the next; once all combinations are taken, they repeat.
    for (let tried = 0; taken.has(style) && tried < allStyles; tried++) {
      style = (style + (tried % seriesStyles === seriesStyles - 1 ? 1 : seriesStyles)) % allStyles
    }
    taken.add(style)
    styles.set(name, style)
  }
  return styles
}

function styleOfVariant(name: string): number {
  const method = baseName(name)
  const place = methodsByLook.indexOf(method)
  const colour = place < 0 ? hashText(method) % seriesStyles : place
  return colour + seriesStyles * (1 + (hashText(name) % (seriesStyles - 1)))
}

/** The report's name for the reader, then the method; if needed, also the model, the workflow and the differing settings. */
function nameOf(series: Unnamed, recorded: readonly Unnamed[]): string {
  const all = recorded.filter(({ reader }) => reader === series.reader)
  if (series.reader !== undefined && all.length === 1) return plainText(series.reader)
  const parts = [...(series.reader === undefined ? [] : [series.reader]), series.method]
  if (all.some(({ model }) => model !== series.model)) parts.push(series.model)
  const alike = all.filter(({ method, model }) => method === series.method && model === series.model)
  if (alike.some(({ workflow }) => workflow !== series.workflow) && series.workflow !== undefined) {
    parts.push(series.workflow)
  }
  const settings = flattenSettings(series.settings)
  const others = alike
    .filter(({ workflow }) => workflow === series.workflow)
    .map((other) => flattenSettings(other.settings))
  for (const [path, value] of settings) {
    if (others.some((other) => other.get(path) !== value)) parts.push(`${path} ${value}`)
  }
  return plainText(parts.join(', '))
}

/** Settings by their path: `budget.memory` -> `256` */
export function flattenSettings(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return new Map([[path.join('.'), typeof value === 'string' ? value : canonicalJson(value)]])
  }
  return new Map(Object.entries(value).flatMap(([key, part]) => [...flattenSettings(part, [...path, key])]))
}
