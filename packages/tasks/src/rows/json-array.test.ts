import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itemsOfArray } from './json-array.ts'

const folder = temporaryFolder(beforeAll, afterAll)

describe('objects of a JSON array', () => {
  it('are those of the whole file, wherever it is cut into pieces', async () => {
    const items = Array.from({ length: 3000 }, (_, i) => ({
      text: `${'"\\{[}],é🙂\u0001'.repeat(i % 70)}${i}`,
      list: [{ deep: [i, '}'] }, []],
    }))
    for (const indent of [0, 1]) {
      const path = folder.join(`${indent}.json`)
      await writeFile(path, JSON.stringify(items, undefined, indent))
      const read: unknown[] = []
      for await (const { bytes } of itemsOfArray(path)) read.push(JSON.parse(Buffer.from(bytes).toString()))
      expect(read).toEqual(items)
    }
  })
})
