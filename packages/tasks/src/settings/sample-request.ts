/** Checks what a sample is asked for: a count that is no number would have a document grow for ever. */
import { TaskError } from '@memagent/core'
import type { SampleRequest, Task } from '../task.ts'

/** The task, or the one that is promised, whose samples are made only of requests that can be met. */
export function withCheckedRequests<Made extends Task | Promise<Task>>(made: Made): Made {
  return (made instanceof Promise ? made.then(checked) : checked(made)) as Made
}

const checked = (task: Task): Task => ({
  ...task,
  async sample(request) {
    checkRequest(task.name, request)
    return task.sample(request)
  },
})

function checkRequest(name: string, { index, seed, lengthTokens, countTokens }: SampleRequest): void {
  const wrong = (what: string, takes: string) =>
    new TaskError({
      code: 'task/bad-request',
      message: `${name}: a sample cannot have ${what}: it takes ${takes}.`,
      details: { index, seed, lengthTokens },
    })
  if (!(Number.isSafeInteger(index) && index >= 0))
    throw wrong(`the index ${String(index)}`, 'a whole number of at least 0')
  if (!Number.isSafeInteger(seed)) throw wrong(`the seed ${String(seed)}`, 'a whole number')
  if (!(Number.isSafeInteger(lengthTokens) && lengthTokens >= 0))
    throw wrong(`the lengthTokens ${String(lengthTokens)}`, 'a whole number of at least 0')
  const tokens: unknown = typeof countTokens === 'function' ? countTokens('one two three') : undefined
  if (tokens instanceof Promise) tokens.catch(() => undefined)
  if (!(Number.isFinite(tokens) && (tokens as number) > 0))
    throw wrong(
      `this countTokens, which gives ${tokens instanceof Promise ? 'a promise' : String(tokens)}`,
      'a function that returns the number of tokens of a text',
    )
}
