/** Installs packed packages in an empty folder, as a user would, and uses them there with plain Node. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, say } from './run.ts'

const question = 'What is the access code for the North Gate?'

const counting = `
  import { readFileSync } from 'node:fs'
  import { createHuggingFaceTokenizer } from '@memagent/core'
  const json = JSON.parse(readFileSync('node_modules/@memagent/nano/tokenizer.json', 'utf8'))
  const pattern = { type: 'Split', pattern: { Regex: '[a-z]+' }, behavior: 'Isolated', invert: false }
  const bytes = { type: 'ByteLevel', add_prefix_space: false, use_regex: false }
  const other = { ...json, pre_tokenizer: { type: 'Sequence', pretokenizers: [pattern, bytes] } }
  console.log(createHuggingFaceTokenizer(other).count('north') === createHuggingFaceTokenizer(json).count('north'))
`

/**
 * @param folder where to install; empty
 * @param root of the repository, for its README's example and its examples
 * @throws Error that says what does not work
 */
export function tryPackages(
  tarballs: readonly string[],
  names: readonly string[],
  folder: string,
  root: string,
): void {
  // As the packages' READMEs say.
  process.env.ONNXRUNTIME_NODE_INSTALL = 'skip'
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n')
  run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], folder)
  for (const name of names) {
    for (const file of ['LICENSE', 'README.md']) {
      if (!existsSync(join(folder, 'node_modules', name, file)))
        throw new Error(`${name} was packed without ${file}.`)
    }
  }

  const [, example] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  if (example === undefined) throw new Error('The README has no example.')
  writeFileSync(join(folder, 'readme.mjs'), example)
  writeFileSync(
    join(folder, 'notes.txt'),
    'The night was long. The access code for the North Gate is 48213.\n',
  )
  const memagent = join(folder, 'node_modules/memagent/dist/bin.js')
  const tries = [
    { title: "the README's example", args: ['readme.mjs'], finds: '48213' },
    { title: 'memagent ask', args: [memagent, 'ask', question, 'notes.txt', '--json'], finds: '48213' },
    // Its fact is drawn from tables, which are files beside the code.
    { title: 'memagent demo', args: [memagent, 'demo', '--tokens', '2000', '--json'], finds: '"found"' },
  ]
  // The machine's own Node may be the oldest one that is supported; npm's is the one that the scripts run on.
  const path = process.env.PATH!.split(':').filter((part) => !part.includes('node_modules'))
  for (const [node, environment] of [
    ['Node of the workspace', process.env],
    ["the machine's own Node", { ...process.env, PATH: path.join(':') }],
  ] as const) {
    const version = run('node', ['--version'], folder, environment).trim()
    for (const { title, args, finds } of tries) {
      if (!run('node', args, folder, environment).includes(finds))
        throw new Error(`${title} did not find ${finds}.`)
      say(`${node}, ${version}: ${title} finds ${finds}`)
    }
  }
  checkTypes(names, folder, root)
  // A tokenizer with a pattern that is not known counts in a worker thread, whose file must be among what was packed.
  writeFileSync(join(folder, 'counting.mjs'), counting)
  if (run('node', ['counting.mjs'], folder).trim() !== 'true')
    throw new Error('An unknown pattern does not count.')
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
  for (const name of readdirSync(join(folder, 'examples'))
    .filter((file) => file.endsWith('.ts'))
    .sort()) {
    const lines = run('node', [`examples/${name}`], folder)
      .trim()
      .split('\n')
    say(`node examples/${name}: ${lines.length} lines, the last: ${lines.at(-1)}`)
  }
}

/**
 * Compiles every package's types as the strictest programs do, with nothing optional installed.
 * @throws Error with what does not compile of ours: others' types are theirs to mend
 */
function checkTypes(names: readonly string[], folder: string, root: string): void {
  const typed = names.filter((name) => name.startsWith('@memagent/') && name !== '@memagent/nano')
  const lines = typed.map((name, i) => `export * as p${i} from '${name}'\n`)
  writeFileSync(join(folder, 'types.ts'), lines.join(''))
  const config = {
    compilerOptions: {
      ...{ strict: true, skipLibCheck: false, noEmit: true, module: 'nodenext', target: 'es2023' },
      ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    },
    files: ['types.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const args = [join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false', '-p', folder]
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  const ours = stdout.split('\n').filter((line) => /^(types\.ts|node_modules\/@memagent\/)/.test(line))
  if (ours.length > 0) throw new Error(`The types do not compile:\n${ours.join('\n')}`)
  say(`the types of ${typed.length} packages compile`)
}
