import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { read } from '../reading/read.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import type { TextDocument } from './document.ts'
import { createFileDocument } from './file-document.ts'
import { requireText } from './require-text.ts'
import { createStreamDocument, createTextDocument } from './text-document.ts'

const folder = temporaryFolder(beforeAll, afterAll)

async function file(name: string, content: string): Promise<string> {
  await writeFile(folder.join(name), content)
  return folder.join(name)
}

async function* stream(...pieces: string[]) {
  for (const piece of pieces) yield Buffer.from(piece)
}

const joined = (...documents: readonly TextDocument[]): TextDocument => ({
  name: `${documents.length} files`,
  isReopenable: true,
  async *open() {
    for (const document of documents) yield* document.open()
  },
})

const asked = (document: TextDocument | string, allowEmpty?: boolean) => {
  const model = createScriptedModel(() => 'No previous memory', { profile: contractProfile })
  return { model, reading: read({ question: 'Who came?', document, model, allowEmpty }) }
}

describe('a document without text is an error, not an answer', () => {
  it.each<readonly [string, () => Promise<TextDocument | string>, RegExp]>([
    ['an empty text', async () => '', /There is no text in text: it is empty/],
    ['white space', async () => ' \n\t\u00a0\ufeff', /text: nothing but white space/],
    ['signs that show nothing', async () => '\u200b\u2060\n\u0001', /text: nothing but white space/],
    ['an empty file', async () => createFileDocument(await file('a.txt', '')), /a\.txt: it is empty/],
    ['a mark alone', async () => createFileDocument(await file('m.txt', '\ufeff')), /m\.txt: it is empty/],
    ['blank lines', async () => createFileDocument(await file('b.txt', '\n\n')), /b\.txt: nothing but/],
    [
      'several such files',
      async () =>
        joined(await createFileDocument(await file('a.txt', '')), createTextDocument('\n', 'b.txt')),
      /2 files: nothing but/,
    ],
    ['an empty stream', async () => createStreamDocument(stream(), 'log'), /no text in log\.$/],
    [
      'a file in which its loader finds nothing',
      async () => ({ ...createTextDocument('', 'film.srt'), sizeBytes: 500 }),
      /no text in film\.srt\.$/,
    ],
    ['a blank stream', async () => createStreamDocument(stream(' ', '\n'), 'log'), /log: nothing but/],
  ])('%s', async (_name, open, message) => {
    const { model, reading } = asked(await open())
    const error = await reading.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toMatchObject({ name: 'DocumentError', code: 'document/no-text' })
    expect(String(error)).toMatch(message)
    expect((error as { hint: string }).hint).toContain('--allow-empty')
    expect(model.calls).toHaveLength(0)
  })

  it('even after more white space than is held back', async () => {
    const blank = createTextDocument(' '.repeat(17 << 20), 'blank.txt')
    let characters = 0
    const reading = async () => {
      for await (const { text } of requireText(blank).open()) characters += text.length
    }
    await expect(reading()).rejects.toMatchObject({ code: 'document/no-text' })
    expect(characters).toBe(17 << 20)
  })

  it('unless the caller allows it', async () => {
    for (const document of [
      '',
      ' \n',
      createTextDocument(' '),
      await createFileDocument(await file('a.txt', '')),
    ]) {
      expect(await asked(document, true).reading).toMatchObject({ outcome: 'not-found' })
    }
  })
})

describe('an empty file among others', () => {
  it('is reported, and the others are read', async () => {
    const document = joined(
      await createFileDocument(await file('1.txt', '')),
      createTextDocument('The guest came.', '2.txt'),
      createTextDocument(' \n', '3.txt'),
      createTextDocument('  It rained.', '4.txt'),
    )
    const { model, reading } = asked(document)
    const { warnings } = await reading
    expect(warnings).toMatchObject([
      {
        code: 'source-without-text',
        message: `There is no text in ${folder.join('1.txt')}, 3.txt.`,
        count: 1,
      },
    ])
    const section = /<section>\n([\s\S]*)\n<\/section>/.exec(model.calls[0]!.messages[0]!.content)?.[1]
    expect(section).toBe('The guest came. \n  It rained.')
  })

  it('is not named when the shell created it', async () => {
    const path = folder.join('pipe')
    execFileSync('mkfifo', [path])
    const [error] = await Promise.all([
      asked(await createFileDocument(path)).reading.catch((reason: unknown) => reason),
      writeFile(path, ''),
    ])
    expect(error).toMatchObject({ code: 'document/no-text' })
  })
})

describe('a text with invalid bytes', () => {
  const opened = async (content: Uint8Array) => {
    await writeFile(folder.join('broken.txt'), content)
    return createFileDocument(folder.join('broken.txt'), { invalidBytes: 'replace' })
  }

  it('that is largely unreadable never ends in a plain "not in the text"', async () => {
    const greek = Buffer.from('Ο ξένος ήρθε με τα πόδια. '.repeat(20), 'utf16le').filter(
      (_, i) => i % 2 === 0,
    )
    const { outcome, warnings } = await asked(await opened(greek)).reading
    expect(outcome).toBe('unsure')
    expect(warnings).toMatchObject([{ code: 'source-broken', touchesAnswer: true }])
    expect(warnings[0]!.message).toMatch(/broken\.txt, \d\d % cannot be read as text/)
  })

  it('that is slightly unreadable may end in a plain "not in the text"', async () => {
    const content = Buffer.concat([Buffer.from('The guest came on foot. '.repeat(20)), Buffer.from([0xff])])
    expect(await asked(await opened(content)).reading).toMatchObject({ outcome: 'not-found', warnings: [] })
  })
})

describe('texts of which some could not be read', () => {
  const documentOf = (...unread: string[]): TextDocument => ({
    ...createTextDocument(''),
    async *open() {
      yield* createTextDocument('The guest came on foot.').open()
      for (const message of unread)
        yield {
          text: '',
          source: 'b.pdf',
          offsetBytes: 0,
          lengthBytes: 0,
          unread: { code: 'source-part-unread', message },
        } as const
    },
  })

  it('never end in a plain "not found"', async () => {
    const { outcome, warnings } = await asked(documentOf('b.pdf is encrypted.', 'c.pdf is broken.')).reading
    expect([outcome, warnings]).toMatchObject([
      'unsure',
      [{ code: 'source-part-unread', touchesAnswer: true }],
    ])
    expect(warnings[0]!.message).toBe('Not everything could be read: b.pdf is encrypted. (and 1 more)')
  })

  it('may have a plain answer', async () => {
    const respond = ({ index }: { readonly index: number }) => (index === 0 ? 'On foot.' : '\\boxed{on foot}')
    const model = createScriptedModel(respond, { profile: contractProfile })
    const document = documentOf('b.pdf is encrypted.')
    const { outcome, warnings } = await read({ question: 'How did the guest come?', document, model })
    expect([outcome, warnings]).toMatchObject([
      'found',
      [{ code: 'source-part-unread', touchesAnswer: false }],
    ])
  })

  it('are without text where the rest has none', async () => {
    const nothing = { ...documentOf(), open: () => nothingBut('b.pdf is encrypted.') }
    await expect(asked(nothing).reading).rejects.toMatchObject({ code: 'document/no-text' })
  })

  async function* nothingBut(unread: string) {
    yield {
      text: '',
      source: 'b.pdf',
      offsetBytes: 0,
      lengthBytes: 0,
      unread: { code: 'source-skipped', message: unread },
    } as const
  }
})
