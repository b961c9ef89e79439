/** `memagent export gguf FOLDER FILE`: a model folder as a file for llama.cpp. */
import { Command, Option } from 'commander'
import { exitCodes, report } from '../failures.ts'
import type { Terminal } from '../terminal.ts'

export function exportCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const gguf = new Command('gguf')
    .description('write a model folder as one GGUF file')
    .argument('<folder>', 'config.json, model.safetensors, tokenizer.json, tokenizer_config.json')
    .argument('<file>')
    .addOption(new Option('--type <type>', 'how numbers are stored').choices(['F32', 'F16']).default('F16'))
    .action(async (folder: string, file: string, flags: { readonly type: 'F32' | 'F16' }) => {
      try {
        const { exportGguf } = await import('@memagent/engine')
        await exportGguf(folder, file, { type: flags.type })
        terminal.stderr.write(`${file} is written.\n`)
        setExitCode(exitCodes.ok)
      } catch (error) {
        setExitCode(report(error, terminal, { json: false }))
      }
    })
  return new Command('export').description('write models for other programs').addCommand(gguf)
}
