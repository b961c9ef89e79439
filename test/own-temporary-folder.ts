/** Gives the run a temporary folder of its own, and fails the run when a test has left something in it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'memagent-tests-'))
  // TMPDIR on Linux and macOS, the others on Windows. Test processes and the commands that they start inherit them.
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder
  return () => {
    const left = readdirSync(folder)
    rmSync(folder, { recursive: true, force: true })
    if (left.length > 0)
      throw new Error(`The tests left ${left.length} entries in the temporary folder: ${left.join(', ')}`)
  }
}
