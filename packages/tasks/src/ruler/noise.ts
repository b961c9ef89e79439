/** The line that RULER's haystack of noise repeats. */
export const noiseLine =
  'The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.'
