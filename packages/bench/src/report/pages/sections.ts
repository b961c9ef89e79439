/** What each kind of section shows. */
import { ConfigurationError } from '@memagent/core'
import { type Block, warning } from '../block.ts'
import type { Collection, NamedRecords, Source } from '../collect-observations.ts'
import { accuracyPlots, accuracyTable, differenceTable, lossTable } from '../comparison/accuracy.ts'
import { chunkCostTable } from '../comparison/chunk-cost.ts'
import { type Comparison, compare } from '../comparison/comparison.ts'
import { methodTable } from '../comparison/method-table.ts'
import { hazardTable, rewriteTable } from '../comparison/rewrites.ts'
import { memoryExamples, wrongAnswerTables } from '../comparison/side-by-side.ts'
import { meanPlots, meansByGroupTable, taskMeansTable } from '../comparison/task-means.ts'
import { plainText } from '../plain-text.ts'
import { plural } from '../sections/words.ts'
import { costTables, rewriteTrendTable } from '../training/cost.ts'
import { changesTable, evaluationPlots, evaluationTable, type TrainingLogs } from '../training/evaluations.ts'
import { readTrainingLog } from '../training/training-log.ts'
import type { comparisonTables, RecordFiles, SectionConfig, trainingTables } from './report-config.ts'

type Of<Kind extends SectionConfig['kind']> = Extract<SectionConfig, { kind: Kind }>

/** One line per table. */
const comparisons: Readonly<
  Record<(typeof comparisonTables)[number], (comparison: Comparison, section: Of<'comparison'>) => Block[]>
> = {
  plots: (comparison, { among }) => accuracyPlots(comparison, among),
  accuracy: accuracyTable,
  differences: differenceTable,
  means: taskMeansTable,
  'means-by-group': meansByGroupTable,
  'mean-plots': (comparison, { among }) => meanPlots(comparison, among),
  losses: lossTable,
  hazard: hazardTable,
  rewrites: rewriteTable,
  'chunk-cost': chunkCostTable,
  'wrong-answers': wrongAnswerTables,
  examples: memoryExamples,
}

const trainings: Readonly<
  Record<(typeof trainingTables)[number], (logs: TrainingLogs, section: Of<'training'>) => Block[]>
> = {
  evaluations: evaluationTable,
  plots: (logs, { title = 'Held-out reward' }) => evaluationPlots(logs, title),
  changes: (logs, { changes }) => changesTable(logs, changes),
  rewrites: rewriteTrendTable,
  cost: (logs, { parameters, groups, updates }) => {
    if (parameters !== undefined && groups !== undefined)
      return costTables(logs, { parameters, groups, updates })
    throw wrong(
      'The cost of a training needs `parameters`, the number of weights, and `groups`, those of rollouts that a step learns from.',
    )
  },
}

/**
 * @param collect reads records
 * @throws ConfigurationError for records and logs that cannot be read, and for unknown names
 */
export async function sectionBlocks(
  section: SectionConfig,
  collect: (records: RecordFiles) => Promise<Collection>,
): Promise<Block[]> {
  switch (section.kind) {
    case 'comparison': {
      const comparison = compare(await collect(section.records), section)
      const tables = section.show.flatMap((table) => comparisons[table](comparison, section))
      return [...aboutCutLines(comparison.sources), ...tables]
    }
    case 'methods': {
      const { observations, sources } = await collect(section.records)
      return [...aboutCutLines(sources), ...methodTable(observations, section.length, section.methods)]
    }
    case 'training': {
      const named = Object.entries(section.runs)
      const unknown = section.changes
        .flatMap(({ before, after }) => [...before, ...after])
        .find((name) => !Object.hasOwn(section.runs, name))
      if (unknown !== undefined) throw wrong(`The changes name ${unknown}, which is none of the runs.`)
      const logs = new Map<string, Awaited<ReturnType<typeof readTrainingLog>>>()
      for (const [name, path] of named) logs.set(name, await readTrainingLog(path))
      return section.show.flatMap((table) => trainings[table](logs, section))
    }
  }
}

const aboutCutLines = (sources: readonly Source[] = []): Block[] =>
  sources
    .filter(({ cutLines }) => cutLines > 0)
    .map(({ path, cutLines }) =>
      warning(
        `${plainText(path)} has ${plural(cutLines, 'line')} that ${cutLines === 1 ? 'was' : 'were'} cut short; ${cutLines === 1 ? 'it is' : 'they are'} left out.`,
      ),
    )

/** Files with their names, if they have any. */
export const filesOf = (records: RecordFiles): readonly (string | NamedRecords)[] =>
  Array.isArray(records) ? records : Object.entries(records).map(([reader, path]) => ({ reader, path }))

const wrong = (message: string) => new ConfigurationError({ code: 'bench/bad-report', message })
