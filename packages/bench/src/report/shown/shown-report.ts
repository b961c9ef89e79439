/** A recorded benchmark or training log as a page shows it: blocks with their plots drawn. */
import { open } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { type Analysis, analyse } from '../analysis/analyse.ts'
import type { Block, Figure } from '../block.ts'
import { collectObservations } from '../collect-observations.ts'
import { drawPlotFile } from '../plots/draw.ts'
import { unreadableRecord } from '../read-records.ts'
import { blocksOf } from '../sections/registry.ts'
import { programsOf, shortened } from '../sections/words.ts'
import { readStarts, type StartLine } from '../training/curve-lines.ts'
import { trainingCurves } from '../training/curves.ts'

export type RecordedKind = 'benchmark' | 'training'

export interface DrawnFigure {
  readonly type: 'figure'
  readonly caption: string
  /** Each a whole SVG document with escaped text and no scripts. */
  readonly plots: readonly { readonly title: string; readonly svg: string }[]
}

export interface ShownReport {
  readonly kind: RecordedKind
  /** Source of every number: models with their weights and the commit, or that none is recorded. */
  readonly of: string
  readonly blocks: readonly (Exclude<Block, Figure> | DrawnFigure)[]
}

/** Bytes read to recognize a file's kind. */
const headBytes = 4096

/**
 * Decides by the start of the first line, without reading the rest.
 * @returns undefined for any other file
 * @throws ConfigurationError when it cannot be read
 */
export async function recordedKind(path: string): Promise<RecordedKind | undefined> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
      const head = buffer.toString('utf8', 0, bytesRead)
      if (/^\{"version":\d+,"key":"/.test(head)) return 'benchmark'
      const isLog =
        /^\{("time":[\d.]+,)?"type":"(training-start|step-end|steps|evaluation-end|saved)","step":\d/.test(
          head,
        )
      return isLog ? 'training' : undefined
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw unreadableRecord(path, cause)
  }
}

/** @throws ConfigurationError for any other file, and, with its number, for an invalid line */
export async function shownReport(path: string): Promise<ShownReport> {
  const kind = await recordedKind(path)
  if (kind === undefined) throw neither(path)
  if (kind === 'training') {
    const blocks = await trainingCurves(path)
    return { kind, of: startsOf(await readStarts(path)), blocks: blocks.map(drawn) }
  }
  const analysis = analyse(await collectObservations([path]))
  // The page has its own title.
  const blocks = blocksOf(analysis).filter(({ type }, i) => i > 0 || type !== 'heading')
  return { kind, of: namesOf(analysis), blocks: blocks.map(drawn) }
}

const drawn = (block: Block): ShownReport['blocks'][number] =>
  block.type === 'figure'
    ? { ...block, plots: block.plots.map((plot) => ({ title: plot.title, svg: drawPlotFile(plot) })) }
    : block

/** `embedded:nano, weights sha256:9180f99fdb61…; commit not recorded` */
function namesOf({ series, observations }: Analysis): string {
  const models = series.map(({ model, settings: { weights } }) =>
    shortened(
      typeof weights === 'string' ? `${model}, weights ${weights}` : `${model}, weights not recorded`,
    ),
  )
  return [...new Set(models), programsOf(observations) ?? 'commit not recorded'].join('; ')
}

/** `From weights sha256:9180f99fdb61…; memagent 0.1.0, commit 09fd2392b1c5…` */
function startsOf(starts: readonly StartLine[]): string {
  if (starts.length === 0) return 'The log names no weights and no commit'
  const weights = starts.map(({ startFrom }) =>
    startFrom === undefined ? 'Weights at the start not recorded' : `From ${shortened(startFrom)}`,
  )
  return [...new Set(weights), programsOf(starts) ?? 'commit not recorded'].join('; ')
}

const neither = (path: string) =>
  new ConfigurationError({
    code: 'bench/no-record',
    message: `${path} is neither a record of a benchmark nor the log of a training.`,
    hint: '`memagent bench run` and `memagent train` write them.',
    details: { path },
  })
