/** The configuration of `memagent bench report --config`: pages made of sections, each of which names the records it is of. */
import { parseYamlSettings, readSettingsFile } from '@memagent/core/settings'
import { z } from 'zod'
import { length } from '../../run/config.ts'
import { type ReportFormat, reportFormats } from '../write-report.ts'

const text = z.string().min(1)
const formatNames = Object.keys(reportFormats) as ReportFormat[]

/** What is over a section, and before its tables. */
const heading = { title: text.optional(), text: text.optional() }

/** Files that `memagent bench run` wrote: a list, or by the name of whoever answered there. */
const records = z.union([z.array(text).min(1), z.record(text, text)])

export const comparisonTables = [
  'plots',
  'accuracy',
  'differences',
  'losses',
  'hazard',
  'rewrites',
  'wrong-answers',
  'examples',
] as const

const comparison = z.strictObject({
  kind: z.literal('comparison'),
  ...heading,
  records,
  /** Whom the others are compared with. @default the first that is a workflow */
  reader: text.optional(),
  show: z.array(z.enum(comparisonTables)).default(['plots', 'accuracy', 'differences', 'losses', 'hazard']),
  /** Tells the plots of one page apart. */
  among: z.string().default(''),
  /** Rows of the tables, by name. @default one for each length */
  groups: z
    .record(
      text,
      z.strictObject({
        tasks: z.array(text).optional(),
        lengths: z.array(length).optional(),
        /** Whether the text has an answer. @default both */
        answerable: z.boolean().optional(),
        labels: z.record(text, z.union([z.string(), z.number(), z.boolean()])).optional(),
      }),
    )
    .optional(),
})

const methods = z.strictObject({
  kind: z.literal('methods'),
  ...heading,
  records,
  length,
  /** Names of the columns, by method. */
  methods: z.record(text, text),
})

export const trainingTables = ['evaluations', 'plots', 'changes', 'rewrites', 'cost'] as const

const training = z.strictObject({
  kind: z.literal('training'),
  ...heading,
  /** The `metrics.jsonl` of each run, by its name. */
  runs: z.record(text, text),
  show: z.array(z.enum(trainingTables)).default(['evaluations', 'plots']),
  /** Runs with one thing changed, each beside the run of the same place before. */
  changes: z
    .array(
      z
        .strictObject({ name: text, before: z.array(text).min(1), after: z.array(text).min(1) })
        .refine(({ before, after }) => before.length === after.length, {
          message: 'before and after have one run each for every seed',
        }),
    )
    .default([]),
  /** For the cost. */
  parameters: z.number().positive().optional(),
  /** Groups of rollouts that a step learns from. @default 1 */
  groups: z.number().int().positive().default(1),
  /** Optimizer updates on one batch, by run. @default 1 */
  updates: z.record(text, z.number().int().positive()).default({}),
})

const page = z.strictObject({
  /** Written as a whole; with `block`, between `<!-- NAME -->` and `<!-- /NAME -->`. Plots are put into `plots` beside it. */
  file: text,
  block: z
    .string()
    .regex(/^[\w-]+$/)
    .optional(),
  ...heading,
  sections: z.array(z.discriminatedUnion('kind', [comparison, methods, training])).min(1),
})

export const reportConfig = z.strictObject({
  pages: z.array(page).default([]),
  /** As `memagent bench report FILES --output FOLDER` writes them. */
  reports: z
    .array(
      z.strictObject({
        records,
        folder: text,
        reader: text.optional(),
        formats: z.array(z.enum(formatNames)).default(['markdown', 'html']),
      }),
    )
    .default([]),
})

export type ReportConfig = z.output<typeof reportConfig>
export type PageConfig = ReportConfig['pages'][number]
export type SectionConfig = PageConfig['sections'][number]
export type RecordFiles = z.output<typeof records>

const fileNamed = (name: string) => ({ name, what: 'configuration of a report', area: 'bench' })

/** @throws ConfigurationError naming every wrong field */
export const parseReportConfig = (yaml: string, name: string): ReportConfig =>
  parseYamlSettings(reportConfig, yaml, fileNamed(name))

/** @throws ConfigurationError when the file cannot be read, and naming every wrong field */
export const readReportConfig = async (path: string): Promise<ReportConfig> =>
  parseReportConfig(await readSettingsFile(fileNamed(path)), path)
