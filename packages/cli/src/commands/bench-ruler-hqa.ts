/** `memagent bench ruler-hqa`: a training set of RULER-HQA as the MemAgent paper makes it, for the task `jsonl`. */
import { writeFile } from 'node:fs/promises'
import type { ChatModel } from '@memagent/core'
import { type AskWithoutText, writeTrainingSet } from '@memagent/tasks'
import { Command } from 'commander'
import { openingStage, openModel } from '../backends.ts'
import { exitCodes, report } from '../failures.ts'
import { createServerWaits } from '../server-waits.ts'
import { printJson, type Terminal } from '../terminal.ts'
import { openView } from '../view/progress.ts'
import { addModelOptions, integer, type ModelFlags, modelRequest, wholeNumber } from './reading-options.ts'

interface RulerHqaFlags extends ModelFlags {
  readonly hotpotqa: string
  readonly output: string
  readonly questions?: string
  readonly samples: number
  readonly documents: number
  readonly bestOf: number
  readonly seed: number
  readonly concurrency?: number
  readonly json?: boolean
  readonly color: boolean
}

export function benchRulerHqaCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const command = new Command('ruler-hqa')
    .description('write questions of HotpotQA with many documents each, without those that a model knows')
    .requiredOption('--hotpotqa <file>', 'hotpot_train_v1.1.json, from https://hotpotqa.github.io')
    .requiredOption('--output <file>', 'questions to write, for the task jsonl; a stopped run resumes there')
    .option('--questions <file>', 'write the questions alone there, for the option `questions` of ruler-hqa')
    .option('--samples <n>', 'questions', integer('--samples'), 32_768)
    .option('--documents <n>', 'documents of each question', integer('--documents'), 200)
    .option('--best-of <n>', 'tries at a question without any document', integer('--best-of'), 2)
    .option('--seed <n>', 'seed of the draw and of the tries', wholeNumber('--seed'), 1)
    .option('--json', 'print one JSON document at the end')
  return addModelOptions(command, { of: 'questions', standard: 16 }).action(async (flags: RulerHqaFlags) => {
    setExitCode(await benchRulerHqa(flags, terminal))
  })
}

/** Without `--model` nothing is dropped. */
async function benchRulerHqa(flags: RulerHqaFlags, terminal: Terminal): Promise<number> {
  const view = openView(flags, terminal)
  let model: ChatModel | undefined
  try {
    if (flags.model !== undefined) {
      view?.waitFor(openingStage(flags.model))
      const opened = await openModel(modelRequest(flags), terminal.environment, createServerWaits(view))
      model = opened.model
    }
    view?.end()
    const { hotpotqa, output, samples, documents, seed, bestOf, concurrency = 16 } = flags
    let decided = 0
    const { questions, dropped } = await writeTrainingSet({
      path: hotpotqa,
      out: output,
      samples,
      documents,
      seed,
      ask: model && askModel(model, seed),
      askedModel: model?.name,
      bestOf,
      concurrency,
      onDecision({ kept, dropped }) {
        decided += 1
        if (decided % 100 === 0) terminal.stderr.write(`${kept} kept, ${dropped} dropped\n`)
      },
    })
    if (flags.questions !== undefined) {
      await writeFile(flags.questions, questions.map((question) => `${question}\n`).join(''))
    }
    terminal.stderr.write(
      `${output}: ${questions.length} questions${model ? `; ${dropped} dropped that ${model.name} answers without a text` : ''}\n`,
    )
    if (flags.json) {
      const asked = model && { model: model.name, dropped }
      printJson(terminal.stdout, { output, questions: questions.length, ...asked })
    }
    return exitCodes.ok
  } catch (error) {
    view?.end()
    return report(error, terminal, flags, { resumeHint: 'Run the same command again to resume.' })
  } finally {
    await model?.close?.()
  }
}

/** The sampling of the filter in the paper's repository. */
const sampling = { maxTokens: 512, temperature: 1, topP: 0.7 }

const askModel =
  (model: ChatModel, seed: number): AskWithoutText =>
  async (question, attempt) => {
    const content = `${question}\n\nAnswer from what you know, in a few words.`
    const { text } = await model.generate([{ role: 'user', content }], { ...sampling, seed: seed + attempt })
    return text
  }
