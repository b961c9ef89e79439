/** The published lengths of RULER-HQA's texts (MemAgent, arXiv 2507.02259). */

/** Documents of a text, the paper's name for its length, and its mean number of tokens by Qwen2.5's tokenizer. */
export interface PublishedSize {
  readonly documents: number
  readonly name: string
  readonly tokens: number
}

export const rulerHqaSizes: readonly PublishedSize[] = [
  { documents: 50, name: '7K', tokens: 7_000 },
  { documents: 100, name: '14K', tokens: 14_000 },
  { documents: 200, name: '28K', tokens: 28_100 },
  { documents: 400, name: '56K', tokens: 56_200 },
  { documents: 800, name: '112K', tokens: 112_200 },
  { documents: 1600, name: '224K', tokens: 225_300 },
  { documents: 3200, name: '448K', tokens: 451_400 },
  { documents: 6400, name: '896K', tokens: 903_100 },
  { documents: 12_800, name: '1.75M', tokens: 1_750_000 },
  { documents: 25_600, name: '3.5M', tokens: 3_500_000 },
]

/** Number of documents at the published length nearest, by ratio, to the requested one. */
export function publishedDocuments(lengthTokens: number): number {
  const distance = ({ tokens }: PublishedSize): number => Math.abs(Math.log(lengthTokens / tokens))
  return rulerHqaSizes.reduce((best, size) => (distance(size) < distance(best) ? size : best)).documents
}
