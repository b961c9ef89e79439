/** The configuration of `memagent bench report --config`: pages made of sections, each with its own records. */
import { parseYamlSettings, readSettingsFile } from '@memagent/core/settings'
import { z } from 'zod'
import { length } from '../../run/config.ts'
import { type ReportFormat, reportFormats } from '../write-report.ts'

const text = z.string().min(1)
const formatNames = Object.keys(reportFormats) as ReportFormat[]

const heading = {
  title: text.optional().describe('Over it.'),
  text: text.optional().describe('Before its tables.'),
}

const records = z
  .union([z.array(text).min(1), z.record(text, text)])
  .describe('Files that `memagent bench run` wrote: a list, or by the name of whoever answered there.')

export const comparisonTables = [
  'plots',
  'accuracy',
  'means',
  'means-by-group',
  'mean-plots',
  'differences',
  'losses',
  'hazard',
  'rewrites',
  'chunk-cost',
  'wrong-answers',
  'examples',
] as const

const comparison = z.strictObject({
  kind: z.literal('comparison').describe('Readers and other methods, compared.'),
  ...heading,
  records,
  reader: text
    .optional()
    .meta({ description: 'Whom the others are compared with.', defaultIs: 'the first that is a workflow' }),
  against: z
    .array(text)
    .min(1)
    .optional()
    .meta({ description: 'Names or methods that the reader is compared with.', defaultIs: 'all others' }),
  show: z
    .array(z.enum(comparisonTables))
    .default(['plots', 'accuracy', 'differences', 'losses', 'hazard'])
    .describe('What is shown, in this order.'),
  among: z.string().default('').describe('Tells the plots of one page apart.'),
  groups: z
    .record(
      text,
      z.strictObject({
        tasks: z.array(text).optional().describe('Their names.'),
        lengths: z.array(length).optional().describe('Lengths of the documents.'),
        answerable: z
          .boolean()
          .optional()
          .meta({ description: 'Whether the text holds an answer.', defaultIs: 'both' }),
        labels: z
          .record(text, z.union([z.string(), z.number(), z.boolean()]))
          .optional()
          .describe('Labels of the samples, with the values to select.'),
      }),
    )
    .optional()
    .meta({ description: 'Rows of the tables, by name.', defaultIs: 'one for each length' }),
})

const methods = z.strictObject({
  kind: z.literal('methods').describe('A table of methods by task.'),
  ...heading,
  records,
  length: length.meta({ description: 'Length of the documents.' }),
  methods: z
    .record(text, text)
    .describe(
      'Names of the columns, by method: `NAME, METHOD` where records have names, and with the model or settings, as the report names it, where these mean several.',
    ),
})

export const trainingTables = ['evaluations', 'plots', 'changes', 'rewrites', 'cost'] as const

const training = z.strictObject({
  kind: z.literal('training').describe('Runs of reinforcement training.'),
  ...heading,
  runs: z.record(text, text).describe('The `metrics.jsonl` of each run, by its name.'),
  show: z
    .array(z.enum(trainingTables))
    .default(['evaluations', 'plots'])
    .describe('What is shown, in this order.'),
  changes: z
    .array(
      z
        .strictObject({
          name: text.describe('What was changed.'),
          before: z.array(text).min(1).describe('Runs as they were, one for each seed.'),
          after: z.array(text).min(1).describe('Runs with the change.'),
        })
        .refine(({ before, after }) => before.length === after.length, {
          message: 'before and after have one run each for every seed',
        }),
    )
    .default([])
    .describe('Runs with one thing changed, each beside the run of the same place before.'),
  parameters: z.number().positive().optional().describe('For the cost.'),
  groups: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Groups of rollouts that a step learns from, for the cost.'),
  updates: z
    .record(text, z.number().int().positive())
    .default({})
    .meta({ description: 'Optimizer updates on one batch, by run.', defaultIs: '1' }),
})

const page = z.strictObject({
  file: text.describe(
    'Written as a whole; with `block`, between `<!-- NAME -->` and `<!-- /NAME -->`. Plots are put into `plots` beside it.',
  ),
  block: z
    .string()
    .regex(/^[\w-]+$/)
    .optional()
    .describe('The part of the file that is written: between `<!-- NAME -->` and `<!-- /NAME -->`.'),
  ...heading,
  sections: z
    .array(z.discriminatedUnion('kind', [comparison, methods, training]))
    .min(1)
    .describe('Its content.'),
})

export const reportConfigSchema = z.strictObject({
  pages: z.array(page).default([]).describe('Pages made of sections.'),
  reports: z
    .array(
      z.strictObject({
        records,
        folder: text.describe('Where it goes.'),
        reader: text.optional().describe('Whom the others are compared with.'),
        formats: z.array(z.enum(formatNames)).default(['markdown', 'html']).describe('How it is written.'),
      }),
    )
    .default([])
    .describe('As `memagent bench report FILES --output FOLDER` writes them.'),
})

export type ReportConfig = z.output<typeof reportConfigSchema>
export type PageConfig = ReportConfig['pages'][number]
export type SectionConfig = PageConfig['sections'][number]
export type RecordFiles = z.output<typeof records>

const fileNamed = (name: string) => ({ name, what: 'configuration of a report', area: 'bench' })

/** @throws ConfigurationError naming every wrong field */
export const parseReportConfig = (yaml: string, name: string): ReportConfig =>
  parseYamlSettings(reportConfigSchema, yaml, fileNamed(name))

/** @throws ConfigurationError when the file cannot be read, and naming every wrong field */
export const readReportConfig = async (path: string): Promise<ReportConfig> =>
  parseReportConfig(await readSettingsFile(fileNamed(path)), path)
