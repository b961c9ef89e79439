/** `--store`; `open-store.ts` opens what it names. */
import type { Command } from 'commander'

export interface StoreFlags {
  /** False: keep nothing. */
  readonly store?: string | false
}

export const addStoreOption = (command: Command): Command =>
  command.option(
    '--store <path>',
    'the store of runs: a file, or postgres://USER@HOST/DATABASE (default: MEMAGENT_STORE, then that of the configuration file, otherwise runs.sqlite in your data folder)',
  )
