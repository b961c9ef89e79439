/**
 * Wants everything that the text mentions about a subject. For evaluation: its relations do not occur in training. The
 * question does not say how many there are; some are told twice, and lures only look like one. Scored by precision and
 * recall.
 */
import { mentionRelations } from './lists/list-kinds.ts'
import { listSample } from './lists/list-sample.ts'
import { defineProseTask } from './prose-task.ts'
import { count, counts, kindNames, kindOf } from './settings/task-options.ts'
import { scoreItems } from './verifiers/listed-items.ts'
import { scoreAnswer } from './verifiers/score.ts'

/** Metrics: `precision`, `recall` and `f1` of the listed items, `strict` and `lenient`. */
export const allMentions = defineProseTask({
  name: 'all-mentions',
  description:
    'Everything the text mentions about one subject, in many places, some of it twice, among lures.',
  options: {
    mentions: counts(1).default([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]).meta({
      description: 'Items to find: a number, or a list to draw from.',
      defaultIs: '2 to 12',
    }),
    repeats: count(0).default(2).describe('The most items that are mentioned a second time.'),
    lures: count(0).default(4).describe('Sentences about the same subject that are not part of the answer.'),
    distractors: count(0).default(6).describe('Least number of mentions of other subjects.'),
    decoysPer200k: count(0)
      .default(8)
      .describe('Mentions of other subjects per 200,000 tokens, if that gives more than `distractors`.'),
    relations: kindNames(mentionRelations),
  },
  draw(draws) {
    const { asked, settings, request } = draws
    const counts = {
      items: asked.fork('count').pick([settings.mentions].flat()),
      repeats: settings.repeats,
      lures: settings.lures,
      distractors: Math.max(
        settings.distractors,
        Math.ceil((settings.decoysPer200k * request.lengthTokens) / 200_000),
      ),
    }
    const told = asked.fork('drawn')
    const drawn = listSample(draws, {
      kind: kindOf(asked.fork('relation').pick(settings.relations), mentionRelations()),
      told: told.fork('mentions'),
      further: told,
      counts,
      wanted: 'List every one that the text mentions, separated by semicolons.',
      labels: { mentions: counts.items, lures: counts.lures },
    })
    const repeats = Math.min(counts.items, counts.repeats)
    return { ...drawn, supporting: counts.items + repeats, labels: { ...drawn.labels, repeats } }
  },
  score: (sample, answer) => ({
    ...scoreItems(answer ?? '', sample.references),
    ...scoreAnswer(sample, answer),
  }),
})
