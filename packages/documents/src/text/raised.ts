/**
 * A superscript as it is written after `before`: a power or note number would otherwise become digits of the number before it.
 */
export const raisedBehind = (before: string, raised: string): string =>
  /\d[.,]?$/.test(before) && /^(?:[-+\u2212]?\d|[-+\u2212]$)/.test(raised) ? `^${raised}` : raised
