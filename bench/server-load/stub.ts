/** A model server that replies at once, as a process of its own: prints its base URL, and ends with its standard input. */
import { createStubServer } from '@memagent/core/testing'
import { replyAtOnce } from './load.ts'

const stub = await createStubServer({ isRecording: false, respond: ({ messages }) => replyAtOnce(messages) })
console.log(stub.baseUrl)
process.stdin.resume().on('end', () => void stub.close())
