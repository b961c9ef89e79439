/** What the file of a method gives to the registry. Types only. */
import type { ModelSettings } from '@memagent/core'
import type { z } from 'zod'
import type { Method } from '../method.ts'

/** What concerns endpoints beside the chat model's; `baseUrl` is that of its server, if it has one. */
export type MethodSettings = Pick<ModelSettings, 'baseUrl' | 'environment' | 'fetch' | 'retry' | 'onWait'>

export interface MethodFactory<Schema extends z.ZodObject = z.ZodObject> {
  /** One line for reports and help texts. */
  readonly description: string
  /** Where it was found by a path. */
  readonly ownName?: string | undefined
  /** Options by name; values may be texts from a command line. */
  readonly options: Schema
  /** Options that affect only speed, not the answer; they are left out of the method's name. @default none */
  readonly unnamed?: readonly (keyof z.output<Schema> & string)[]
  /** Options that may be a path, of which the method's name has the last part. @default none */
  readonly paths?: readonly (keyof z.output<Schema> & string)[]
  /** @throws ConfigurationError when the settings lack something the method needs */
  create(name: string, options: z.output<Schema>, settings: MethodSettings): Method | Promise<Method>
}
