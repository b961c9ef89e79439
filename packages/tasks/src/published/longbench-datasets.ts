/**
 * The English datasets of LongBench (Bai et al., arXiv 2308.14508), with the metric that it gives each of them and what is
 * asked, in our words: LongBench's own instructions stand around the text. Not here: Chinese ones and completion of code.
 */

export type LongBenchMetric = 'f1' | 'rouge_l' | 'classification' | 'retrieval' | 'count'

export interface LongBenchDataset {
  readonly metric: LongBenchMetric
  /** Only the first line of the answer counts: what follows the text are further examples. */
  readonly isFirstLine?: boolean
  /** The answer where the text does not say it, as this dataset words it. */
  readonly unanswerable?: string
  /** Every row asks the same: its `input` is empty. */
  readonly hasNoInput?: boolean
  /** What is asked, with the row's `input`. */
  ask(input: string): string
}

const briefly = 'Give the answer alone, without any other words.'
const brief: LongBenchDataset = { metric: 'f1', ask: (input) => `${input}\n${briefly}` }

export const longBenchDatasets = {
  narrativeqa: {
    metric: 'f1',
    ask: (input) => `${input}\nAnswer as briefly as you can, with a single phrase if possible.`,
  },
  qasper: {
    metric: 'f1',
    unanswerable: 'unanswerable',
    ask: (input) =>
      `${input}\nAnswer as briefly as you can. Answer a yes/no question with "yes" or "no", and a question that the text does not answer with "unanswerable".`,
  },
  multifieldqa_en: brief,
  hotpotqa: brief,
  '2wikimqa': brief,
  musique: brief,
  gov_report: { metric: 'rouge_l', hasNoInput: true, ask: () => 'Summarize the report on one page.' },
  qmsum: { metric: 'rouge_l', ask: (input) => `${input}\nAnswer with one or more sentences.` },
  multi_news: { metric: 'rouge_l', hasNoInput: true, ask: () => 'Summarize all of the news on one page.' },
  trec: {
    metric: 'classification',
    isFirstLine: true,
    ask: (input) => `What type does this question have? The text gives examples.\n${input}`,
  },
  triviaqa: {
    metric: 'f1',
    isFirstLine: true,
    ask: (input) => `${input}\n${briefly} The text gives examples.`,
  },
  samsum: {
    metric: 'rouge_l',
    isFirstLine: true,
    ask: (input) => `Summarize this dialogue in a few short sentences. The text gives examples.\n${input}`,
  },
  passage_count: {
    metric: 'count',
    hasNoInput: true,
    ask: () => 'How many different paragraphs are there, not counting repetitions? Give the number alone.',
  },
  passage_retrieval_en: {
    metric: 'retrieval',
    ask: (input) =>
      `Which paragraph of the text does this abstract belong to? Answer like "Paragraph 1".\n${input}`,
  },
} as const satisfies Readonly<Record<string, LongBenchDataset>>

export type LongBenchDatasetName = keyof typeof longBenchDatasets
