/**
 * The text tells several things of one kind about a subject, each in its own place, and all of them are wanted. For training:
 * a few values, scored by the share found. After RULER's multi-value needles (arXiv 2404.06654) with MemAgent's fractional
 * reward |found| / |wanted| (arXiv 2507.02259v1, eq. 7).
 */
import { collections } from './lists/list-kinds.ts'
import { listSample } from './lists/list-sample.ts'
import { defineProseTask } from './prose-task.ts'
import { count, counts, kindNames, kindOf, share } from './settings/task-options.ts'

export const severalValues = defineProseTask({
  name: 'several-values',
  description: 'A list of two to six values of one subject, each stated in another place.',
  options: {
    values: counts(2, 6)
      .default([2, 3, 4, 5, 6])
      .describe('Number of values in the answer, or a list of numbers to draw from.'),
    distractors: count(0).default(4).describe('Values of other subjects, half of which have a similar name.'),
    corrected: counts(0)
      .default(0)
      .describe(
        'How many of the values the text corrects later, so that the new ones are wanted: a number, or a list to draw from.',
      ),
    looseShare: share
      .default(0)
      .describe(
        'Share of the documents in which some or all words of the statements are replaced at random, so that training on a few wordings does not teach their words.',
      ),
    collections: kindNames(collections),
  },
  draw(draws) {
    const { asked, settings } = draws
    const values = asked.fork('values').pick([settings.values].flat())
    return listSample(draws, {
      kind: kindOf(asked.fork('collection').pick(settings.collections), collections()),
      told: asked.fork('facts'),
      further: asked,
      counts: { items: values, repeats: 0, lures: 0, distractors: settings.distractors },
      wanted: 'List all of them, separated by semicolons.',
      labels: { values },
      corrected: asked.fork('corrected-count').pick([settings.corrected].flat()),
      looseShare: settings.looseShare,
    })
  },
})
