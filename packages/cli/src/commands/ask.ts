/** `memagent ask "QUESTION" [FILE...]`, and `memagent notes [FILE...]`, which reads the same way without a question. */
import { Command } from 'commander'
import { addFollowOptions } from '../follow/follow-options.ts'
import type { Terminal } from '../terminal.ts'
import { type AskFlags, addAskOptions } from './ask-options.ts'
import { readTexts } from './read-texts.ts'

export function askCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const command = new Command('ask')
    .description('answer a question about texts of any length')
    .argument('<question>')
    .showHelpAfterError('To take general notes, without a question: memagent notes FILE...')
  return addFollowOptions(addAskOptions(command, terminal))
    .addHelpText(
      'after',
      '\nExit codes: 0 found, 3 not in the text, 4 unsure (a warning says why the answer may be wrong), 1 failed, 2 wrong usage.',
    )
    .action(async (question: string, files: string[], flags: AskFlags) => {
      setExitCode(await readTexts({ question, files, flags }, terminal))
    })
}

export function notesCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  return addAskOptions(new Command('notes'), terminal)
    .description('take notes on texts of any length, without a question')
    .addHelpText('after', '\nExit codes: 0 notes, 3 nothing was noted, 1 failed, 2 wrong usage.')
    .action(async (files: string[], flags: AskFlags) => {
      setExitCode(await readTexts({ question: undefined, files, flags }, terminal))
    })
}
