/** The files that a user's module imports: with the module, they decide what it does. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What `require` adds to a path. */
const endings = ['', '.js', '.json', '/index.js']

const imported = /\b(?:from|import|require)\s*\(?\s*(['"])(\.{1,2}\/[^'"]+)\1/g

/**
 * Hash of all files that a module imports by relative paths, and those that they import. Not of packages, nor of data that it
 * reads.
 * @param path of the module, or its `file:` address
 * @returns undefined if it imports none
 */
export async function hashOfImports(path: string): Promise<string | undefined> {
  const module = path.startsWith('file:') ? fileURLToPath(path) : resolve(path)
  const found = new Map<string, string>()
  const follow = async (file: string, text: string) => {
    for (const [, , name] of text.matchAll(imported)) {
      const targets = endings.map((ending) => `${resolve(dirname(file), name!)}${ending}`)
      for (const target of targets) {
        if (found.has(target) || target === module) break
        // In a comment or a text, it may be no file.
        const content = await readFile(target, 'utf8').catch(() => undefined)
        if (content === undefined) continue
        found.set(target, content)
        await follow(target, content)
        break
      }
    }
  }
  await follow(module, await readFile(module, 'utf8'))
  if (found.size === 0) return undefined
  const hash = createHash('sha256')
  const named = [...found].map(([file, content]) => `\0${relative(dirname(module), file)}\0${content}`)
  for (const part of named.sort()) hash.update(part)
  return hash.digest('hex').slice(0, 16)
}
