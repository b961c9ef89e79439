/** Tells files apart without reading all of them: weights take gigabytes. */

const samples = 256
const sampleBytes = 4096

/** From size, modification time and samples throughout the file. @throws as `node:fs` if it cannot be read */
export async function fileFingerprint(path: string): Promise<string> {
  // Node modules are loaded only here: what imports this module also runs in browsers.
  const [{ createHash }, { open }] = await Promise.all([import('node:crypto'), import('node:fs/promises')])
  const file = await open(path)
  try {
    const { size, mtimeMs } = await file.stat()
    const hash = createHash('sha256').update(`${size} ${mtimeMs} `)
    const buffer = Buffer.alloc(sampleBytes)
    for (let i = 0; i < samples; i++) {
      const at = Math.floor((i / samples) * size)
      const { bytesRead } = await file.read(buffer, 0, sampleBytes, at)
      hash.update(buffer.subarray(0, bytesRead))
    }
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}
