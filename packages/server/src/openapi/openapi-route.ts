/** `GET /openapi.json`: open, since it only describes the protocol. */
import { z } from 'zod'
import { openapiDocument } from './document.ts'
import { type Route, route } from './route.ts'

/** @param others returns all other routes; called when the document is requested */
export function openapiRoute(others: () => readonly Route[], needsKey: boolean): Route {
  let text: string | undefined
  const own: Route = route('get', '/openapi.json', {
    summary: 'This document',
    isOpen: true,
    replies: { 200: { description: 'In the form of OpenAPI 3.1', json: z.looseObject({}) } },
    answer: (c) => {
      text ??= JSON.stringify(openapiDocument([...others(), own], needsKey))
      return c.body(text, 200, { 'content-type': 'application/json' })
    },
  })
  return own
}
