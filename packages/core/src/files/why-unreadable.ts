import { DocumentError } from '../errors.ts'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of its path is a file, not a folder',
  EACCES: 'permission denied',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8',
}

/** Why a file could not be read, in words for the end of a message, or else the error's code. */
export function whyUnreadable(cause: unknown): string {
  const { code } = cause as { code?: string }
  return code === undefined ? String(cause) : (reasons[code] ?? code)
}

/** The error for a text file that cannot be read. */
export function unreadable(path: string, cause: unknown): DocumentError {
  // The bytes of such a name are lost when it is decoded, so that it names no file.
  const isMisnamed = path.includes('\ufffd') && (cause as { code?: string }).code === 'ENOENT'
  return new DocumentError({
    code: 'document/unreadable',
    message: `Cannot read ${path}: ${isMisnamed ? 'its name is not UTF-8' : whyUnreadable(cause)}.`,
    hint: isMisnamed ? 'Rename it.' : undefined,
    details: { path },
    cause,
  })
}
