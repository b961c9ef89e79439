/** `memagent export gguf FOLDER FILE` for llama.cpp; `memagent export folder FOLDER FOLDER` for transformers and for packaging. */
import { Command, Option } from 'commander'
import type { Terminal } from '../terminal.ts'
import { requireApart, requireNoModel } from './require-apart.ts'

export function exportCommand(terminal: Terminal): Command {
  const gguf = new Command('gguf')
    .description('write a model folder as one GGUF file')
    .argument('<folder>', 'config.json, model.safetensors, tokenizer.json, tokenizer_config.json')
    .argument('<file>')
    .addOption(
      new Option('--type <type>', 'number format of the weights').choices(['F32', 'F16']).default('F16'),
    )
    .action(async (folder: string, file: string, flags: { readonly type: 'F32' | 'F16' }) => {
      const { exportGguf } = await import('@memagent/engine')
      await exportGguf(folder, file, { type: flags.type })
      terminal.stderr.write(`${file} is written.\n`)
    })
  const folderCopy = new Command('folder')
    .description('copy a model folder with its weights in another number format')
    .argument('<folder>', 'model folder, as for gguf')
    .argument('<to>', 'the folder to write, which holds no model yet')
    .addOption(
      new Option('--type <type>', 'number format of the weights')
        .choices(['F32', 'F16', 'BF16'])
        .default('F16'),
    )
    .action(async (folder: string, to: string, flags: { readonly type: 'F32' | 'F16' | 'BF16' }) => {
      await requireApart(folder, to)
      requireNoModel(to)
      const { loadModelFolder, saveModelFolder } = await import('@memagent/engine')
      await saveModelFolder(to, await loadModelFolder(folder), { dtype: flags.type })
      terminal.stderr.write(`${to} is written.\n`)
    })
  return new Command('export')
    .description('export models for other programs')
    .addCommand(gguf)
    .addCommand(folderCopy)
}
