import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

/** One script and one style sheet, which `src/page-html.ts` puts into a page. */
export default defineConfig({
  plugins: [svelte()],
  logLevel: 'warn',
  build: {
    outDir: 'dist/page',
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'page/main.ts',
      output: { format: 'iife', entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
    },
  },
})
