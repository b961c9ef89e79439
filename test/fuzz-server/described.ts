/** What `/openapi.json` says: every route with what it takes, and whether a reply is one that it promises. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Reply } from './promise.ts'

export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Schema
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** As JSON. */
  readonly body?: Schema | undefined
  /** As a form. */
  readonly form?: Schema | undefined
}

interface DescribedOperation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>
}

export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const id = 'http://localhost/openapi.json'

export class Described {
  readonly operations: readonly Operation[]
  readonly #document: OpenapiDocument
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false })

  constructor(document: OpenapiDocument) {
    this.#document = document
    this.#ajv.addSchema({ ...document, $id: id })
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
        ...{ method: method.toUpperCase(), path, parameters },
        body: requestBody?.content['application/json']?.schema,
        form: requestBody?.content['multipart/form-data']?.schema,
      })),
    )
  }

  /** The schema that this one names, or itself. */
  resolved(schema: Schema): Schema {
    const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref))?.[1]
    return name === undefined ? schema : this.#document.components.schemas[name]!
  }

  /** @returns what in a reply is not described; undefined: nothing, or its route is not */
  fault(method: string, target: string, { status, headers, body }: Reply): string | undefined {
    const path = target.replace(/[?#].*/s, '')
    const route = Object.keys(this.#document.paths).find((one) => patternOf(one).test(path))
    const operation = route && this.#document.paths[route]![method.toLowerCase()]
    // Neither has HTTP's parser, nor a check of the host.
    if (!operation || body === '') return undefined
    const named = status in operation.responses ? String(status) : 'default'
    const type = headers['content-type'] ?? ''
    const content = Object.keys(operation.responses[named]!.content ?? {})
    const found = content.find((one) => type.startsWith(one))
    if (found === undefined) return `${status} as ${type}, which is not described`
    if (found !== 'application/json') return undefined
    const steps = ['paths', route, method.toLowerCase(), 'responses', named, 'content', found, 'schema']
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    const $ref = `${id}#/${pointer.join('/')}`
    const validate = this.#validators.get($ref) ?? this.#ajv.compile({ $ref })
    this.#validators.set($ref, validate)
    if (validate(JSON.parse(body))) return undefined
    return `${status}: ${this.#ajv.errorsText(validate.errors)}: ${body.slice(0, 200)}`
  }
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
