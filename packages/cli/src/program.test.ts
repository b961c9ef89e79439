import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { programName, version } from './program.ts'

const folder = temporaryFolder(beforeEach, afterEach)

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
    cwd: folder.path,
    encoding: 'utf8',
  }).trim()

function write(path: string, text: string): string {
  mkdirSync(folder.join(path, '..'), { recursive: true })
  writeFileSync(folder.join(path), text)
  return folder.join(path)
}

it('is the version where nothing else is known', async () => {
  expect(await programName(write('source.ts', '1'))).toBe(version)
})

it('names the commit of a checkout, and that there are changes', async () => {
  const source = write('source.ts', '1')
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
  const commit = git('rev-parse', 'HEAD')
  write('notes.txt', 'not tracked')
  expect(await programName(source)).toBe(`${version}, commit ${commit}`)
  write('source.ts', '2')
  expect(await programName(source)).toBe(`${version}, commit ${commit}, with changes`)
})

it('never names the commit of a project that it is installed in', async () => {
  write('own.txt', '1')
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'one')
  expect(await programName(write('node_modules/memagent/program.ts', '1'))).toBe(version)
})
