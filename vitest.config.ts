import { configDefaults, defineConfig } from 'vitest/config'

const conditions = ['@memagent/source', 'node', 'module', 'default']

/** They change what all modules share. */
const alone = [
  'packages/cli/src/**/*.test.ts',
  'packages/core/src/errors.test.ts',
  'packages/core/src/workflows/load-workflow.test.ts',
]

export default defineConfig({
  resolve: { conditions, alias: { 'fast-check': `${import.meta.dirname}/test/fast-check.ts` } },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      // These tests change nothing outside their own file, so files share loaded modules, which saves a third of the time.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['packages/*/src/**/*.test.ts', 'packages/web/app/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: alone } },
    ],
    globalSetup: ['test/own-temporary-folder.ts', 'test/own-postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No test reads the configuration of whoever runs it.
    env: { XDG_CONFIG_HOME: '/memagent-tests-have-no-configuration' },
    maxWorkers: 2,
    // V8 of Node 24 can free the wrapper of a WebAssembly import twice, and ends the process (SIGTRAP), when two
    // worker threads strip types at once and the main thread, whose modules Vite transforms, never did. Wrappers are
    // compiled, and freed, only once this many calls were made.
    execArgv: ['--wasm-wrapper-tiering-budget=2000000000'],
  },
})
