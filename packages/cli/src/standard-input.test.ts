/** Standard input of a real process, as a file, a pipe, nothing, and a pipe that never says anything. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const folder = temporaryFolder(beforeAll, afterAll)
// All pieces differ, so that one overwritten too early is noticed.
const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, i) => `${i} the tide came in\n`).join(''))
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const module = JSON.stringify(join(import.meta.dirname, 'standard-input.ts'))
const hashing = `import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
const { standardInput } = await import(${module})
const hash = createHash('sha256')
for await (const piece of standardInput()) { await setImmediate(); hash.update(piece) }
console.log(hash.digest('hex'))`

async function outputOf(
  script: string,
  stdin: 'pipe' | 'ignore' | number,
  content?: readonly Uint8Array[],
): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: [stdin, 'pipe', 'inherit'],
  })
  for (const piece of content ?? []) child.stdin!.write(piece)
  if (content) child.stdin!.end()
  let output = ''
  for await (const piece of child.stdout!) output += piece
  child.stdin?.destroy()
  return output.trim()
}

it('gives all of its bytes, whatever it is', async () => {
  const path = folder.join('input.txt')
  writeFileSync(path, bytes)
  const none = sha256(Buffer.alloc(0))
  expect(await outputOf(hashing, openSync(path, 'r'))).toBe(sha256(bytes))
  const pieces = [bytes.subarray(0, 5), bytes.subarray(5, 200_000), bytes.subarray(200_000)]
  expect(await outputOf(hashing, 'pipe', pieces)).toBe(sha256(bytes))
  expect(await outputOf(hashing, 'pipe', [])).toBe(none)
  expect(await outputOf(hashing, 'ignore')).toBe(none)
})

it('of a folder is an error, not an empty text', async () => {
  const script = `const { standardInput } = await import(${module})
try { for await (const _ of standardInput()); console.log('empty') } catch (error) { console.log(error.code) }`
  expect(await outputOf(script, openSync(folder.path, 'r'))).toBe('EISDIR')
})

it('ends when it is destroyed, although nothing comes', async () => {
  const script = `const { standardInput } = await import(${module})
const input = standardInput()
setTimeout(() => input.destroy(), 50)
for await (const _ of input);
console.log('ended')`
  expect(await outputOf(script, 'pipe')).toBe('ended')
})
