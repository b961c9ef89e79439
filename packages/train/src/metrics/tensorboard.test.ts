import { readdir, readFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crc32c, encodeEventFile, writeTensorBoard } from './tensorboard.ts'

describe('crc32c', () => {
  it.each([
    // RFC 3720, B.4, and the usual check value.
    [Buffer.alloc(32), 0x8a9136aa],
    [Buffer.alloc(32, 0xff), 0x62a8ab43],
    [Buffer.from('123456789'), 0xe3069283],
  ])('of %j', (data, expected) => {
    expect(crc32c(data)).toBe(expected)
  })
})

describe('encodeEventFile', () => {
  it('writes the bytes of the format', () => {
    const file = encodeEventFile(1, [{ wallTime: 2, step: 300, scalars: { a: 0.5 } }])
    // Length 24: wall_time (1, double), file_version (3, text).
    expect(file.readBigUInt64LE(0)).toBe(24n)
    expect(file.subarray(12, 36).toString('hex')).toBe(
      `09000000000000f03f1a0d${Buffer.from('brain.Event:2').toString('hex')}`,
    )
    const second = file.subarray(40)
    expect(second.readBigUInt64LE(0)).toBe(BigInt(second.length - 16))
    expect(second.subarray(12, -4).toString('hex')).toBe(
      // wall_time 2; step 300; summary { value { tag: "a" simple_value: 0.5 } }
      `090000000000000040${'10ac02'}${'2a0a'}${'0a08'}${'0a0161'}${'150000003f'}`,
    )
  })
})

describe('writeTensorBoard', () => {
  const folder = temporaryFolder(beforeAll, afterAll)

  it('leaves one file, however often it is written', async () => {
    const events = [{ wallTime: 10, step: 1, scalars: { 'train/reward': 0.5 } }]
    await writeTensorBoard(folder.path, events)
    await writeTensorBoard(folder.path, events)
    const [name, ...others] = await readdir(folder.path)
    expect([name, others]).toEqual(['events.out.tfevents.10.memagent', []])
    expect(await readFile(folder.join(name!))).toEqual(encodeEventFile(10, events))
  })
})
