/**
 * The sets of prompts that a built-in workflow brings. `section-first` is another order for prompts that begin with their
 * instructions: the section before question and memory. All questions about a text then share the beginning of a prompt up to the
 * end of the section, which a server with a prefix cache computes once.
 */

const section = '<section>\n{section}\n</section>\n\n'
const firstBlock = /<\w+> ?\n\{/

/** @param paper for instruction-tuned models @param compact for very small ones @param markers what structures these besides tags */
export const promptSets = <Paper extends Templates, Compact extends Templates>(
  paper: Paper,
  compact: Compact,
  markers: readonly string[] = ['\\boxed{'],
) => ({
  paper: { templates: paper },
  'section-first': { templates: sectionFirst(paper) },
  compact: { templates: compact, markers },
})

type Templates = Readonly<Record<string, string>>

/** The same words with the section moved before the first of the other blocks; a template without a section stays. */
const sectionFirst = <Set extends Templates>(templates: Set): Set =>
  Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [name, withSectionFirst(template)]),
  ) as Set

function withSectionFirst(template: string): string {
  if (!template.includes(section)) return template
  const others = template.replace(section, '')
  const at = others.search(firstBlock)
  return `${others.slice(0, at)}${section}${others.slice(at)}`
}
