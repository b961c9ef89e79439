/** Every configuration that the project shows is one that the trainers take. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseRlConfig, parseSftConfig } from '@memagent/train'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const recipes = readdirSync(join(root, 'recipes'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => [`recipes/${name}`, readFileSync(join(root, 'recipes', name), 'utf8')] as const)
const examples = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => {
    const text = readFileSync(join(root, 'docs', name), 'utf8')
    return [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, yaml], i) => [`docs/${name} ${i}`, yaml!] as const,
    )
  })
  // Some show a part.
  .filter(([, yaml]) => /^output:/m.test(yaml))

describe('configurations', () => {
  it.each([...recipes, ...examples])('%s', (name, yaml) => {
    const parse = /^engine:/m.test(yaml) ? parseRlConfig : parseSftConfig
    expect(parse(yaml, name).output).not.toBe('')
  })
})
