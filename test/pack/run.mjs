// Packs the packages, installs them elsewhere as a user would, and runs the README's library example as written.
// Run by `npm run test:packages`; it downloads the dependencies again, so it is not part of `npm test`.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'memagent-pack-'))
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
const fail = (message) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

try {
  run('npm', ['run', 'build'], root)
  run('npm', ['pack', '--workspaces', '--pack-destination', folder], root)
  const tarballs = readdirSync(folder).map((name) => join(folder, name))
  process.stdout.write(`packed: ${tarballs.map((path) => path.split('/').at(-1)).join(', ')}\n`)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  // As the packages' READMEs say.
  process.env.ONNXRUNTIME_NODE_INSTALL = 'skip'
  run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], folder)
  for (const name of [
    'memagent',
    ...readdirSync(join(folder, 'node_modules/@memagent')).map((n) => `@memagent/${n}`),
  ])
    for (const file of ['LICENSE', 'README.md'])
      if (!existsSync(join(folder, 'node_modules', name, file))) fail(`${name} was packed without ${file}.`)

  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, example] = readme.match(/```ts\n([\s\S]*?)```/) ?? fail('The README has no example.')
  writeFileSync(join(folder, 'example.mjs'), example)
  const output = run(process.execPath, ['example.mjs'], folder)
  process.stdout.write(output)
  if (!output.includes("answer: '48213'")) fail('The example did not find the code 48213.')

  const help = run(process.execPath, [join(folder, 'node_modules/memagent/dist/bin.js'), '--help'], folder)
  if (!help.includes('memagent')) fail('The command does not start.')
  // The command reads with a worker thread, whose file must be among what was packed.
  writeFileSync(
    join(folder, 'notes.txt'),
    'The night was long. The access code for the North Gate is 48213.\n',
  )
  const ask = ['ask', 'What is the access code for the North Gate?', 'notes.txt', '--json']
  const asked = run(process.execPath, [join(folder, 'node_modules/memagent/dist/bin.js'), ...ask], folder)
  process.stdout.write(`memagent ask: ${JSON.parse(asked).answer}\n`)
  if (JSON.parse(asked).answer !== '48213') fail('The command did not find the code 48213.')

  // As does a tokenizer with a pattern that is not known.
  const counting = `
    import { readFileSync } from 'node:fs'
    import { createHuggingFaceTokenizer } from '@memagent/core'
    const json = JSON.parse(readFileSync('node_modules/@memagent/nano/tokenizer.json', 'utf8'))
    const pattern = { type: 'Split', pattern: { Regex: '[a-z]+' }, behavior: 'Isolated', invert: false }
    const bytes = { type: 'ByteLevel', add_prefix_space: false, use_regex: false }
    const other = { ...json, pre_tokenizer: { type: 'Sequence', pretokenizers: [pattern, bytes] } }
    console.log(createHuggingFaceTokenizer(other).count('north') === createHuggingFaceTokenizer(json).count('north'))
  `
  if (run(process.execPath, ['--input-type=module', '--eval', counting], folder).trim() !== 'true')
    fail('A tokenizer with an unknown pattern does not count.')

  // Tables that samples are drawn from are files beside the code.
  const drawing = `
    import { createFact, createRandom } from '@memagent/tasks'
    console.log(createFact(createRandom(1), { split: 'train', templates: 'train', kind: 'access-code' }).kind)
  `
  if (run(process.execPath, ['--input-type=module', '--eval', drawing], folder).trim() !== 'access-code')
    fail('No fact can be drawn.')

  // The same under the machine's own Node, which may be the oldest one that is supported.
  const own = {
    ...process.env,
    PATH: process.env.PATH.split(':')
      .filter((part) => !part.includes('node_modules'))
      .join(':'),
  }
  for (const args of [
    ['--version'],
    ['example.mjs'],
    [join(folder, 'node_modules/memagent/dist/bin.js'), ...ask],
  ]) {
    const { status, stdout, stderr } = spawnSync('node', args, { cwd: folder, encoding: 'utf8', env: own })
    if (status !== 0 || (args[0] !== '--version' && !stdout.includes('48213')))
      fail(`Under the machine's own Node: ${stderr}`)
    process.stdout.write(`the machine's own Node: ${stdout.split('\n', 1)[0]}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
