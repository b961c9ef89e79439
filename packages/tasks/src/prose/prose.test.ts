import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import { countTokensRoughly as countTokens, sampleProse } from '../testing/fixtures.ts'
import { textOf } from '../testing/task-contract.ts'
import { docCommentsOf, splitParagraphs } from './paragraphs.ts'
import { plantInProse } from './plant.ts'
import { listProseFiles } from './prose-files.ts'
import { createFolderProse, findInstalledModules, installedProse } from './prose-source.ts'

const english = 'This is the first of the sentences. It is not the last of them, and that is good.'

describe('a folder of prose', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prose-'))
    const files: Record<string, string> = {
      'b.txt': `${english}\r\n\r\nB ends here, in the middle of the page.`,
      'a/README.md': `# The title of it\n\n${english} A.\n`,
      'a/README.fr.md': 'Le texte est en français.\n',
      'a/LICENSE': `Permission is hereby granted to the owner of this. ${english}\n`,
      'a/copy/LICENSE': `Permission is hereby granted  to the owner of this.\n${english}\n`,
      'a/index.d.ts': `/** ${english} More words on the subject of the call.\n * @param x nothing\n */\nexport declare const x: 1\n`,
      'a/code.js': 'let it = "be"\n',
      'german.txt': 'Das ist der Anfang. Hier steht nichts, was man auf Englisch lesen kann.\n',
      'binary.txt': 'the of and\u0000\u0001 to in a is',
      '.git/notes.md': english,
    }
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), text)
    }
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('is listed in a fixed order without code, translations and hidden files', async () => {
    const names = (files: { path: string }[]) => files.map((file) => relative(folder, file.path))
    const plain = ['a/LICENSE', 'a/README.md', 'a/copy/LICENSE', 'b.txt', 'binary.txt', 'german.txt']
    expect(names(await listProseFiles(folder))).toEqual(plain)
    expect(names(await listProseFiles(folder, { docComments: true }))).toContain('a/index.d.ts')
  })

  it('reads equal contents once, and skips binary and non-English files', async () => {
    const prose = await createFolderProse(folder, { docComments: true })
    expect(prose.files.map((file) => relative(folder, file.path))).toEqual([
      'a/LICENSE',
      'a/README.md',
      'a/index.d.ts',
      'b.txt',
    ])
    expect(prose.paragraphs.at(-1)).toBe('B ends here, in the middle of the page.\n\n')
    expect(prose.uniqueBytes).toBe(Buffer.byteLength(prose.paragraphs.join('')))
    expect(prose.bytes).toBeGreaterThan(prose.uniqueBytes)
    expect((await createFolderProse(folder)).fingerprint).toBe((await createFolderProse(folder)).fingerprint)
  })

  it('is named after its folder, wherever that is', async () => {
    expect((await createFolderProse(`${folder}/`)).name).toBe(basename(folder))
  })

  it('says what is wrong with a folder', async () => {
    await expect(createFolderProse(join(folder, 'missing'))).rejects.toMatchObject({
      code: 'document/unreadable-folder',
    })
    await expect(
      createFolderProse(join(folder, 'a', 'copy', '..', '..', '.git'), { maxBytes: 0 }),
    ).rejects.toMatchObject({
      code: 'document/no-prose',
    })
    const german = join(folder, 'german')
    await mkdir(german)
    await writeFile(
      join(german, 'buch.txt'),
      'Der Wind kam von Norden, und niemand sprach ein Wort. '.repeat(9),
    )
    await expect(createFolderProse(german)).rejects.toMatchObject({
      hint: expect.stringContaining('in English'),
    })
    await rm(german, { recursive: true })
  })
})

describe('the installed prose', () => {
  it('has megabytes of text, from the modules of this installation', async () => {
    const prose = await installedProse({ docComments: false })
    expect(prose.uniqueBytes).toBeGreaterThan(500_000)
    expect(prose.files.every((file) => file.path.startsWith(findInstalledModules()))).toBe(true)
  })

  it('is an error where nothing is installed', () => {
    expect(() => findInstalledModules('/')).toThrow(/no node_modules/)
  })
})

describe('paragraphs', () => {
  it('put together give the text back', () => {
    const part = fc.constantFrom(
      'Some words of it. ',
      'More of them',
      '\n',
      '\n\n',
      ' \n\t\n',
      'Café 🙂 is. ',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = `Start of the text.${parts.join('')}`
        expect(splitParagraphs(text).join('')).toBe(text)
      }),
    )
    const long = `${'A sentence of some words that goes on. '.repeat(200)}\n\nEnd of it.\n`
    const pieces = splitParagraphs(long)
    expect(pieces.join('')).toBe(long)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(1600)
  })

  it('leave out tables of numbers and encoded data', () => {
    expect(
      splitParagraphs(`Words stay here.\n\n${'aGVsbG8'.repeat(80)}\n\n12 34 56 78 | 9,10\n\nAnd here.\n`),
    ).toEqual(['Words stay here.\n\n', 'And here.\n'])
  })

  it('keep the words of documentation comments', () => {
    const source = `/**\n * Opens the file at {@link path} and reads all of it, line by line, until the end is reached.\n *\n * @example\n */`
    expect(docCommentsOf(source)).toBe(
      'Opens the file at path and reads all of it, line by line, until the end is reached.\n',
    )
  })
})

describe('plantInProse', () => {
  const prose = sampleProse(40)

  it('puts every plant at its reported position, once, in the order of depth, for any length and depths', async () => {
    const plant = fc.record({
      depth: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      isLine: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 300, max: 9000 }),
        fc.array(plant, { maxLength: 12 }),
        fc.nat(),
        async (lengthTokens, drawn, seed) => {
          const plants = drawn.map(({ depth, isLine }, i) => ({
            depth,
            text: isLine ? `[info] plünt_${i}=${seed}` : `Plänt ${i} of ${seed} stands hère.`,
          }))
          const random = createRandom(seed)
          const planted = plantInProse({ name: 'test', prose, plants, lengthTokens, countTokens, random })
          const text = await textOf(planted)
          const bytes = Buffer.from(text)
          expect(planted.sizeBytes).toBe(bytes.length)
          for (const [i, { startByte, endByte }] of planted.ranges.entries()) {
            expect(bytes.subarray(startByte, endByte).toString()).toBe(plants[i]!.text)
            const before = bytes.subarray(0, startByte).toString()
            expect(before === '' || /\s$/.test(before)).toBe(true)
            expect(bytes.subarray(endByte, endByte + 1).toString()).toMatch(/^\s$/)
            expect(Math.abs(startByte / bytes.length - plants[i]!.depth) * lengthTokens).toBeLessThan(900)
          }
          const starts = plants.map((_, i) => i).sort((a, b) => plants[a]!.depth - plants[b]!.depth)
          const sorted = starts.map((i) => planted.ranges[i]!.startByte)
          expect(sorted).toEqual(sorted.toSorted((a, b) => a - b))
          expect(Math.abs(countTokens(text) - lengthTokens)).toBeLessThanOrEqual(
            Math.max(0.02 * lengthTokens, 20),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('plans millions of tokens without writing them', () => {
    const plants = [{ text: 'Here it is.', depth: 0.5 }]
    const planted = plantInProse({
      name: 'long',
      prose,
      plants,
      lengthTokens: 3_500_000,
      countTokens,
      random: createRandom(1),
    })
    expect(planted.tokens).toBe(3_500_000)
    expect(planted.ranges[0]!.startByte / planted.sizeBytes).toBeCloseTo(0.5, 2)
  })
})
