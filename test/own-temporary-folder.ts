/**
 * Gives the run its own temporary folder and data folder, and fails it if a test leaves something in the temporary one. The
 * commands of all tests compile the sources once, not each for itself: that is most of what a short one does.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function setup(): () => void {
  // Vitest runs this for the whole run and again for each project.
  if (process.env.MEMAGENT_TESTS) return () => undefined
  const folder = mkdtempSync(join(tmpdir(), 'memagent-tests-'))
  process.env.MEMAGENT_TESTS = folder
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  // TMPDIR on Linux and macOS, the others on Windows. Test processes and the commands that they start inherit them.
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = temporary
  // Commands keep their runs in the user's folder for data.
  process.env.XDG_DATA_HOME = join(folder, 'data')
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  return () => {
    const left = readdirSync(temporary)
    rmSync(folder, { recursive: true, force: true })
    if (left.length > 0) {
      throw new Error(`The tests left ${left.length} entries in the temporary folder: ${left.join(', ')}`)
    }
  }
}
