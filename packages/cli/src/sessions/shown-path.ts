import { isAbsolute, relative } from 'node:path'

/** Sessions know files by their whole paths; people know them from the folder where they are. */
export function shownPath(path: string): string {
  if (!isAbsolute(path)) return path
  const below = relative(process.cwd(), path)
  return below === '' || below.startsWith('..') || isAbsolute(below) ? path : below
}
