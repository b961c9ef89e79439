/** Supervised training from a configuration file: finds the prose, then runs the trainer. */
import { createFolderProse, createRandom, installedProse } from '@memagent/tasks'
import { lockOutput } from '../lock-output.ts'
import { readConfig } from '../yaml-config.ts'
import { parseSftConfig } from './config.ts'
import { type SftEvent, trainSft } from './trainer.ts'

/**
 * @throws ConfigurationError for an unreadable or invalid file, or when another process trains into the same folder; what
 *   `trainSft` throws
 */
export async function* trainSftFromConfig(
  path: string,
  options: {
    readonly signal?: AbortSignal | undefined
    /** Fields to set instead of what the file says: `optimizer.learningRate=1e-4`. */
    readonly settings?: readonly string[] | undefined
  } = {},
): AsyncGenerator<SftEvent> {
  const config = parseSftConfig(await readConfig(path, options.settings), path)
  const prose = config.prose.folder ? await createFolderProse(config.prose.folder) : await installedProse()
  const ends = [...prose.fileStarts.slice(1), prose.paragraphs.length]
  const texts = prose.fileStarts.map((start, file) => prose.paragraphs.slice(start, ends[file]).join(''))
  // In an order of its own, so that the part kept for evaluation is not the end of the alphabet.
  const shuffled = createRandom(config.seed, 'texts').shuffle(texts)
  const lock = await lockOutput(config.output)
  try {
    yield* trainSft({ config, texts: shuffled, signal: options.signal })
  } finally {
    await lock.release()
  }
}
