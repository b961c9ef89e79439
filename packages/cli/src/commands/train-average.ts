/** `memagent train average`: one model from several runs. */
import { isDeepStrictEqual } from 'node:util'
import type { ModelFolder } from '@memagent/engine'
import { Command, Option } from 'commander'
import { UsageError } from '../failures.ts'
import { printableLines, type Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'
import { requireApart, requireNoModel } from './require-apart.ts'

export function averageCommand(terminal: Terminal): Command {
  return new Command('average')
    .description('average models that were trained from the same weights')
    .argument('<to>', 'the folder to write, which holds no model yet')
    .argument('<models...>', 'two model folders or more; tokenizer and profile come from the first')
    .addOption(
      new Option('--type <type>', 'number format of the weights').choices(['F32', 'F16']).default('F32'),
    )
    .action(async (to: string, folders: readonly string[], flags: { readonly type: 'F32' | 'F16' }) => {
      if (folders.length < 2) throw tooFew(to)
      for (const folder of folders) await requireApart(folder, to)
      const { averageModels, loadModelFolder, saveModelFolder } = await import('@memagent/engine')
      const models = await Promise.all(folders.map((folder) => loadModelFolder(folder)))
      // Without the folder to write, the first model would be taken for it.
      requireNoModel(to, `${order} `)
      await saveModelFolder(to, averageModels(models), { dtype: flags.type })
      for (const warning of otherProfiles(folders, models)) terminal.stderr.write(`warning: ${warning}\n`)
      terminal.stderr.write(`${to} is written, the mean of ${count(models.length)} models.\n`)
    })
}

/** Warnings about models that were trained to read in another way than the profile of the mean says. */
function otherProfiles(folders: readonly string[], [first, ...others]: readonly ModelFolder[]): string[] {
  return others.flatMap((other, i) => {
    const fields = ['workflows', 'prompts', 'budget'].filter(
      (field) => !isDeepStrictEqual(other.profile?.[field], first!.profile?.[field]),
    )
    const what = `The profile of ${folders[i + 1]} has other ${fields.join(', ')} than that of ${folders[0]}`
    return fields.length === 0 ? [] : [printableLines(`${what}, which is written.`)]
  })
}

const order = 'The folder to write comes first: memagent train average TO MODEL MODEL...'

const tooFew = (to: string) =>
  new UsageError({
    code: 'cli/one-model',
    message: `Only one model is named to be averaged, besides ${to}, the folder to write.`,
    hint: order,
  })
