import { ConfigurationError } from '@memagent/core'

/** What a program gives may come from JavaScript: the error names the option. */
export const badOption = (what: string, hint?: string): ConfigurationError =>
  new ConfigurationError({ code: 'document/bad-option', message: `The option ${what}.`, hint })
