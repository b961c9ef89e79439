/**
 * Other words: the text tells the answer in words that the question lacks, so a search for the question's words finds only
 * lures, which share them and answer nothing. After NoLiMa (arXiv 2502.05167), with questions that need no world knowledge
 * beyond the language. The question names nobody, so the surrounding prose must not tell of such things.
 */
import { z } from 'zod'
import { drawApart } from './apart-draws.ts'
import { lazy, loadData } from './data/load-data.ts'
import { fillers, fillTemplate } from './facts/fill.ts'
import { type Template, templates } from './facts/kind.ts'
import { absentShare, defineProseTask } from './prose-task.ts'
import { count, kindNames, kindOf } from './settings/task-options.ts'
import { questionsFor, templatesOf } from './templates.ts'

const topic = z.strictObject({
  value: z.enum(['person', 'town', 'firm']),
  statements: templates,
  questions: templates,
  lures: templates,
  /** Topics whose statements might be taken for an answer. */
  apartFrom: z.array(z.string()).default([]),
})

export const topics = lazy(() =>
  loadData(
    'other-words.yaml',
    z
      .record(z.string(), topic)
      .transform((rows) => Object.entries(rows).map(([name, row]) => ({ name, ...row }))),
  ),
)

export const otherWords = defineProseTask({
  name: 'other-words',
  description: 'A fact that the text states in other words than the question.',
  options: {
    topics: kindNames(topics),
    lures: count(0).default(2).describe('Sentences that share words with the question and do not answer it.'),
    distractors: count(0).default(4).describe('Statements on other topics.'),
    absentShare: absentShare(0.1, 'that say nothing on the topic'),
  },
  draw({ asked, placed, settings, templates, isPresent }) {
    const { split } = settings
    const topic = kindOf(asked.fork('topic').pick(settings.topics), topics())
    const random = asked.fork('told')
    const apart = drawApart(split)
    const state = (list: readonly Template[], choice: typeof templates | 'any') => {
      const { text: template } = random.pick(templatesOf(list, choice))
      const { text: value } = apart.take(random, (from) => ({ text: fillers[topic.value]!(from) }))
      const { text: statement, valueStart } = fillTemplate(template, { random, split, subject: '', value })
      return { statement, value, valueStart, template }
    }
    const answer = state(topic.statements, templates)
    const lures = Array.from({ length: settings.lures }, () => state(topic.lures, questionsFor(templates)))
    const others = topics().filter(
      ({ name, value }) => name !== topic.name && value === topic.value && !topic.apartFrom.includes(name),
    )
    const distractors = Array.from({ length: settings.distractors }, () =>
      state(random.pick(others).statements, templates),
    )
    const { text, heldOut } = asked
      .fork('question')
      .pick(templatesOf(topic.questions, questionsFor(templates)))
    const depths = placed.fork('depths')
    return {
      question: { text, template: text, heldOut },
      statements: [...(isPresent ? [answer] : []), ...lures, ...distractors].map((statement) => ({
        ...statement,
        depth: depths.next(),
      })),
      answers: isPresent ? [0] : [],
      labels: { kind: topic.name, template: answer.template, decoys: lures.length + distractors.length },
    }
  },
})
