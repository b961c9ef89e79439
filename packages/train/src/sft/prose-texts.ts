import { createFolderProse, createRandom, installedProse } from '@memagent/tasks'
import type { SftConfig } from './config.ts'

/** The prose files, shuffled so that the part kept for evaluation is not the end of the alphabet. */
export async function textsOf({ prose: { folder }, seed }: SftConfig): Promise<readonly string[]> {
  const { fileStarts, paragraphs } = folder ? await createFolderProse(folder) : await installedProse()
  const ends = [...fileStarts.slice(1), paragraphs.length]
  const texts = fileStarts.map((start, file) => paragraphs.slice(start, ends[file]).join(''))
  return createRandom(seed, 'texts').shuffle(texts)
}
