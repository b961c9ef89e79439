/** Refusals of requests about runs. A run of another owner is treated like one that does not exist. */
import type { RunSummary } from '@memagent/store'
import { badRequest, RequestError } from '../request-error.ts'
import { routeOf } from './run-settings.ts'

export const noRun = (id: string) =>
  new RequestError({ status: 404, code: 'server/no-run', message: `There is no run ${id}.` })

export const damagedRun = (id: string) =>
  new RequestError({
    status: 500,
    code: 'server/run-damaged',
    message: `The run ${id} is damaged: what is kept of it is not what was written.`,
    hint: `Erase it: DELETE /api/runs/${id}`,
  })

const pathOf = (session: string) => `/api/sessions/${encodeURIComponent(session)}`

const conflict = (code: string, message: string, hint?: string) =>
  new RequestError({ status: 409, code: `server/${code}`, message, hint })

export const underWay = (id: string) =>
  conflict('run-under-way', `The run ${id} is being read, or waits to be.`, 'Cancel it first.')

type OneRun = Pick<RunSummary, 'id' | 'settings'>

/** It is not read by a job of this server. */
export function readElsewhere(run: OneRun): RequestError {
  const { id } = run
  const route = routeOf(run)
  return route === undefined
    ? conflict('run-elsewhere', `The run ${id} is read by another process.`, 'Stop it there.')
    : conflict(
        'run-of-a-request',
        `The run ${id} is being read for a request to ${route}.`,
        'It stops when the client of that request goes away.',
      )
}

export const isFinished = (id: string) =>
  conflict('run-finished', `The run ${id} is finished.`, 'Ask its memory: POST /api/runs/ID/ask')

/** This server does not know how to read it. */
export function notOurs(run: OneRun): RequestError {
  const { id } = run
  const route = routeOf(run)
  return route === undefined
    ? conflict(
        'run-of-a-command',
        `The run ${id} was not begun by a server: how to read it is not known here.`,
        `Go on with it where it was begun: memagent resume ${id}`,
      )
    : conflict(
        'run-of-a-request',
        `The run ${id} reads a conversation, which only its request brings.`,
        `Send the same request to ${route} again: it goes on where the run stopped.`,
      )
}

export const notServed = (id: string, model: string) =>
  conflict(
    'model-not-served',
    `The run ${id} is read with the model ${JSON.stringify(model)}, which this server does not have.`,
    'It goes on when a server with that model is started.',
  )

export const fileGone = (filename: string) =>
  conflict('file-gone', `The file ${filename} is not here any more.`, 'Upload it again, and begin a new run.')

export const fileInUse = (id: string) =>
  conflict('file-in-use', `A run is reading the file ${id}, or waits to.`, 'Cancel the run first.')

export const nothingRead = (id: string) =>
  conflict('nothing-read', `Nothing with text was read in the run ${id} yet: it has no memory to ask.`)

export const askedIsGone = (id: string, asked: string) =>
  conflict('cannot-ask', `The run ${id} asked the memory of the run ${asked}, which was erased.`)

export const ofSession = (id: string) =>
  conflict(
    'run-of-session',
    `The run ${id} went on from the memory of a session.`,
    'Ask the session: POST /api/sessions/NAME/ask',
  )

export const laterReadings = (id: string, session: string) =>
  conflict(
    'run-of-session',
    `Later readings of the session ${JSON.stringify(session)} go on from the memory of the run ${id}.`,
    `Only the last reading of a session can be taken back. The whole session: DELETE ${pathOf(session)}`,
  )

export const takenOver = (id: string) =>
  conflict('run-taken-over', `Another server reads the run ${id} now, or it was removed.`)

export const anotherRun = (id: string) =>
  conflict(
    'another-run',
    `The text or the memory is not what the run ${id} began with, and nothing of it was read yet.`,
    'Begin another run.',
  )

export const noQuestion = (id: string, number: number) =>
  new RequestError({
    status: 404,
    code: 'server/no-question',
    message: `The run ${id} has no question ${number} of several.`,
    param: 'question',
  })

export const noSession = (name: string) =>
  new RequestError({
    status: 404,
    code: 'server/no-session',
    message: `There is no session ${JSON.stringify(name)}.`,
  })

export const sessionRead = (name: string) =>
  conflict('session-in-use', `The session ${JSON.stringify(name)} is being read.`, 'Stop that first.')

export const sessionUnfinished = (name: string, run: string) =>
  conflict(
    'session-unfinished',
    `A reading of the session ${JSON.stringify(name)} is not finished (run ${run}), and has to be first.`,
    `Wait for it, go on with it (POST /api/runs/${run}/resume), or take it back (DELETE /api/runs/${run}).`,
  )

export const sessionOfCommand = (name: string) =>
  conflict(
    'session-of-a-command',
    `The session ${JSON.stringify(name)} was not begun by a server: how to read into it is not known here.`,
    'Read into it where it was begun: memagent session read NAME',
  )

export const otherSession = (
  name: string,
  param: 'question' | 'model' | 'workflow',
  was: string | undefined,
) =>
  new RequestError({
    status: 409,
    code: 'server/other-session',
    message: `${param}: The session ${JSON.stringify(name)} was begun with ${was === undefined ? 'none' : JSON.stringify(was)}.`,
    hint: 'Leave it out, or begin another session: a memory is kept for one question, by one model and workflow.',
    param,
  })

export const sessionMoved = (name: string) =>
  conflict(
    'session-moved',
    `Somebody else has read into the session ${JSON.stringify(name)}, or removed it, at the same time.`,
    'Ask again.',
  )

export const nothingReadYet = (name: string) =>
  conflict('nothing-read', `Nothing with text was read into the session ${JSON.stringify(name)} yet.`)

export const inputKept = (name: string) =>
  conflict(
    'session-of-a-command',
    `A text that was piped to a command is kept for the session ${JSON.stringify(name)}, which this server cannot erase.`,
    'Erase the session where it was begun: memagent session rm NAME',
  )

export const cannotGoOn = (message: string) => conflict('cannot-ask', message)

/** @param of what each of several questions has: `a memory` */
export const sayWhich = (param: string, of: string) =>
  badRequest(param, `The run has several questions, each with ${of} of its own: say which, from 1.`)
