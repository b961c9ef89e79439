/**
 * Variable tracking, after RULER's `variable_tracking.py` (arXiv 2404.06654): a chain of assignments in order, on lines among
 * noise; the answer is all variables that end up with the value.
 */
import { createRandom, type Random } from '../random.ts'
import { sampleId } from '../sample-id.ts'
import type { Sample, Task } from '../task.ts'
import type { VariableTrackingParameters } from './configurations.ts'
import { commonDeviations, noExample, outputLimit } from './deviations.ts'
import { drawDistinct } from './draw.ts'
import { noiseLine } from './noise.ts'
import { plantInLines } from './plant-in-lines.ts'
import { scoreRuler } from './string-match.ts'

const variableLength = 5
const beforeVariable = 'VAR '.length

interface Chain {
  readonly value: string
  /** In the order of assignment. */
  readonly variables: readonly string[]
}

export function createVariableTracking(name: string, parameters: VariableTrackingParameters): Task {
  return {
    name,
    deviations: [
      ...commonDeviations,
      outputLimit(30),
      noExample,
      'The prompt does not say how many variables there are; RULER’s answer prefix does.',
      'All variables differ; in RULER two may be alike.',
    ],
    async sample(request) {
      const { index, seed, lengthTokens, countTokens } = request
      const asked = createRandom(name, seed, index)
      const chains = drawChains(asked, parameters)
      const places = asked.fork('placed', lengthTokens)
      const planted = plantInLines({
        name: `${name}-${seed}-${index}`,
        haystack: function* () {
          for (;;) yield noiseLine
        },
        statements: chains.flatMap(statementsOf),
        place: (lineCount) =>
          chains.flatMap(({ variables }) =>
            drawDistinct(places, variables.length, lineCount).sort((a, b) => a - b),
          ),
        lengthTokens,
        countTokens,
      })
      const { value, variables } = chains[0]!
      const evidence = variables.map((variable, i) => {
        const startByte = planted.ranges[i]!.startByte + beforeVariable
        return { startByte, endByte: startByte + variable.length }
      })
      return {
        id: sampleId(name, request),
        question: `Find all variables that are assigned the value ${value} in the text.`,
        query: `variables that are assigned the value ${value}`,
        document: planted.document,
        references: variables,
        match: 'all',
        evidence,
        supportingFacts: planted.ranges.slice(0, variables.length),
        statements: planted.ranges,
        notes: variables.map((text, i) => ({ statement: planted.ranges[i]!, line: text, text })),
        // Except for the first, an assignment means nothing without the previous one.
        notesIn: () => [],
        labels: {
          kind: name,
          haystack: 'noise',
          present: true,
          hops: parameters.hops,
          depth: evidence[0]!.startByte / planted.sizeBytes,
        },
      } satisfies Sample
    },
    score: scoreRuler,
  }
}

/** All variables and all values are distinct. */
function drawChains(random: Random, { chains, hops }: VariableTrackingParameters): Chain[] {
  const taken = new Set<string>()
  const draw = (source: () => string): string => {
    for (;;) {
      const text = source()
      if (!taken.has(text)) {
        taken.add(text)
        return text
      }
    }
  }
  return Array.from({ length: chains }, () => ({
    value: draw(() => String(random.between(10_000, 99_998))),
    variables: Array.from({ length: hops + 1 }, () =>
      draw(() => String.fromCharCode(...Array.from({ length: variableLength }, () => 65 + random.int(26)))),
    ),
  }))
}

/** RULER has a space at the end of every assignment but the first. */
const statementsOf = ({ value, variables }: Chain): string[] =>
  variables.map((variable, i) =>
    i === 0 ? `VAR ${variable} = ${value}` : `VAR ${variable} = VAR ${variables[i - 1]!} `,
  )
