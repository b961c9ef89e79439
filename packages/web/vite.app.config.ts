import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'

const folder = join(import.meta.dirname, 'dist/app')

/** Writes compressed forms of every file, which the server sends as they are. */
const precompressed: Plugin = {
  name: 'precompressed',
  async writeBundle() {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const content = await readFile(path)
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
    }
  },
}

/** The page of the server: files with hashed names, which `packages/server` sends. */
export default defineConfig({
  root: join(import.meta.dirname, 'app'),
  // Also works behind a proxy that serves it under a path.
  base: './',
  plugins: [svelte(), precompressed],
  logLevel: 'warn',
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    reportCompressedSize: false,
  },
})
