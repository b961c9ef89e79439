import { expect, it } from 'vitest'
import type { CutChunk } from '../reading/chunk-source.ts'
import { ChunkStream } from './chunk-stream.ts'

const at = (ordinal: number) => ({ ordinal, characters: ordinal, textHash: String(ordinal) })

async function* chunks(count: number) {
  for (let i = 0; i < count; i++) {
    const chunk = { ordinal: i, text: 'x' } as unknown as CutChunk['chunk']
    yield { chunk, position: at(i + 1), remarks: [] } satisfies CutChunk
  }
}

it('goes on with a follower far ahead when the one behind has left', async () => {
  const request = { chunkTokens: 10, open: () => chunks(300), onEnd: () => undefined }
  const stream = new ChunkStream({ ...request, from: at(0) }, new AbortController().signal, false)
  const behind = stream.join(0, { ...request, from: at(0) })!
  const ahead = stream.join(1, { ...request, from: at(200) })!
  expect(await stream.at(behind)).toMatchObject({ chunk: { ordinal: 0 } })
  stream.remove(behind)
  expect(await stream.at(ahead)).toMatchObject({ chunk: { ordinal: 199 } })
})
