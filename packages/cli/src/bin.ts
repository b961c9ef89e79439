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
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
})
