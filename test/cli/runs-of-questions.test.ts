/** Runs of many questions: killed, shown, moved to another store and resumed. */
import type { ReadingUsage } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { guestQuestions, questions, rowsOf } from './guest-questions.ts'

const guest = guestQuestions()
const { ask, command, fileOf, model, newPath, run } = guest

/** Counts replies that a killed process left in the cache as calls. */
const withAllCalls = ({ usage, seconds: _, ...row }: Record<string, unknown>) => {
  const { calls, promptTokens, completionTokens, fromCache, ...rest } = usage as ReadingUsage
  const all = { calls, promptTokens, completionTokens }
  for (const name of Object.keys(all) as (keyof typeof all)[]) all[name] += fromCache?.[name] ?? 0
  return { ...row, usage: { ...rest, ...all } }
}

describe('a run of several questions', () => {
  it('that is killed again and again comes to the same, and repeats no more calls than were under way', async () => {
    const list = await fileOf(questions)
    const whole = rowsOf(
      (await ask(['--questions', list, guest.file, '--format', 'jsonl', '--no-store'])).stdout,
    )
    const needed = guest.calls.length
    guest.calls = []
    const kills = [2, 30]
    for (const at of kills) {
      const until = guest.calls.length + at
      const killed = await command(
        ['ask', ...model(), '--questions', list, guest.file, '--format', 'jsonl'],
        {
          onStart: (child) => {
            guest.onCall = () => {
              if (guest.calls.length >= until) child.kill('SIGKILL')
            }
          },
        },
      )
      expect(killed.signal).toBe('SIGKILL')
      guest.onCall = undefined
    }
    const [{ id, ...listed }] = JSON.parse((await run(['runs', '--json'])).stdout)
    expect(listed).toMatchObject({ state: 'unfinished', questions })
    const resumed = await command(['resume', id, '--format', 'jsonl'])
    expect(resumed.code).toBe(0)
    expect(rowsOf(resumed.stdout).map(withAllCalls)).toEqual(whole.map(withAllCalls))
    expect(guest.calls.length).toBeLessThanOrEqual(needed + kills.length * questions.length)
    const [finished] = JSON.parse((await run(['runs', '--json'])).stdout)
    expect(finished).toMatchObject({ id, state: 'finished', outcome: 'answers' })
    const spent = guest.calls.length
    const again = await run(['resume', id, '--format', 'jsonl'])
    expect(again).toMatchObject({ code: 0, stdout: resumed.stdout })
    expect(guest.calls).toHaveLength(spent)
  })

  it('is shown with all answers, and step by step for one; it moves to another store', async () => {
    const { stdout } = await ask(['--questions', await fileOf(questions), guest.file, '--format', 'jsonl'])
    const [, second] = rowsOf(stdout)
    const [{ id }] = JSON.parse((await run(['runs', 'came last', '--json'])).stdout)
    const shown = (await run(['show', id])).stdout
    expect(shown).toContain('4 questions side by side')
    expect(shown).toContain(`2. Who came last?\n   Answer (found): ${second.answer}`)
    const one = (await run(['show', id, '--question', '2'])).stdout
    expect(one).toContain('Question: Who came last?')
    expect(one.match(/^Step /gm)).toHaveLength(second.steps)
    expect(one).toContain(`+ ${second.memory}`)
    const none = await run(['show', id, '--question', '5'])
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain(`The run ${id} has 4 questions, and no question 5.`)
    for (const which of [
      ['--step', '1'],
      ['--html', newPath('.html')],
    ]) {
      expect((await run(['show', id, ...which])).stderr).toContain('Say which: --question 1')
    }
    const exported = await run(['runs', 'export', id])
    const other = { environment: { XDG_DATA_HOME: newPath() } }
    expect(await run(['runs', 'import'], { ...other, input: exported.stdout })).toMatchObject({ code: 0 })
    expect((await run(['show', id, '--question', '2'], other)).stdout).toBe(one)
    const told = await run(['resume', id, '--format', 'jsonl'], other)
    expect(told).toMatchObject({ code: 0, stdout })
    expect(await run(['runs', 'rm', id])).toMatchObject({ code: 0 })
    expect((await run(['runs', '--json'])).stdout).toBe('[]\n')
  })

  it('is resumed with the ids and repeated questions of the command that continued it', async () => {
    const [first, last] = [questions[0]!, questions[1]!]
    await ask(['--questions', await fileOf([first, last]), guest.file, '--max-calls', '6'])
    const named = [first, last, first].map((question, i) => JSON.stringify({ id: 'abc'[i], question }))
    const again = await fileOf(named, '.jsonl')
    const stopped = await ask(['--questions', again, guest.file, '--max-calls', '6'])
    const [, id = ''] = /memagent resume ([0-9a-f]{10})/.exec(stopped.stderr) ?? []
    const rows = rowsOf((await run(['resume', id, '--format', 'jsonl'])).stdout)
    expect(rows.map((row) => [row.id, row.question])).toEqual([
      ['a', first],
      ['b', last],
      ['c', first],
    ])
    const shown = (await run(['show', id])).stdout
    expect(shown).toContain('3 questions side by side')
    expect(shown).toContain(`3. (c) ${first}\n   Answer (found): ${rows[2].answer}`)
    expect((await run(['show', id, '--question', '3'])).stdout).toContain(`Question: ${first}`)
    expect((await run(['show', id, '--question', '4'])).stderr).toContain(
      `The run ${id} has 3 questions, and no question 4.`,
    )
  })

  it('goes on in a checkpoint file, and stops at a limit on the calls of all of them', async () => {
    const args = ['--questions', await fileOf(questions), guest.file, '--checkpoint', newPath('.json')]
    const stopped = await ask([...args, '--max-calls', '6', '--json'])
    expect(stopped.code).toBe(1)
    expect(JSON.parse(stopped.stdout).error.code).toBe('reading/limit-calls')
    expect(guest.calls).toHaveLength(6)
    const { code, stdout } = await ask([...args, '--json'])
    expect(code).toBe(0)
    const { results, usage } = JSON.parse(stdout)
    expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(questions.map(() => 'found'))
    expect(usage.calls).toBe(guest.calls.length)
  })
})
