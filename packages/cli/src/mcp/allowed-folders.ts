/** The folders whose files clients may have read. Nothing outside them is, by any path or link. */
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { UsageError } from '../failures.ts'

interface Folder {
  /** As given, but absolute. */
  readonly given: string
  /** With links resolved. */
  readonly real: string
}

export class AllowedFolders {
  readonly #folders: readonly Folder[]

  private constructor(folders: readonly Folder[]) {
    this.#folders = folders
  }

  /** @throws UsageError for a path that is not a folder */
  static async open(paths: readonly string[]): Promise<AllowedFolders> {
    const folders: Folder[] = []
    for (const path of paths) {
      const given = resolve(path)
      const status = await stat(given).catch(() => undefined)
      if (!status?.isDirectory()) throw noFolder(path)
      folders.push({ given, real: await realpath(given) })
    }
    return new AllowedFolders(folders)
  }

  /** For messages. */
  get names(): readonly string[] {
    return this.#folders.map(({ given }) => given)
  }

  /**
   * The real path of a file or folder.
   * @param path absolute, or relative to one of the folders
   * @throws UsageError if it is outside, hidden, missing, or neither a file nor a folder
   */
  async resolve(path: string): Promise<string> {
    for (const { given, real } of this.#folders) {
      const named = resolve(given, path)
      // Outside, do not even reveal whether it exists.
      if (!isInside(named, given) && !isInside(named, real)) continue
      const found = await realpath(named).catch(() => undefined)
      if (found === undefined) continue
      if (!this.#contains(found)) throw this.#notAllowed(path)
      const status = await stat(found)
      if (!status.isFile() && !status.isDirectory()) throw this.#notAllowed(path)
      return found
    }
    throw this.#notAllowed(path)
  }

  /** Whether a path that was read earlier is inside; the file may be gone. */
  async has(path: string): Promise<boolean> {
    if (!isAbsolute(path)) return false
    const real = await realpath(path).catch(() => undefined)
    return this.#contains(real ?? resolve(path))
  }

  #contains(real: string): boolean {
    return this.#folders.some((folder) => isInside(real, folder.real))
  }

  #notAllowed(path: string): UsageError {
    return new UsageError({
      code: 'mcp/not-open',
      message: `There is no file or folder ${path} that may be read here.`,
      hint: `Readable: files in ${this.names.join(', ')}, except hidden files and links pointing outside.`,
    })
  }
}

/** The folder itself, or something in it that is not hidden. */
function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return !isAbsolute(way) && !way.split(sep).some((name) => name.startsWith('.'))
}

const noFolder = (path: string) =>
  new UsageError({
    code: 'mcp/no-folder',
    message: `${path} is no folder.`,
    hint: 'Name a folder that clients may read from: memagent mcp --root FOLDER',
  })
