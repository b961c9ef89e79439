/** Refuses versions of Node that lack what memagent uses, in words instead of a syntax error further down. */
import { ConfigurationError } from './errors.ts'

const oldestNode = 20

const version = (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node
if (version !== undefined && Number(version.split('.')[0]) < oldestNode) {
  throw new ConfigurationError({
    code: 'runtime/node-too-old',
    message: `memagent needs Node ${oldestNode} or newer; this is Node ${version}.`,
    hint: 'Install a newer Node, or run the script with: npx -p node@24 node SCRIPT',
  })
}
