import { afterEach, describe, expect, it } from 'vitest'
import { read } from '../../reading/read.ts'
import { createPrefixCache } from '../../testing/prefix-cache.ts'
import { assertSameStructure, hostileText } from '../../testing/prompt-structure.ts'
import { contractText } from '../../testing/rehearsal.ts'
import { start, stop } from '../../testing/stubbed-chat.ts'
import { workflowNamed, workflowNames } from '../registry.ts'
import type { Workflow } from '../workflow.ts'
import { createNeutralizer } from './neutralize.ts'
import { promptsFor } from './prompts.ts'

afterEach(stop)

const block = /<(\w+)> ?\n\{\w+\}\n<\/\1>\n\n/g
/** Words and blocks, regardless of order. */
const partsOf = (template: string) => [
  template.replace(block, '').replace(/\s+/g, ' '),
  ...[...template.matchAll(block)].map(([whole]) => whole).sort(),
]

describe.each(workflowNames)('section-first of %s', (name) => {
  const setsOf = async () => {
    const workflow = (await workflowNamed(name)) as Workflow
    return {
      workflow,
      paper: promptsFor(workflow, 'paper'),
      sectionFirst: promptsFor(workflow, 'section-first'),
    }
  }

  it('has the words of paper, and the section before all that differs from question to question', async () => {
    const { paper, sectionFirst } = await setsOf()
    expect(Object.keys(sectionFirst.templates).sort()).toEqual(Object.keys(paper.templates).sort())
    let moved = 0
    for (const [kind, template] of Object.entries(sectionFirst.templates)) {
      expect(partsOf(template), kind).toEqual(partsOf(paper.templates[kind]!))
      if (!template.includes('<section>')) expect(template, kind).toBe(paper.templates[kind])
      else {
        moved++
        expect(template.match(/\{\w+\}/)?.[0], kind).toBe('{section}')
      }
    }
    // One with a question and one without.
    expect(moved).toBe(2)
    expect([...sectionFirst.markers].sort()).toEqual([...paper.markers].sort())
  })

  it('cannot be broken by what stands in its places', async () => {
    const { workflow, sectionFirst } = await setsOf()
    const neutralize = createNeutralizer(sectionFirst.markers)
    const rendered = (text: string) =>
      Object.entries(workflow.prompts.conversations).map(([kind, places]) => ({
        messages: sectionFirst.messages(
          kind,
          Object.fromEntries(places.map((place) => [place, neutralize(`${place} ${text}`)])),
        ),
        maxTokens: 1,
        tag: { step: 0, kind },
      }))
    assertSameStructure(rendered(hostileText), rendered('harmless'), sectionFirst.markers)
  })
})

describe('a server with a prefix cache', () => {
  const document = contractText(20)
  const questions = Array.from({ length: 8 }, (_, i) => `Who came on day ${i}, and with how many gifts?`)
  const budget = { window: 1200, question: 60, chunk: 600, memory: 60, output: 60 }

  /** The share of prompt tokens that the server had in its cache. */
  async function shareOf(prompts: string, workflow: string): Promise<number> {
    const { model } = await start({
      cachedTokens: createPrefixCache(),
      respond: ({ messages: [message] }) =>
        message!.content.includes('<section>') ? '+ Some guests came.' : '\\boxed{somebody}',
    })
    let [cached, all] = [0, 0]
    for (const question of questions) {
      const { usage } = await read({
        question,
        document,
        model,
        workflow: await workflowNamed(workflow),
        profile: { name: 'test', budget, prompts },
      })
      expect(usage.cachedPromptTokens).toBeDefined()
      cached += usage.cachedPromptTokens!
      all += usage.promptTokens
    }
    await stop()
    return cached / all
  }

  it.each(['overwrite', 'edits'])('serves a section of %s to every question', async (workflow) => {
    const [inOrder, sectionFirst] = [
      await shareOf('paper', workflow),
      await shareOf('section-first', workflow),
    ]
    // Seven of the eight questions can share everything.
    expect(sectionFirst).toBeGreaterThan(0.7)
    // The instructions are the same for all.
    expect(inOrder).toBeLessThan(0.4)
  })
})
