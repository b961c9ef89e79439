/** Where the user's own configuration is. Never next to documents: whoever sends a text must not choose where it is sent. */
import { isAbsolute, join } from 'node:path'

export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** @default process.platform */
  readonly platform?: NodeJS.Platform | undefined
}

/** Undefined if the environment names no user folder. Relative folders are ignored, as the XDG specification says. */
export function configurationPath({
  environment,
  platform = process.platform,
}: Surroundings): string | undefined {
  const folder = (name: string, ...below: string[]) => {
    const value = environment[name]
    return value && isAbsolute(value) ? join(value, ...below) : undefined
  }
  const base =
    folder('XDG_CONFIG_HOME') ??
    (platform === 'win32'
      ? folder('APPDATA')
      : platform === 'darwin'
        ? folder('HOME', 'Library', 'Application Support')
        : folder('HOME', '.config'))
  return base && join(base, 'memagent', 'config.yaml')
}
