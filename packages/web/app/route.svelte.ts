/** What the page shows, by the fragment of its address. */

export type Route =
  | { readonly view: 'new' }
  | { readonly view: 'runs' }
  | {
      readonly view: 'run'
      readonly id: string
      /** From 1. */
      readonly step: number | undefined
      /** If there are several, from 1. */
      readonly question: number | undefined
    }
  | { readonly view: 'compare'; readonly ids: readonly [string, string] }
  | { readonly view: 'sessions' }
  | { readonly view: 'session'; readonly name: string }
  | { readonly view: 'reports' }
  | { readonly view: 'report'; readonly id: string }

/** @param hash `#/runs/3f2a?step=5` @returns the first view for an address that names none */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const [view, first, second] = path.split('/').map(decoded)
  if (view === 'runs' && first) {
    const parameters = new URLSearchParams(query)
    return {
      view: 'run',
      id: first,
      step: whole(parameters.get('step')),
      question: whole(parameters.get('question')),
    }
  }
  if (view === 'compare' && first && second) return { view, ids: [first, second] }
  if (view === 'sessions' && first) return { view: 'session', name: first }
  if (view === 'reports' && first) return { view: 'report', id: first }
  return view === 'runs' || view === 'sessions' || view === 'reports' ? { view } : { view: 'new' }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const whole = (text: string | null): number | undefined =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined

export function runAddress(
  id: string,
  { step, question }: { step?: number; question?: number } = {},
): string {
  const parameters = new URLSearchParams()
  if (question !== undefined) parameters.set('question', String(question))
  if (step !== undefined) parameters.set('step', String(step))
  const query = String(parameters)
  return `#/runs/${encodeURIComponent(id)}${query && `?${query}`}`
}

class Address {
  route = $state.raw(routeOf(location.hash))

  constructor() {
    addEventListener('hashchange', () => {
      this.route = routeOf(location.hash)
    })
  }

  go(hash: string): void {
    location.hash = hash
  }

  /** Changes the address without a history entry, and without changing the view. */
  note(hash: string): void {
    history.replaceState(null, '', hash)
  }
}

export const address = new Address()
