/** The options of `memagent serve` other than those of its readings. */
import type { Command } from 'commander'
import type { StoreFlags } from '../run-store/store-option.ts'
import type { CacheFlags } from './cache-option.ts'
import type { PriceFlags } from './limit-options.ts'
import { integer, port, type ReadingFlags } from './reading-options.ts'
import { type LogForm, logOption } from './serve-log.ts'

export interface ServeFlags extends ReadingFlags, StoreFlags, CacheFlags, PriceFlags {
  readonly address?: string
  readonly port?: number
  readonly name?: string
  readonly host?: readonly string[]
  readonly origin?: readonly string[]
  readonly readings?: number
  readonly log?: LogForm
  readonly mostFileBytes?: number
  readonly reports?: string
  readonly demo?: boolean
}

/** Add these after `--store`: alone, `--no-store` would make `store` true by default. */
export const addServerOptions = (command: Command): Command =>
  command
    .option('--address <address>', 'where to listen (default: 127.0.0.1, for this machine alone)')
    .option('--port <n>', 'port to listen on; 0: any that is free (default: 8642)', port('--port'))
    .option('--name <name>', "what clients call the model (default: the model's own name)")
    .option('--host <name...>', 'other names that clients reach this server by')
    .option('--origin <origin...>', 'pages that may call the server, such as https://app.example')
    .option('--readings <n>', 'readings at a time; others wait in line (default: 4)', integer('--readings'))
    .option(
      '--most-file-bytes <n>',
      'largest file that can be uploaded (default: 1 GiB)',
      integer('--most-file-bytes'),
    )
    .option('--reports <folder>', 'recorded benchmarks and trainings that the page shows (default: none)')
    .addOption(logOption())
    .option('--no-store', 'keep nothing: no runs, no files')
