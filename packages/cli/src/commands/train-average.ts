/** `memagent train average`: one model from several runs. */

import { Command, Option } from 'commander'
import type { Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'
import { requireApart } from './require-apart.ts'

export function averageCommand(terminal: Terminal): Command {
  return new Command('average')
    .description('average models that were trained from the same weights')
    .argument('<to>', 'the folder to write')
    .argument('<models...>', 'model folders; tokenizer and profile come from the first')
    .addOption(
      new Option('--type <type>', 'number format of the weights').choices(['F32', 'F16']).default('F32'),
    )
    .action(async (to: string, folders: readonly string[], flags: { readonly type: 'F32' | 'F16' }) => {
      for (const folder of folders) await requireApart(folder, to)
      const { averageModels, loadModelFolder, saveModelFolder } = await import('@memagent/engine')
      const models = await Promise.all(folders.map((folder) => loadModelFolder(folder)))
      await saveModelFolder(to, averageModels(models), { dtype: flags.type })
      terminal.stderr.write(`${to} is written, the mean of ${count(models.length)} models.\n`)
    })
}
