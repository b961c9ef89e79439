/** `memagent ask "QUESTION" [FILE...]`, and `memagent notes [FILE...]`, which reads the same way without a question. */
import { Command } from 'commander'
import { addFollowOptions } from '../follow/follow-options.ts'
import { addFormatOption, addQuestionsOption } from '../questions/questions-option.ts'
import type { Terminal } from '../terminal.ts'
import { type AskFlags, addAskOptions } from './ask-options.ts'
import { readTexts } from './read-texts.ts'

export function askCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const command = new Command('ask')
    .description('answer a question about texts of any length')
    .argument('[question]', 'omit with --questions')
    .showHelpAfterError('To take general notes, without a question: memagent notes FILE...')
  return addAskOptions(addFollowOptions(addFormatOption(addQuestionsOption(command))), terminal)
    .addHelpText(
      'after',
      '\nExit codes: 0 found, 3 not found, 4 unsure (a warning says why the answer may be wrong), 1 failed, 2 wrong usage.\nWith several questions, the most severe: failed, then unsure, then not found.',
    )
    .action(async (question: string | undefined, files: string[], flags: AskFlags) => {
      if (question === undefined && flags.questions === undefined) {
        command.error("error: missing required argument 'question'", { code: 'commander.missingArgument' })
      }
      const request = flags.questions === undefined ? { question, files } : withoutQuestion(question, files)
      setExitCode(await readTexts({ ...request, flags }, terminal))
    })
}

/** With `--questions`, all arguments are texts. */
const withoutQuestion = (first: string | undefined, rest: readonly string[]) => ({
  question: undefined,
  files: first === undefined ? rest : [first, ...rest],
})

export function notesCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  return addAskOptions(new Command('notes'), terminal)
    .description('take notes on texts of any length, without a question')
    .addHelpText('after', '\nExit codes: 0 notes, 3 nothing was noted, 1 failed, 2 wrong usage.')
    .action(async (files: string[], flags: AskFlags) => {
      setExitCode(await readTexts({ question: undefined, files, flags }, terminal))
    })
}
