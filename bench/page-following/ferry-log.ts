/** A log of millions of tokens, and a model's server that rewrites its notes with every part of it. */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { createEstimateTokenizer } from '@memagent/core'
import { createStubServer, type StubServer } from '@memagent/core/testing'

const sentence = (day: number): string =>
  `On day ${day} the ferry Elin brought ${(day * 37) % 211} passengers and ${(day * 13) % 97} crates, and the wind came from the ${['north', 'east', 'south', 'west'][day % 4]}.`

/** @returns the estimated number of tokens */
export async function writeFerryLog(path: string, leastTokens: number): Promise<number> {
  const tokenizer = createEstimateTokenizer()
  const file = createWriteStream(path)
  let tokens = 0
  for (let day = 0; tokens < leastTokens; ) {
    const part = Array.from({ length: 100 }, () => sentence(day++)).join('\n')
    tokens += Number(tokenizer.count(part))
    if (!file.write(`${part}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
  return tokens
}

/** Its notes are the first sentences of the last six parts: every step changes them. */
export const ferryNotes = (): Promise<StubServer> =>
  createStubServer({
    isRecording: false,
    respond: ({ messages }) => {
      const prompt = messages.at(-1)!.content
      const section = /<section>\s*([\s\S]*?)\s*<\/section>/.exec(prompt)?.[1]
      if (section === undefined) return '\\boxed{The ferry Elin}'
      const memory = /<memory>\s*([\s\S]*?)\s*<\/memory>/.exec(prompt)?.[1] ?? ''
      const known = memory.split('\n').filter((line) => line.startsWith('On day'))
      const first = /On day [^\n]*/.exec(section)?.[0] ?? ''
      return [first, ...known].slice(0, 6).join('\n')
    },
  })
