/** Supervised training from a configuration file: finds the prose, then runs the trainer. */
import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { createRandom, installedProse, proseFromFolder } from '@memagent/tasks'
import { parseSftConfig } from './config.ts'
import { type SftEvent, trainSupervised } from './trainer.ts'

/** @throws ConfigurationError for an unreadable or invalid file; what `trainSupervised` throws */
export async function* trainFromConfig(
  path: string,
  options: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<SftEvent> {
  let yaml: string
  try {
    yaml = await readFile(path, 'utf8')
  } catch (cause) {
    throw new ConfigurationError({
      code: 'train/no-config',
      message: `Cannot read the configuration ${path}.`,
      cause,
    })
  }
  const config = parseSftConfig(yaml, path)
  const prose = config.prose.folder ? await proseFromFolder(config.prose.folder) : await installedProse()
  const ends = [...prose.fileStarts.slice(1), prose.paragraphs.length]
  const texts = prose.fileStarts.map((start, file) => prose.paragraphs.slice(start, ends[file]).join(''))
  // In an order of its own, so that the part kept for evaluation is not the end of the alphabet.
  yield* trainSupervised({
    config,
    texts: createRandom(config.seed, 'texts').shuffle(texts),
    signal: options.signal,
  })
}
