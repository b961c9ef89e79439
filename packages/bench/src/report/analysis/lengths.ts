import type { BenchRecord } from '../../record.ts'
import { count } from '../numbers.ts'

/** The lengths of documents, ascending, each once. */
export const lengthsOf = (items: readonly { readonly lengthTokens: number }[]): number[] =>
  [...new Set(items.map(({ lengthTokens }) => lengthTokens))].sort((a, b) => a - b)

/** Whether the document kept its own length, so that `lengthTokens` is only a name. */
export const keepsLength = ({
  keepsLength: isSaid,
  labels: { ownLength, row, line, epoch },
  taskOptions,
}: Pick<BenchRecord, 'keepsLength' | 'labels' | 'taskOptions'>): boolean => {
  if (isSaid !== undefined || epoch === undefined) return isSaid ?? false
  // Old lines do not say; infer it from the labels of tasks that read rows of files.
  return row === undefined ? line !== undefined && taskOptions.pad !== true : ownLength === true
}

export const lengthTitle = (lengthTokens: number, keepsLength: boolean): string =>
  keepsLength ? 'own length' : `${count(lengthTokens)} tokens`
