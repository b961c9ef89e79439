/** A recorded benchmark, or the log of a training, as a page shows it: blocks, with their plots drawn. */
import { open } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { analyse } from '../analysis/analyse.ts'
import type { Series } from '../analysis/series.ts'
import type { Block, Figure } from '../block.ts'
import { collectObservations } from '../collect-observations.ts'
import { plainText } from '../plain-text.ts'
import { drawPlotFile } from '../plots/draw.ts'
import { blocksOf } from '../sections/registry.ts'
import { trainingCurves } from '../training/curves.ts'

export type RecordedKind = 'benchmark' | 'training'

export interface DrawnFigure {
  readonly type: 'figure'
  readonly caption: string
  /** Each a whole SVG document, of texts that were escaped; without scripts. */
  readonly plots: readonly { readonly title: string; readonly svg: string }[]
}

export interface ShownReport {
  readonly kind: RecordedKind
  /** What every number in it is of: models with their weights and the commit, or that none is recorded. */
  readonly of: string
  readonly blocks: readonly (Exclude<Block, Figure> | DrawnFigure)[]
}

/** How much of a file tells its kind. */
const headBytes = 4096

/**
 * By how its first line begins, without reading the rest.
 * @returns undefined for any other file @throws ConfigurationError when it cannot be read
 */
export async function recordedKind(path: string): Promise<RecordedKind | undefined> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      const head = buffer.toString('utf8', 0, bytesRead)
      if (/^\{"version":\d+,"key":"/.test(head)) return 'benchmark'
      const isLog = /^\{("time":[\d.]+,)?"type":"(step-end|steps|evaluation-end|saved)","step":\d/.test(head)
      return isLog ? 'training' : undefined
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new ConfigurationError({
      code: 'bench/unreadable-record',
      message: `Cannot read ${path}: ${whyUnreadable(cause)}.`,
      details: { path },
      cause,
    })
  }
}

/** @throws ConfigurationError for a file that is neither, and for a line in it that is wrong, with its number */
export async function shownReport(path: string): Promise<ShownReport> {
  const kind = await recordedKind(path)
  if (kind === undefined) throw neither(path)
  if (kind === 'training') {
    const blocks = await trainingCurves(path)
    return { kind, of: 'The log names no weights and no commit', blocks: blocks.map(drawn) }
  }
  const analysis = analyse(await collectObservations([path]))
  // What it is called, the page says.
  const blocks = blocksOf(analysis).filter(({ type }, i) => i > 0 || type !== 'heading')
  return { kind, of: namesOf(analysis.series), blocks: blocks.map(drawn) }
}

const drawn = (block: Block): ShownReport['blocks'][number] =>
  block.type === 'figure'
    ? { ...block, plots: block.plots.map((plot) => ({ title: plot.title, svg: drawPlotFile(plot) })) }
    : block

/** `embedded:nano, weights sha256:9180f99fdb61…; commit not recorded` */
function namesOf(series: readonly Series[]): string {
  const models = series.map(({ model, settings: { weights } }) =>
    plainText(
      typeof weights === 'string' ? `${model}, weights ${short(weights)}` : `${model}, weights not recorded`,
    ),
  )
  const commits = series.flatMap(({ settings: { commit } }) => (typeof commit === 'string' ? [commit] : []))
  const commit = commits.length === 0 ? 'commit not recorded' : `commit ${[...new Set(commits)].join(', ')}`
  return `${[...new Set(models)].join('; ')}; ${plainText(commit)}`
}

/** Enough of a digest to know it by; the settings have all of it. */
const short = (weights: string): string =>
  weights.replace(/\b([0-9a-f]{12})[0-9a-f]{20,}/g, (_, start: string) => `${start}…`)

const neither = (path: string) =>
  new ConfigurationError({
    code: 'bench/no-record',
    message: `${path} is neither a record of a benchmark nor the log of a training.`,
    hint: '`memagent bench run` and `memagent train` write them.',
    details: { path },
  })
