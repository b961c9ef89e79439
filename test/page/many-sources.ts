/** A server in this process whose keys are known, and a reading whose answer has as many sources as wanted. */
import { createScriptedModel, overwrite, type Workflow } from '@memagent/core'
import { createKey, hashOfKey, listen, type RunningServer } from '@memagent/server'
import { openRunStore } from '@memagent/store'

export interface KeyServer extends RunningServer {
  readonly key: string
}

/** @param folder an existing one, for its data */
export async function serveWithKey(folder: string): Promise<KeyServer> {
  const store = await openRunStore(`${folder}/keys.sqlite`)
  const key = createKey()
  await store.keys.add('ann', hashOfKey(key))
  const server = await listen({
    models: [
      {
        id: 'noter',
        model: createScriptedModel(keepEverything, { name: 'noter' }),
        profile: {
          name: 'large',
          budget: { window: 60_000, question: 100, chunk: 4000, memory: 20_000, output: 20_000 },
        },
        workflow: overwrite as unknown as Workflow,
      },
    ],
    store,
    uploads: `${folder}/uploads`,
    findKey: (hash) => store.keys.find(hash),
    port: 0,
  })
  const { url } = server
  return {
    ...{ url, key },
    async stop() {
      await server.stop()
      await store.close()
    },
  }
}

/** Each of its lines is a statement with a passage. */
export const manyFacts = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) =>
      `On day ${i + 1} the ferry Elin brought ${(i * 37) % 211} passengers and ${(i * 13) % 97} crates to the east quay.`,
  ).join('\n')

function keepEverything({ messages }: { messages: readonly { content: string }[] }): string {
  const prompt = messages.at(-1)!.content
  const part = (name: string) => new RegExp(`<${name}>\\s*([\\s\\S]*?)\\s*</${name}>`).exec(prompt)?.[1]
  const facts = [...(part('memory') ?? '').split('\n'), ...(part('section') ?? '').split('\n')]
  const kept = facts.filter((line) => line.startsWith('On day')).join('\n')
  return prompt.includes('<section>') ? kept : `\\boxed{${kept}}`
}
