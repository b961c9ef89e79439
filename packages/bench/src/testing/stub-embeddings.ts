/** An embeddings endpoint in this process: a text's vector is a hashed count of its words. */
import { hashText } from '@memagent/tasks'
import { estimateTokenizer } from './rehearsal.ts'

const places = 64

export function vectorOf(text: string): number[] {
  const vector = Array.from({ length: places }, () => 0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) vector[hashText(word) % places]!++
  return vector
}

/** For the `fetch` option of methods. */
export const embeddingsFetch: typeof fetch = async (_, init) => {
  const { input } = JSON.parse(init?.body as string) as { readonly input: readonly string[] }
  return Response.json({
    data: input.map((text, index) => ({ index, embedding: vectorOf(text) })),
    usage: { prompt_tokens: input.reduce((sum, text) => sum + (estimateTokenizer.count(text) as number), 0) },
  })
}
