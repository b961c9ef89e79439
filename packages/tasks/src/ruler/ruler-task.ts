/**
 * RULER's thirteen tasks by name (Hsieh et al., arXiv 2404.06654; NVIDIA/RULER). Parameters are in `configurations.ts`; each
 * task's `deviations` list its differences from RULER as published. Every task has some, as the question is not in one prompt
 * with the text, so results must not be called RULER's.
 */
import { z } from 'zod'
import { defineTask } from '../define-task.ts'
import { createTextProse, installedProse, type ProseSource } from '../prose/prose-source.ts'
import { readJson } from '../rows/read-file.ts'
import { badOption, filePath, prose } from '../settings/task-options.ts'
import type { Task } from '../task.ts'
import { createCommonWords } from './common-words.ts'
import { type RulerConfiguration, type RulerTaskName, rulerConfigurations } from './configurations.ts'
import { createFrequentWords } from './frequent-words.ts'
import { readHotpotQa } from './hotpotqa-file.ts'
import { createNiah } from './niah.ts'
import { createQuestionAnswering } from './question-answering.ts'
import { readSquad } from './squad-file.ts'
import { createVariableTracking } from './variable-tracking.ts'
import { ownWordLists, readWordLists } from './word-lists.ts'

const rulerOptions = z.strictObject({
  /** The haystack of tasks with essays, unless `essays` is given; other tasks ignore it. @default the installed prose */
  prose: prose.optional(),
  essays: filePath(
    'RULER’s PaulGrahamEssays.json',
    'RULER’s essays, `{"text": "..."}`: the haystack of tasks that use prose.',
  ).optional(),
  wordLists: filePath(
    'a folder with wonderwords’ lists and RULER’s english_words.json',
    'Folder with wonderwords’ `nounlist.txt`, `adjectivelist.txt` and `verblist.txt`, and RULER’s `english_words.json`.',
  )
    .optional()
    .meta({ defaultIs: 'our own words, and those of the package word-list' }),
  // The readers of these files were tested only with synthetic files.
  path: filePath(
    'the questions of a QA task',
    'SQuAD’s `dev-v2.0.json` or HotpotQA’s `hotpot_dev_distractor_v1.json`: each QA task needs its own.',
  ).optional(),
})
type RulerOptions = z.output<typeof rulerOptions>

/** `create` throws TaskError for files that cannot be read or have another format, and for a QA task without a file. */
export const rulerTask = (name: RulerTaskName) =>
  defineTask({
    name,
    description: descriptions[rulerConfigurations[name].family],
    options: rulerOptions,
    create: (options): Promise<Task> => createFamily(name, rulerConfigurations[name], options),
  })

const descriptions: Readonly<Record<RulerConfiguration['family'], string>> = {
  niah: 'RULER: needles in a haystack of noise, essays or other needles.',
  'variable-tracking': 'RULER: all variables that receive a value through a chain of assignments.',
  'common-words': 'RULER: the ten most common words of a long list.',
  'frequent-words': 'RULER: the three most frequent coded words of a text.',
  'question-answering': 'RULER: questions of a dataset, with their documents among others of the dataset.',
}

async function createFamily(
  name: RulerTaskName,
  configuration: RulerConfiguration,
  options: RulerOptions,
): Promise<Task> {
  switch (configuration.family) {
    case 'niah':
      return createNiah(name, configuration, {
        words: await wordListsFor(options),
        essays: configuration.haystack === 'essay' ? await essaysFor(options) : undefined,
      })
    case 'variable-tracking':
      return createVariableTracking(name, configuration)
    case 'common-words':
      return createCommonWords(name, configuration, await wordListsFor(options))
    case 'frequent-words':
      return createFrequentWords(name, configuration)
    case 'question-answering': {
      const path = questionsPath(name, configuration.dataset, options.path)
      return createQuestionAnswering(
        name,
        await (configuration.dataset === 'squad' ? readSquad(path) : readHotpotQa(path)),
      )
    }
  }
}

const wordListsFor = async ({ wordLists }: RulerOptions) =>
  wordLists === undefined ? ownWordLists() : await readWordLists(wordLists)

async function essaysFor({
  essays,
  prose,
}: RulerOptions): Promise<{ prose: ProseSource; deviation: string | undefined }> {
  if (essays !== undefined) {
    return { prose: createTextProse('Paul Graham’s essays', await readEssays(essays)), deviation: undefined }
  }
  const other = prose ?? (await installedProse())
  return { prose: other, deviation: `The haystack is ${other.name} instead of Paul Graham’s essays.` }
}

async function readEssays(path: string): Promise<string> {
  const hint = 'RULER’s PaulGrahamEssays.json is {"text": "..."}; other texts are given as `prose`.'
  return (await readJson(path, z.object({ text: z.string() }), hint)).text
}

const datasets = {
  squad: 'the development set of SQuAD 2.0 (dev-v2.0.json)',
  hotpotqa: 'the development set of HotpotQA, distractor setting (hotpot_dev_distractor_v1.json)',
} as const

function questionsPath(name: string, dataset: keyof typeof datasets, path: string | undefined): string {
  if (path === undefined) {
    throw badOption(
      name,
      'path',
      path,
      `it takes the path of ${datasets[dataset]}, which is not part of this package`,
    )
  }
  return path
}
