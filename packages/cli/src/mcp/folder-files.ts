/** Files of open folders in place of uploads: their ids are their paths. */
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { type Upload, Uploads } from '@memagent/server'
import type { AllowedFolders } from './allowed-folders.ts'

export class FolderFiles extends Uploads {
  readonly #folders: AllowedFolders

  /** @param uploads the upload folder of a server; none of its files are open here */
  constructor(folders: AllowedFolders, uploads: string) {
    super(uploads, 0)
    this.#folders = folders
  }

  /** @throws UsageError for a path that is not open */
  override async find(_: string | undefined, path: string): Promise<Upload> {
    const real = await this.#folders.resolve(path)
    const { size } = await stat(real)
    return { id: real, filename: real, purpose: 'file', bytes: size, createdMs: 0 }
  }

  /** Checked again before reading: a link may have taken its place. */
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
