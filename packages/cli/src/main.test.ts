/** A command line that cannot work gets exit code 2, and a message that says what is wrong with it. */
import { expect, it } from 'vitest'
import { runMain } from './testing/run-main.ts'

const question = ['ask', 'Who?', 'package.json']
const bench = ['bench', 'run', '--lengths', '1k', '--methods', 'overwrite', '--output', '/dev/null']

it.each([
  [[], /Usage: memagent/],
  [['bench'], /Usage: memagent bench/],
  [['nope'], /unknown command 'nope'/],
  [['ask'], /missing required argument 'question'/],
  [['models', 'extra'], /too many arguments/],
  [['ask', 'Who?', '--modle', 'x'], /unknown option '--modle'[\s\S]*Did you mean --model\?/],
  [['train', 'rl'], /required option '--config <file>' not specified/],
  [['train', 'rl', '--config', '/there/is/none.yaml'], /Cannot read the training configuration/],
  [[...question, '--chunk', 'many'], /--chunk must be a whole number above 0, not many/],
  [[...question, '--workflow', 'nope'], /no workflow named nope[\s\S]*Known: overwrite/],
  [[...question, '--model', 'nope:x'], /names no known backend/],
  [[...question, '--base-url', 'http://localhost:1/v1'], /--base-url needs --model/],
  [[...question, '--model', 'openai:x', '--base-url', 'nowhere'], /nowhere/],
  [[...question, '--window', '10', '--chunk', '100'], /window/],
  [['demo', '--fact', 'x'], /--fact, --question and --expect must be used together/],
  [[...bench, '--tasks', 'nope'], /no task named nope/],
  [[...bench, '--tasks', 'multi-hop:hops=9'], /hops cannot be 9 \(it takes a whole number from 1 to 4/],
  [[...bench, '--tasks', 'multi-hop', '--samples', 'x'], /samples/],
  [['bench', 'run', '--tasks', 'multi-hop'], /A benchmark needs lengths, methods/],
] as const)(
  '%j',
  async (args, message) => {
    const { code, stderr } = await runMain(args)
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  },
  60_000,
)

it.each([
  [['--help'], /For ask, notes, resume and session ask also: 3 not found or nothing noted, 4 unsure/],
  [['runs', '--help'], /Without a command: list\. Its options: memagent runs list --help/],
  [['keys', '--help'], /Without a command: list\. Its options: memagent keys list --help/],
  [['cache', '--help'], /Without a command: show\. Its options: memagent cache show --help/],
  [
    ['ask', '--help'],
    /Options: --questions .*--help .*Model: --model .*Reading: .*Sampling: .*Cost: .*Texts: /,
  ],
  [
    ['ask', '--help'],
    /--timeout <seconds> .*\(default: 600\) .*--concurrency <n> calls at once \(default: 8\)/,
  ],
  [['bench', 'run', '--help'], /--concurrency <n> samples, and calls, at once \(default: 4\)/],
  [['train', 'rl', '--help'], /\(repeatable\) --events/],
] as const)('help says what commands do: %j', async (args, said) => {
  const { code, stdout } = await runMain(args)
  expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([0, expect.stringMatching(said)])
})

it.each([
  [['ask', '--json'], { outcome: 'failed', error: { code: 'cli/usage' } }],
  [
    ['ask', 'Who?', '--events', '--modle', 'x'],
    { type: 'failure', outcome: 'failed', error: { code: 'cli/usage' } },
  ],
  [
    ['ask', 'Who?', '--events', '--chunk', 'x'],
    { type: 'failure', outcome: 'failed', error: { code: 'cli/bad-option' } },
  ],
])('tells programs too: %j', async (args, told) => {
  const { code, stdout } = await runMain(args)
  expect(code).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject(told)
})
