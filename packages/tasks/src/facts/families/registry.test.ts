import { expect, it } from 'vitest'
import { factKinds, families } from './registry.ts'

it('knows every kind by one name', () => {
  expect(new Set(factKinds.map(({ name }) => name)).size).toBe(factKinds.length)
})

it('words no kind in another family than its own', () => {
  const strays = families.flatMap(({ kinds, wordings, statements, questions }) => {
    const own = new Set(kinds.map(({ name }) => name))
    return [wordings, statements, questions].flatMap(Object.keys).filter((name) => !own.has(name))
  })
  expect(strays).toEqual([])
})
