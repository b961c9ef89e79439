/** Checks of request bodies that protocols share. Unsupported parameters that would change the answer are refused. */
import { z } from 'zod'
import { RequestError } from '../request-error.ts'

/** @throws RequestError 400 naming the field */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw wrongField(parsed.error.issues[0]!)
}

/**
 * The text of a body.
 * @throws RequestError 415 if it is compressed, 400 if it is not UTF-8: replacement characters would be read for what it says
 */
export async function utf8Of(request: Request): Promise<string> {
  const coding = request.headers.get('content-encoding') ?? 'identity'
  if (coding.toLowerCase() !== 'identity') {
    throw new RequestError({
      status: 415,
      code: 'server/compressed',
      message: 'The body is compressed (Content-Encoding). This server takes it only as it is.',
    })
  }
  const bytes = await request.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new RequestError({
      status: 400,
      code: 'server/not-utf-8',
      message: 'The body is not UTF-8.',
      hint: 'Encode it in UTF-8, or upload a text in another encoding as a file (POST /v1/files).',
      cause,
    })
  }
}

/** The JSON body of a request. @throws RequestError 415 for another type, 400 for invalid JSON; what `utf8Of` throws */
export async function jsonOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  // Pages of other sites can send other types without a preflight request.
  if (!/^application\/json\b/i.test(type)) {
    throw new RequestError({
      status: 415,
      code: 'server/not-json',
      message: 'The body must be JSON (Content-Type: application/json).',
    })
  }
  const text = await utf8Of(request)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new RequestError({
      status: 400,
      code: 'server/not-json',
      message: 'The body is not valid JSON.',
      cause,
    })
  }
}

/** A list, which may be given as a text. @param listOf makes the list from the text */
export const textOr = <List extends z.ZodType>(list: List, listOf: (text: string) => unknown) =>
  z.preprocess((given) => (typeof given === 'string' ? listOf(given) : given), list).meta({ orText: true })

/** An object in which null says nothing, whatever the field: clients send back replies with fields that they added as null. */
export const nullAsMissing = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (given) =>
      typeof given === 'object' && given !== null && !Array.isArray(given)
        ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
        : given,
    schema,
  )

/** Our own field in every protocol. */
export const memagentField = z.strictObject({ question: z.string().trim().min(1).optional() }).optional()

export const noTools = z
  .array(z.unknown())
  .max(0, { error: 'must be empty: tools are not supported' })
  .nullish()

/** A field with only one supported value. */
export const only = <const Value extends z.util.Literal>(value: Value, why: string) =>
  z.literal(value, { error: `takes ${JSON.stringify(value)} alone: ${why}` }).nullish()

/** A field that must be null or one of these empty values. @param why anything else is not supported */
export const nothingOf = (why: string, ...empty: readonly unknown[]) =>
  z
    .unknown()
    .refine((given) => [null, ...empty].some((one) => JSON.stringify(one) === JSON.stringify(given)), {
      error: `is not supported: ${why}`,
    })
    .optional()

/** A field whose content makes no difference here. */
export const withoutEffect = z.unknown().optional()

export const temperature = z.number().min(0).max(2).nullish()
export const topP = z.number().gt(0).max(1).nullish()
export const tokens = z.int().positive()

function wrongField(issue: z.core.$ZodIssue): RequestError {
  const path = issue.path.join('.')
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const param = [path, unknown].filter((part) => part).join('.') || undefined
  const message =
    unknown === undefined
      ? `${param ?? 'The body'}: ${issue.message}`
      : `${param} is not supported by this server.`
  return new RequestError({ status: 400, code: 'server/bad-request', message, param })
}
