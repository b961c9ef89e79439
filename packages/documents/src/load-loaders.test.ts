import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadLoaders } from './load-loaders.ts'
import { openBytes } from './open-bytes.ts'
import { openDocuments } from './open-documents.ts'
import { loaders } from './registry.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let written = 0
async function moduleOf(text: string): Promise<string> {
  const path = folder.join(`loader-${++written}.mjs`)
  await writeFile(path, text)
  return path
}

/** A class, since a loader may be one. */
const shouting = (body = 'yield { text: Buffer.from(bytes).toString().toUpperCase() }') => `
class Shouting {
  #ending = '.shout'
  name = 'shouting'
  version = 1
  claims({ fileName }) { return fileName.endsWith(this.#ending) }
  async *load(source) { for await (const bytes of source.stream()) { ${body} } }
}
export default new Shouting()`

async function textOf(path: string, name = 'a.shout'): Promise<string> {
  const own = await loadLoaders([path])
  let text = ''
  const document = openBytes(Buffer.from('dawn\n'), name, { loaders: [...own, ...loaders] })
  for await (const piece of document.open()) text += piece.text
  return text
}

it('reads what it claims; the rest is read as before', async () => {
  const path = await moduleOf(shouting())
  expect(await textOf(path)).toBe('DAWN\n')
  expect(await textOf(path, 'a.txt')).toBe('dawn\n')
})

it('is another loader once its code has changed', async () => {
  const paths = [await moduleOf(shouting()), await moduleOf(`${shouting()} // changed`)]
  await writeFile(folder.join('b.shout'), 'dawn')
  const fingerprints = paths.map(async (path) => {
    const own = await loadLoaders([path])
    const document = await openDocuments([folder.join('b.shout')], { loaders: [...own, ...loaders] })
    return document.fingerprint!()
  })
  const [one, other] = await Promise.all(fingerprints)
  expect(one).not.toBe(other)
})

it.each([
  ['nothing', '', 'there is none'],
  ['something else', 'export default 7', 'an object is wanted'],
  [
    'an object that lacks everything',
    'export default { name: "My Loader", version: "1", kinds: "sqlite", claims: 1 }',
    /name: .*\n {2}version: .*\n {2}kinds: .*\n {2}claims: .*\n {2}load: /,
  ],
  [
    'one that would read nothing',
    'export default { name: "mine", version: 1, load() {} }',
    'it would read nothing',
  ],
  [
    'kinds that are not recognized',
    'export default { name: "mine", version: 1, kinds: ["sqlit", "pdf"], async *load() {} }',
    /kinds: there is no sqlit; recognized are 7z, .*, sqlite, /,
  ],
  ['a name that is taken', shouting().replace("'shouting'", "'pdf'"), 'another loader named pdf'],
  ['a module that throws', 'throw new Error("no licence")', 'it cannot be loaded: no licence (line 1)'],
])('refuses %s, with the reason', async (_, source, message) => {
  const path = await moduleOf(source)
  await expect(loadLoaders([path])).rejects.toMatchObject({
    code: 'document/bad-module',
    message: expect.stringMatching(message instanceof RegExp ? message : new RegExp(escaped(message))),
  })
})
const escaped = (text: string) => text.replaceAll(/[()]/g, '\\$&')

it('refuses one of a name twice, and a file that is not there', async () => {
  const path = await moduleOf(shouting())
  await expect(loadLoaders([path, path])).rejects.toThrow('another loader named shouting')
  await expect(loadLoaders(['./nowhere.mjs'])).rejects.toThrow('there is no such file')
})

it.each([
  ['throws', 'throw new RangeError("bad frame")', 'bad frame'],
  ['gives no text', 'yield { text: 7 }', 'it gave something without a text'],
  ['gives nothing at all', 'yield undefined', 'it gave something without a text'],
])('names the source when a loader %s', async (_, body, reason) => {
  await expect(textOf(await moduleOf(shouting(body)))).rejects.toMatchObject({
    code: 'document/loader-failed',
    message: `a.shout cannot be read, since the loader shouting failed: ${reason}.`,
  })
})

it.each([
  ['throws', 'throw new RangeError("no frame")', 'no frame'],
  [
    'is asynchronous',
    'return Promise.reject(new Error("later"))',
    'claims gave a promise, not true or false',
  ],
])('names the source when claims %s', async (_, body, reason) => {
  const path = await moduleOf(shouting().replace('return fileName.endsWith(this.#ending)', body))
  await expect(textOf(path, 'Notes/A.txt')).rejects.toMatchObject({
    code: 'document/loader-failed',
    message: `Notes/A.txt cannot be read, since the loader shouting failed: ${reason}.`,
  })
})

it('keeps a position that was told before its text', async () => {
  const path = await moduleOf(shouting(`yield { text: '', position: { page: 7 } }; yield { text: 'seven' }`))
  const own = await loadLoaders([path])
  const document = openBytes(Buffer.from('x'), 'a.shout', { loaders: [...own, ...loaders] })
  const pieces = []
  for await (const piece of document.open()) pieces.push(piece)
  expect(pieces).toEqual([
    { text: 'seven', position: { page: 7 }, source: 'a.shout', offsetBytes: 0, lengthBytes: 5 },
  ])
})
