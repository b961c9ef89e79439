import type { BenchRecord } from '../../record.ts'
import { count } from '../numbers.ts'

/** The lengths of documents, ascending, each once. */
export const lengthsOf = (items: readonly { readonly lengthTokens: number }[]): number[] =>
  [...new Set(items.map(({ lengthTokens }) => lengthTokens))].sort((a, b) => a - b)

/** Whether the document kept its own length, so that `lengthTokens` is only a name. */
export const keepsLength = ({ keepsLength: isSaid = false }: Pick<BenchRecord, 'keepsLength'>): boolean =>
  isSaid

export const lengthTitle = (lengthTokens: number, keepsLength: boolean): string =>
  keepsLength ? 'own length' : `${count(lengthTokens)} tokens`
