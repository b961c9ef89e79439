#!/usr/bin/env node
// Checks the version of Node before anything else is loaded: the rest uses what older versions lack.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 16)) {
  process.stderr.write(
    `memagent needs Node 20.16 or newer; this is ${process.versions.node}. Install a newer one, for instance with: npx -p node@24 -p memagent memagent\n`,
  )
  process.exit(2)
}
const { handleLostOutputs } = await import('./lost-outputs.ts')
handleLostOutputs({ stdout: process.stdout, stderr: process.stderr, exit: process.exit })
const { standardInput } = await import('./standard-input.ts')
const { main } = await import('./main.ts')
process.on('exit', () => {
  if (process.exitCode !== undefined) return
  process.exitCode = 1
  process.stderr.write(
    'error: The run ended without a result: it waited for what never comes, such as a promise in a module of your own.\n',
  )
})
// Not awaited: Node would report an unsettled await on this line instead of the error above.
void main(process.argv.slice(2), {
  stdin: standardInput(),
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
}).then((code) => {
  process.exitCode = code
})
