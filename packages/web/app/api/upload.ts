/** Uploads files and reports the progress, which only XMLHttpRequest can do. */
import { access } from './access.svelte.ts'
import { ApiFailure, failureOf } from './client.ts'
import type { UploadedFile } from './types.ts'

/**
 * @param onProgress given the share that was sent, from 0 to 1
 * @throws ApiFailure; the signal's reason
 */
export function upload(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadedFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', 'v1/files')
    for (const [name, value] of Object.entries(access.headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      if (request.status === 200) resolve(JSON.parse(request.responseText))
      else reject(failureOf(request.status, request.responseText))
    }
    request.onerror = () =>
      reject(new ApiFailure(0, 'The upload was cut off.', 'Is the server still running?'))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    form.append('purpose', 'run-file')
    form.append('file', file)
    request.send(form)
  })
}
