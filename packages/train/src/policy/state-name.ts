import { ConfigurationError } from '@memagent/core'

/** Names become part of file names and server paths. @throws ConfigurationError */
export function checkStateName(name: string): void {
  if (/^[\w-]{1,200}$/.test(name)) return
  throw new ConfigurationError({
    code: 'train/state-name',
    message: `"${name}" cannot name a state; use up to 200 letters, digits, - and _.`,
  })
}
