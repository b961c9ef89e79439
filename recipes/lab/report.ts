/**
 * Writes the experiments' tables into docs/experiments.md, between its two marks, and the plots into docs/plots, from the
 * recorded lines alone. Sections whose lines are not there say so.
 *   npm run lab:report
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { parameterShapes } from '@memagent/engine'
import { parseRlConfig, parseSftConfig } from '@memagent/train'
import { sections, writePage } from './report/page.ts'
import { readResults } from './report/results.ts'

const { values: options } = parseArgs({
  options: {
    results: { type: 'string', default: 'recipes/lab/results' },
    page: { type: 'string', default: 'docs/experiments.md' },
  },
})
const load = async <T>(parse: (text: string, name: string) => T, path: string) =>
  parse(await readFile(path, 'utf8'), path)
const { model } = await load(parseSftConfig, 'recipes/lab/sft.yaml')
const { rollouts } = await load(parseRlConfig, 'recipes/lab/rl.yaml')
const parameters = [...parameterShapes({ ...model, rmsNormEpsilon: 1e-5 }).values()]
  .map((shape) => shape.reduce((product, size) => product * size, 1))
  .reduce((sum, size) => sum + size, 0)

const results = await readResults(options.results)
await writePage(options.page, sections(results, { parameters, groups: rollouts.groups }))
const { training, lengths, memory } = results
process.stdout.write(
  `${options.page}: ${training.size} arms trained, ${lengths.size} measured over length, ${memory.size} over memory\n`,
)
