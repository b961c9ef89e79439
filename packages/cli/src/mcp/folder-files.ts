/** Files of open folders in the place of uploads: their ids are their paths. */
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { type Upload, Uploads } from '@memagent/server'
import type { AllowedFolders } from './allowed-folders.ts'

export class FolderFiles extends Uploads {
  readonly #folders: AllowedFolders

  /** @param uploads the folder of those of a server, of which none is open here */
  constructor(folders: AllowedFolders, uploads: string) {
    super(uploads, 0)
    this.#folders = folders
  }

  /** @throws UsageError for what is not open */
  override async find(_: string | undefined, path: string): Promise<Upload> {
    const real = await this.#folders.resolve(path)
    const { size } = await stat(real)
    return { id: real, filename: real, purpose: 'file', bytes: size, createdMs: 0 }
  }

  /** Looked at again before it is read: a link may have taken its place. */
  override async has(path: string): Promise<boolean> {
    if (!isAbsolute(path)) return false
    return this.#folders.resolve(path).then(
      (real) => real === path,
      () => false,
    )
  }

  override fileOf({ id }: Pick<Upload, 'id'>): { readonly path: string; readonly name: string } {
    return { path: id, name: id }
  }
}
