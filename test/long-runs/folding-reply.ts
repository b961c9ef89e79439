/** A model whose memory depends on every chunk so far and on their order: a reading that lost or repeated one ends otherwise. */

export function foldingReply(prompt: string): string {
  const part = (name: string) => prompt.split(`<${name}>`)[1]?.split(`</${name}>`)[0]?.trim() ?? ''
  return prompt.includes('<section>') ? fold(part('memory'), part('section')) : `\\boxed{${part('memory')}}`
}

function fold(memory: string, section: string): string {
  let hash = 0x811c9dc5
  for (const sign of memory + section) hash = Math.imul(hash ^ sign.codePointAt(0)!, 0x01000193) >>> 0
  return `state ${hash.toString(16)}`
}
