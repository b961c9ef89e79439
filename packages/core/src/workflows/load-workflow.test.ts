import { writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { createMemoryCheckpointStore } from '../reading/checkpoint.ts'
import { read } from '../reading/read.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { loadWorkflow } from './load-workflow.ts'
import { overwrite } from './overwrite/overwrite.ts'

const folder = temporaryFolder(beforeAll, afterAll)
afterEach(() => vi.unstubAllGlobals())

/** Keeps the first words of every chunk, without a model. A class, since workflows may be instances of one. */
const source = (more = '') => `
const prompts = {
  conversations: { answer: ['question', 'memory'] },
  texts: {},
  sets: { own: { templates: { answer: '<q>{question}</q><m>{memory}</m>' } } },
}
class FirstWords {
  #separator = ' / '
  name = 'first-words'
  prompts = prompts
  init(question) { return { question: question ?? null, words: '', steps: 0 } }
  async read(state, chunk) {
    const word = chunk.text.trim().split(' ')[0]
    return { state: { ...state, words: state.words ? state.words + this.#separator + word : word, steps: state.steps + 1 } }
  }
  async answer(state) { return { text: state.words, outcome: 'found' } }
  memory(state) { return state.words }
  isState(value, { question, steps }) { return value?.question === question && value.steps === steps }
}
export default new FirstWords()
${more}`

let written = 0
async function moduleOf(text: string, extension = 'mjs'): Promise<string> {
  const path = folder.join(`module-${++written}.${extension}`)
  await writeFile(path, text)
  return path
}
const failure = async (path: string) => loadWorkflow(path).catch((error: unknown) => error)

describe('a workflow by name or path', () => {
  it('is one of this project by its name', async () => {
    expect(await loadWorkflow('overwrite')).toBe(overwrite)
    await expect(loadWorkflow('mine.ts')).rejects.toMatchObject({
      code: 'workflow/unknown',
      hint: expect.stringContaining('./mine.ts'),
    })
  })

  it('reads, from a module', async () => {
    const workflow = await loadWorkflow(await moduleOf(source()))
    const model = createScriptedModel([], { profile: contractProfile, contextWindow: 480 })
    const document = createTextDocument('Ann came. '.repeat(60))
    const { answer, steps } = await read({ question: 'Who?', document, model, workflow })
    expect(steps).toBeGreaterThan(1)
    expect(answer).toBe(Array(steps).fill('Ann').join(' / '))
  })

  it('may be written in TypeScript', async () => {
    const typed = source('export const steps: number = 1')
    expect((await loadWorkflow(await moduleOf(typed, 'ts'))).name).toBe('first-words')
  })

  it('goes on from its own checkpoints alone', async () => {
    const [one, same, other] = [source(), source(), source('// Changed.')]
    const checkpoints = createMemoryCheckpointStore()
    const model = createScriptedModel([], { profile: contractProfile, contextWindow: 480 })
    const document = createTextDocument('Ann came.')
    const readWith = async (text: string) => {
      const workflow = await loadWorkflow(await moduleOf(text))
      return read({ question: 'Who?', document, model, workflow, checkpoints })
    }
    await readWith(one)
    await readWith(same)
    await expect(readWith(other)).rejects.toMatchObject({
      code: 'checkpoint/of-another-run',
      details: { differing: ['workflow'] },
    })
  })

  it('is another one when a file that it imports changes', async () => {
    const path = await moduleOf(source("export * from './words.mjs'"))
    await writeFile(folder.join('words.mjs'), 'export const word = 1')
    const { fingerprint } = await loadWorkflow(path)
    await writeFile(folder.join('words.mjs'), 'export const word = 2')
    expect((await loadWorkflow(path)).fingerprint).not.toBe(fingerprint)
  })
})

describe('a module that is no workflow', () => {
  it('is named, with all that is missing or wrong', async () => {
    const path = await moduleOf(
      "export default { name: 'overwrite', init() {}, read() {}, run: 4, estimate: [], callsPerChunk: 0.5, passes: 0, prompts: { conversations: { read: ['section'] }, texts: {}, sets: { own: { templates: { read: 'x' } } } } }",
    )
    const { message } = (await failure(path)) as Error
    expect(message).toContain(`The workflow module ${path}: its default export is no workflow:`)
    for (const problem of [
      'name: there is another workflow named overwrite',
      'prompts: The set own holds no prompts:\n    read: the place {section} is missing',
      'answer: a function is wanted: answer(state, question, context)',
      'memory: a function is wanted',
      'isState: a function is wanted',
      'run: a function is wanted, or nothing',
      'estimate: a function is wanted, or nothing',
      'callsPerChunk: a whole number of at least 1 is wanted, or nothing',
      'passes: a whole number of at least 1 is wanted, or nothing',
    ]) {
      expect(message).toContain(problem)
    }
    expect(message).not.toContain('init:')
  })

  it.each([
    ['export const workflow = 1', 'there is none'],
    ['export default 5', 'an object is wanted'],
    ["export default { name: 'a b' }", 'name: a word of letters'],
    ["export default { name: 'a', prompts: {} }", 'prompts: what definePrompts gives is wanted'],
    ["\nthrow new Error('out of order')", 'it cannot be loaded: out of order (line 2).'],
    ['throw undefined', 'it cannot be loaded: undefined.'],
    ['throw null', 'it cannot be loaded: null.'],
    ["throw 'out of order'", 'it cannot be loaded: out of order.'],
    ["import './nowhere.mjs'", 'it cannot be loaded: '],
  ])('%s is told in one error', async (text, problem) => {
    expect(await failure(await moduleOf(text))).toMatchObject({
      code: 'workflow/bad-module',
      message: expect.stringContaining(problem),
    })
  })

  it.each(['./nowhere.ts', '.\\nowhere.ts', 'C:\\nowhere.ts', 'file:///nowhere.ts'])(
    'may be no file: %s',
    async (path) => {
      expect(await failure(path)).toMatchObject({
        message: `The workflow module ${path}: there is no such file.`,
      })
    },
  )

  it.each(['file://host:x/mine.ts', 'file:///%00.ts', 'file:///%2F.ts'])(
    'may be no address: %s',
    async (path) => {
      expect(await failure(path)).toMatchObject({ code: 'workflow/bad-module' })
    },
  )

  it('is TypeScript where Node reads none', async () => {
    vi.stubGlobal('process', { ...process, features: {}, version: 'v20.16.0', cwd: () => process.cwd() })
    expect(await failure(await moduleOf('this is no module', 'ts'))).toMatchObject({
      message: expect.stringContaining('it is TypeScript, which Node v20.16.0 does not read'),
      hint: expect.stringContaining('Node 22.18'),
    })
  })
})
