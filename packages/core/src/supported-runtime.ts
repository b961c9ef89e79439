/** Rejects versions of Node that lack what memagent uses, with a message instead of a syntax error later on. */
import { ConfigurationError } from './errors.ts'

const oldestNode = '20.16'

const version = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node
if (version !== undefined && !isAtLeast(version, oldestNode)) {
  throw new ConfigurationError({
    code: 'runtime/node-too-old',
    message: `memagent needs Node ${oldestNode} or newer; this is Node ${version}.`,
    hint: 'Install a newer Node, or run the script with: npx -p node@24 node SCRIPT',
  })
}

function isAtLeast(version: string, oldest: string): boolean {
  const [[major = 0, minor = 0], [oldMajor = 0, oldMinor = 0]] = [version, oldest].map((text) =>
    text.split('.').map(Number),
  ) as [number[], number[]]
  return major > oldMajor || (major === oldMajor && minor >= oldMinor)
}
