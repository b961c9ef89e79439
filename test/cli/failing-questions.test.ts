/** Questions of which some fail: they are told apart from those without an answer. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { guestQuestions, questions, rowsOf } from './guest-questions.ts'

const guest = guestQuestions()
const { ask, fileOf, newPath, run } = guest

describe('a question that fails', () => {
  it('is failed, and not one without an answer: the others are answered, and only it is asked when resumed', async () => {
    guest.isDown = (question) => question === questions[1]
    const failing = await ask(['--questions', await fileOf(questions), guest.file, '--format', 'jsonl'])
    expect(failing.code).toBe(1)
    expect(rowsOf(failing.stdout).map(({ outcome }) => outcome)).toEqual([
      'found',
      'failed',
      'found',
      'found',
    ])
    expect(rowsOf(failing.stdout)[1]).toMatchObject({ id: '2', error: { message: expect.any(String) } })
    expect(rowsOf(failing.stdout)[1]).not.toHaveProperty('answer')
    expect(failing.stderr).toContain('1 of 4 questions failed: nothing is known of their answers.')
    const [, id] = /memagent resume ([0-9a-f]{10})/.exec(failing.stderr) ?? []
    expect((await run(['show', id!])).stdout).toContain('2. Who came last?\n   It has no answer yet.')
    const answered = (await run(['show', id!, '--question', '1'])).stdout
    expect(answered).toContain(`Answer (found): ${rowsOf(failing.stdout)[0].answer}`)
    expect(answered).toContain('No passage of the text was found for this answer.')
    expect(answered).not.toMatch(/stopped|failed/)
    const pageOf = async (question: string) => {
      const page = newPath('.html')
      await run(['show', id!, '--question', question, '--html', page])
      return readFile(page, 'utf8')
    }
    expect(await pageOf('1')).not.toContain('1 of 4 questions failed')
    expect(await pageOf('2')).toContain('1 of 4 questions failed')
    expect((await run(['show', id!, '--question', '2'])).stdout).toContain(
      'It stopped here: 1 of 4 questions',
    )
    guest.isDown = undefined
    guest.calls = []
    const resumed = await run(['resume', id!])
    expect(resumed.code).toBe(0)
    expect(new Set(guest.calls)).toEqual(new Set([questions[1]]))
    expect(resumed.stdout.match(/^\d\. /gm)).toHaveLength(4)
  })

  it('is one error where all of them fail', async () => {
    guest.isDown = () => true
    const { code, stdout, stderr } = await ask(['--questions', await fileOf(questions), guest.file, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'failed',
      error: { code: expect.stringMatching(/^chat\//) },
    })
    expect(stderr.match(/^error: /gm)).toHaveLength(1)
  })

  it('counts most, then one that is unsure, then one without an answer', async () => {
    const list = await fileOf(questions.slice(0, 2))
    const codeWith = async (answers: readonly string[]) => {
      guest.reply = (question, isAnswer) => (isAnswer ? answers[questions.indexOf(question)] : undefined)
      return (await ask(['--questions', list, guest.file, '--no-store', '--quiet'])).code
    }
    expect(await codeWith(['\\boxed{a}', '\\boxed{b}'])).toBe(0)
    expect(await codeWith(['\\boxed{a}', '\\boxed{not in the text}'])).toBe(3)
    expect(await codeWith(['a', '\\boxed{not in the text}'])).toBe(4)
  })
})
