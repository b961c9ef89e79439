/**
 * Another order for prompts that begin with their instructions: the section before question and memory. All questions about a
 * text then share the beginning of a prompt up to the end of the section, which a server with a prefix cache computes once.
 */

const section = '<section>\n{section}\n</section>\n\n'
const firstBlock = /<\w+> ?\n\{/

/** The same words with the section moved before the first of the other blocks; a template without a section stays. */
export const sectionFirst = <Templates extends Readonly<Record<string, string>>>(
  templates: Templates,
): Templates =>
  Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [name, withSectionFirst(template)]),
  ) as Templates

function withSectionFirst(template: string): string {
  if (!template.includes(section)) return template
  const others = template.replace(section, '')
  const at = others.search(firstBlock)
  return `${others.slice(0, at)}${section}${others.slice(at)}`
}
