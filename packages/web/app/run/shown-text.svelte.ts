/** Shows passages of uploads in their text. */
import { setContext } from 'svelte'
import { type InText, inTextKey } from '../../page/in-text.ts'
import type { LiveRun } from './live-run.svelte.ts'

export interface ShownPassage {
  /** Id of the upload. */
  readonly file: string
  readonly name: string
  readonly startByte: number
  readonly endByte: number
  readonly quote: string | undefined
}

class ShownText {
  passage = $state.raw<ShownPassage | undefined>(undefined)
}

/** Provides this to the components below the caller. */
export function letPassagesBeShown(live: () => LiveRun): ShownText {
  const shown = new ShownText()
  const inText: InText = {
    canShow: (name) => uploadOf(live(), name) !== undefined,
    show: ({ name, startByte, endByte, quote }) => {
      const file = uploadOf(live(), name)
      if (file !== undefined) shown.passage = { file, name, startByte, endByte, quote }
    },
  }
  setContext(inTextKey, inText)
  return shown
}

/** Undefined if two uploads have this name, or it is a file inside one. */
function uploadOf({ run }: LiveRun, name: string): string | undefined {
  const [file, ...others] = run?.files?.filter((one) => one.name === name) ?? []
  return others.length === 0 ? file?.id : undefined
}
