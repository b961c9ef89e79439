/** The options of `ask` and `notes`. */
import type { Command } from 'commander'
import { addConfiguration } from '../configuration/apply.ts'
import type { QuestionsFlags } from '../questions/questions-option.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import type { Terminal } from '../terminal.ts'
import { addCacheOption, type CacheFlags } from './cache-option.ts'
import { addLimitOptions, type LimitFlags } from './limit-options.ts'
import { addTextOptions, type TextFlags } from './open-text.ts'
import { addReadingOptions, type ReadingFlags } from './reading-options.ts'
import { addSearchOptions, type SearchFlags } from './search-options.ts'
import { addSourcesOptions, type SourcesFlags } from './sources-option.ts'

export interface AskFlags
  extends ReadingFlags,
    LimitFlags,
    SearchFlags,
    SourcesFlags,
    TextFlags,
    StoreFlags,
    QuestionsFlags,
    CacheFlags {
  readonly checkpoint?: string
  readonly follow?: boolean
  readonly pause?: number
  readonly allowEmpty?: boolean
  readonly json?: boolean
  readonly events?: boolean
  readonly quiet?: boolean
  readonly color: boolean
}

export const addAskOptions = (command: Command, terminal: Terminal): Command =>
  addTextOptions(
    addCacheOption(
      addStoreOption(
        addConfiguration(
          addSourcesOptions(addLimitOptions(addSearchOptions(addReadingOptions(command)))),
          terminal,
        ),
      ),
    ),
    'texts, read in order: files, folders, archives; "-" or none: standard input',
  )
    .option('--no-store', 'do not keep the run')
    .option(
      '--checkpoint <file>',
      'keep the run in this file instead of the store, and resume from it if it exists',
    )
    .option('--allow-empty', 'accept an empty text instead of treating it as a mistake')
    .option('--json', 'print one JSON document instead of plain text')
    .option('--events', 'print every event as a JSON line')
    .option('--quiet', 'no progress')
    .option('--no-color', 'no colours')
