/** For `node --import`: writes the peak of the process's resident memory, in bytes, to the file that the environment names. */
import { writeFileSync } from 'node:fs'

process.on('exit', () => {
  writeFileSync(process.env.PEAK_MEMORY_FILE!, String(process.resourceUsage().maxRSS * 1024))
})
