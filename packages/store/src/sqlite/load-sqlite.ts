/** Loads SQLite, which is built into Node from 22.13 on. */
import { StoreError } from '../errors.ts'

/** @throws StoreError `store/no-sqlite` on an older Node */
export async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  const { emitWarning } = process
  // Node 22 prints an ExperimentalWarning for it.
  process.emitWarning = () => undefined
  try {
    return await import('node:sqlite')
  } catch (cause) {
    throw new StoreError({
      code: 'store/no-sqlite',
      message: `Node ${process.versions.node} has no SQLite, so runs cannot be kept in a file.`,
      hint: 'Use Node 22.13 or newer, for instance with: npx -p node@24 -p memagent memagent',
      cause,
    })
  } finally {
    process.emitWarning = emitWarning
  }
}
