/** The options of `ask` and `notes`. */
import type { Command } from 'commander'
import { addConfiguration } from '../configuration/apply.ts'
import type { QuestionsFlags } from '../questions/questions-option.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import type { Terminal } from '../terminal.ts'
import { addCacheOption, type CacheFlags } from './cache-option.ts'
import { addLimitOptions, type LimitFlags } from './limit-options.ts'
import { addTextOptions, type TextFlags } from './open-text.ts'
import { addOutputOptions, addReadingOptions, type ReadingFlags, type ShownFlags } from './reading-options.ts'
import { addSearchOptions, type SearchFlags } from './search-options.ts'
import { addSourcesOptions, type SourcesFlags } from './sources-option.ts'

export interface AskFlags
  extends ReadingFlags,
    LimitFlags,
    SearchFlags,
    SourcesFlags,
    TextFlags,
    StoreFlags,
    ShownFlags,
    QuestionsFlags,
    CacheFlags {
  readonly checkpoint?: string
  readonly follow?: boolean
  readonly pause?: number
  readonly allowEmpty?: boolean
}

export function addAskOptions(command: Command, terminal: Terminal): Command {
  const shown = addOutputOptions(addSourcesOptions(command)).option(
    '--allow-empty',
    'accept an empty text instead of treating it as a mistake',
  )
  const kept = addStoreOption(shown)
    .option('--no-store', 'do not keep the run')
    .option(
      '--checkpoint <file>',
      'keep the run in this file instead of the store, and resume from it if it exists',
    )
  const reading = addReadingOptions(addConfiguration(addCacheOption(kept), terminal))
  return addTextOptions(
    addLimitOptions(addSearchOptions(reading)),
    'texts, read in order: files, folders, archives; "-" or none: standard input',
  )
}
