/**
 * Trains the arms one after the other. Every run goes on from its last checkpoint; a finished one ends at once.
 *   npm run lab:train -- [ARM...]
 */
import { spawn } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { arms } from './arms.ts'

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !arms.some((arm) => arm.name === name))
if (unknown.length > 0) {
  throw new Error(`no arm named ${unknown.join(', ')}; there are ${arms.map(({ name }) => name).join(', ')}`)
}
await mkdir('recipes/lab/results', { recursive: true })
let isInterrupted = false
process.on('SIGINT', () => {
  isInterrupted = true
})

for (const { name, command, config, settings } of arms) {
  if (isInterrupted || (wanted.length > 0 && !wanted.includes(name))) continue
  process.stderr.write(`--- ${name}\n`)
  const args = [
    '--conditions=@memagent/source',
    'packages/cli/src/bin.ts',
    'train',
    command,
    '--config',
    config,
  ]
  const child = spawn(process.execPath, [...args, ...settings.flatMap((setting) => ['--set', setting])], {
    stdio: 'inherit',
  })
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
  await copyFile(`runs/lab/${name}/metrics.jsonl`, `recipes/lab/results/${name}.jsonl`).catch(() => undefined)
  if (code !== 0) {
    process.exitCode = code ?? 1
    break
  }
}
