import { mkdir, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { hashOfImports } from './module-imports.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it('changes with every file that a module imports, and with nothing else', async () => {
  const module = folder.join('task.mjs')
  await mkdir(folder.join('parts'))
  const write = (name: string, text: string) => writeFile(folder.join(name), text)
  await write('task.mjs', "import { words } from './parts/words.mjs'\nimport 'node:fs'\nexport default words")
  await write('parts/words.mjs', "export * from '../more.mjs'\n// from './gone.mjs'")
  await write('more.mjs', "import './task.mjs'\nexport const words = ['one']")
  await write('other.mjs', 'export default 1')
  const first = await hashOfImports(module)
  expect(first).toMatch(/^[0-9a-f]{16}$/)
  await write('other.mjs', 'export default 2')
  expect(await hashOfImports(pathToFileURL(module).href)).toBe(first)
  await write('more.mjs', "import './task.mjs'\nexport const words = ['two']")
  expect(await hashOfImports(module)).not.toBe(first)
  expect(await hashOfImports(folder.join('other.mjs'))).toBeUndefined()
})

it('finds what CommonJS requires without an ending', async () => {
  const module = folder.join('task.cjs')
  await writeFile(module, "const { words } = require('./list')\nmodule.exports = words")
  await writeFile(folder.join('list.js'), 'exports.words = 1')
  const first = await hashOfImports(module)
  await writeFile(folder.join('list.js'), 'exports.words = 2')
  expect(await hashOfImports(module)).not.toBe(first)
  await writeFile(folder.join('list.json'), '[]')
  await writeFile(module, "require('./list.json')\nmodule.exports = require('./list')")
  const both = await hashOfImports(module)
  await writeFile(folder.join('list.js'), 'exports.words = 3')
  expect(await hashOfImports(module)).not.toBe(both)
})
