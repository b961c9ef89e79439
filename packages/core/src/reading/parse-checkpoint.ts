/** Parses checkpoints from files and checks every field. */
import { parseJson } from '../chat/json-fields.ts'
import { CheckpointError } from '../errors.ts'
import { isObject } from '../json-shape.ts'
import { type Checkpoint, checkpointVersion } from './checkpoint.ts'
import { checkpointShapes } from './checkpoint-shape.ts'

/**
 * Parses the content of a checkpoint file.
 * @throws CheckpointError when it is not a checkpoint, or one of another version
 */
export function parseCheckpoint(content: string, path: string): Checkpoint {
  return checkedCheckpoint(parseJson(content), path)
}

/**
 * The checkpoint, if every field is valid.
 * @param path for the message, if there is one
 * @throws CheckpointError
 */
export function checkedCheckpoint(fields: unknown, path: string | undefined): Checkpoint {
  if (!isObject(fields)) throw damagedCheckpoint(path, 'it is not a JSON object')
  if (typeof fields.version === 'number' && fields.version !== checkpointVersion) {
    throw new CheckpointError({
      code: 'checkpoint/version',
      message: `The checkpoint${path === undefined ? '' : ` ${path}`} has version ${fields.version}; this program reads version ${checkpointVersion}.`,
      hint: 'Use another file, or remove this one to start over.',
      details: { ...(path === undefined ? {} : { path }), version: fields.version },
    })
  }
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(checkpointShapes, name))
  if (unknown !== undefined) throw damagedCheckpoint(path, `it has an unknown field ${unknown}`)
  const problems = Object.entries(checkpointShapes).flatMap(([name, shape]) => {
    const problem = shape(fields[name], name)
    return problem === undefined ? [] : [{ name, problem }]
  })
  if (problems.length > 0) {
    const missing = problems.map(({ name }) => name).filter((name) => !(name in fields))
    throw damagedCheckpoint(
      path,
      missing.length > 0 ? `it lacks ${missing.join(', ')}` : problems[0]!.problem,
    )
  }
  return fields as unknown as Checkpoint
}

export function damagedCheckpoint(
  path: string | undefined,
  reason: string,
  cause?: unknown,
): CheckpointError {
  return new CheckpointError({
    code: 'checkpoint/damaged',
    message: `The checkpoint${path === undefined ? '' : ` ${path}`} cannot be used: ${reason}.`,
    hint: 'Use another file, or remove this one to start over.',
    details: path === undefined ? {} : { path },
    cause,
  })
}
