/**
 * Writes the experiments' tables into docs/experiments.md, between its two marks, and the plots into docs/plots, from the
 * recorded lines alone. Sections whose lines are not there say so.
 *   npm run lab:report
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { loadModelFolder } from '@memagent/engine'
import { parseRlConfig } from '@memagent/train'
import { coldStart } from './arms.ts'
import { sections, writePage } from './report/page.ts'
import { readResults } from './report/results.ts'

const { values: options } = parseArgs({
  options: {
    results: { type: 'string', default: 'recipes/lab/results' },
    page: { type: 'string', default: 'docs/experiments.md' },
  },
})
const recipe = 'recipes/nano/rl.yaml'
const { rollouts } = parseRlConfig(await readFile(recipe, 'utf8'), recipe)
const { weights } = await loadModelFolder(coldStart.folder)
const parameters = [...weights.values()].reduce((sum, values) => sum + values.length, 0)

const results = await readResults(options.results)
await writePage(options.page, sections(results, { parameters, groups: rollouts.groups }))
const { training, lengths, memory } = results
process.stdout.write(
  `${options.page}: ${training.size} arms trained, ${lengths.size} measured over length, ${memory.size} over memory\n`,
)
