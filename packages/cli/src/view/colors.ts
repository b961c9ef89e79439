import pc from 'picocolors'
import type { Output, Terminal } from '../terminal.ts'

/** Functions that colour text, or leave it as it is. */
export type Colors = ReturnType<typeof pc.createColors>

export const noColors: Colors = pc.createColors(false)

/** Those for an output: without a terminal, and where the user wants none, there are no colours. */
export const colorsOf = (
  { color }: { readonly color: boolean },
  { environment }: Pick<Terminal, 'environment'>,
  output: Output,
): Colors => pc.createColors(color && !environment.NO_COLOR && output.isTTY === true)
