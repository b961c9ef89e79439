/**
 * RULER's thirteen tasks with the parameters of its `synthetic.yaml` (Hsieh et al., arXiv 2404.06654; NVIDIA/RULER). Where
 * that file is silent, these are the defaults of RULER's generators.
 */

/** Types of keys and values: adjective-noun, seven digits, or version 4 UUIDs. */
export type NeedleType = 'words' | 'numbers' | 'uuids'

export interface NiahParameters {
  readonly haystack: 'noise' | 'essay' | 'needle'
  /** `type_needle_k` and `type_needle_v`. */
  readonly keyType: NeedleType
  readonly valueType: NeedleType
  /** `num_needle_k`: keys with needles; at least as many as are asked for. */
  readonly keys: number
  /** `num_needle_v`. */
  readonly valuesPerKey: number
  /** `num_needle_q`: keys asked for. */
  readonly queries: number
}

export interface VariableTrackingParameters {
  /** `num_chains` and `num_hops`. */
  readonly chains: number
  readonly hops: number
}

export interface CommonWordsParameters {
  /** `num_cw`: words asked for. */
  readonly commonWords: number
  /** `freq_cw` and `freq_ucw`: how often common and other words occur in the list. */
  readonly commonRepeats: number
  readonly otherRepeats: number
}

export interface FrequentWordsParameters {
  /** Exponent of the zeta distribution of the frequencies. */
  readonly alpha: number
  /** `coded_wordlen`: letters of a word. */
  readonly wordLength: number
}

export interface QuestionAnsweringParameters {
  readonly dataset: 'squad' | 'hotpotqa'
}

export type RulerConfiguration =
  | ({ readonly family: 'niah' } & NiahParameters)
  | ({ readonly family: 'variable-tracking' } & VariableTrackingParameters)
  | ({ readonly family: 'common-words' } & CommonWordsParameters)
  | ({ readonly family: 'frequent-words' } & FrequentWordsParameters)
  | ({ readonly family: 'question-answering' } & QuestionAnsweringParameters)

const niah = {
  family: 'niah',
  haystack: 'essay',
  keyType: 'words',
  valueType: 'numbers',
  keys: 1,
  valuesPerKey: 1,
  queries: 1,
} as const

/** By our names; RULER's are in the comments. */
export const rulerConfigurations = {
  'niah-single-1': { ...niah, haystack: 'noise' }, // niah_single_1
  'niah-single-2': niah, // niah_single_2
  'niah-single-3': { ...niah, valueType: 'uuids' }, // niah_single_3
  'niah-multikey-1': { ...niah, keys: 4 }, // niah_multikey_1
  'niah-multikey-2': { ...niah, haystack: 'needle' }, // niah_multikey_2
  'niah-multikey-3': { ...niah, haystack: 'needle', keyType: 'uuids', valueType: 'uuids' }, // niah_multikey_3
  'niah-multivalue': { ...niah, valuesPerKey: 4 }, // niah_multivalue
  'niah-multiquery': { ...niah, queries: 4 }, // niah_multiquery
  'variable-tracking': { family: 'variable-tracking', chains: 1, hops: 4 }, // vt
  'common-words': { family: 'common-words', commonWords: 10, commonRepeats: 30, otherRepeats: 3 }, // cwe
  'frequent-words': { family: 'frequent-words', alpha: 2, wordLength: 6 }, // fwe
  'qa-squad': { family: 'question-answering', dataset: 'squad' }, // qa_1
  'qa-hotpotqa': { family: 'question-answering', dataset: 'hotpotqa' }, // qa_2
} as const satisfies Record<string, RulerConfiguration>

export type RulerTaskName = keyof typeof rulerConfigurations
