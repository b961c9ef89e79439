import { setTimeout } from 'node:timers/promises'
import type { TextPiece } from '@memagent/core'
import { expect, it } from 'vitest'
import { withPauses } from './pauses.ts'

const piece = (text: string): TextPiece => ({ text, source: 's', offsetBytes: 0, lengthBytes: text.length })

/** Resolves when so many pauses have been seen, however long that takes. */
class SeenPauses {
  #count = 0
  readonly #awaited = new Map<number, () => void>()

  see() {
    this.#awaited.get(++this.#count)?.()
  }

  reach(count: number): Promise<void> {
    return new Promise((resolve) => this.#awaited.set(count, resolve))
  }
}

it('marks a pause after words, once, and none after white space alone', async () => {
  const pauses = new SeenPauses()
  const source = async function* () {
    yield piece('\n')
    await setTimeout(120)
    yield piece('a\n')
    yield piece('b\n')
    await pauses.reach(1)
    await setTimeout(120)
    yield piece('c')
  }
  const seen: string[] = []
  for await (const { text, isPause } of withPauses(source(), 40)) {
    seen.push(isPause ? '-' : text)
    if (isPause) pauses.see()
  }
  expect(seen).toEqual(['\n', 'a\n', 'b\n', '-', 'c'])
})

it('holds back a line that has no end yet, until it has one, or for ten pauses', async () => {
  const pauses = new SeenPauses()
  const source = async function* () {
    yield { ...piece('ä\nthe code is 1111'), lengthBytes: 19 }
    await pauses.reach(1)
    yield { ...piece('2\nno end'), offsetBytes: 19 }
    await pauses.reach(3)
    yield { ...piece('x'), offsetBytes: 27 }
  }
  const seen: [string, number, number][] = []
  for await (const { text, isPause, offsetBytes, lengthBytes } of withPauses(source(), 30)) {
    seen.push([isPause ? '-' : text, offsetBytes, lengthBytes])
    if (isPause) pauses.see()
  }
  expect(seen).toEqual([
    ['ä\n', 0, 3],
    ['-', 3, 0],
    ['the code is 1111', 3, 16],
    ['2\n', 19, 2],
    ['-', 21, 0],
    ['no end', 21, 6],
    ['-', 27, 0],
    ['x', 27, 1],
  ])
})

it('waits for a pause that is longer than a timer can be set for', async () => {
  const source = async function* () {
    yield piece('a')
    await setTimeout(50)
    yield piece('b')
  }
  for await (const { isPause } of withPauses(source(), 3e9)) expect(isPause).toBeUndefined()
})

it('passes on what its source throws, and closes a source that waits', async () => {
  const failing = async function* () {
    yield piece('a')
    throw new Error('gone')
  }
  const all = async () => {
    for await (const _ of withPauses(failing(), 40));
  }
  await expect(all()).rejects.toThrow('gone')
  const silent = async function* () {
    yield piece('a')
    await new Promise(() => undefined)
  }
  for await (const { isPause } of withPauses(silent(), 10)) if (isPause) break
})
