import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { crc32c, encodeEventFile, openEventFile } from './tensorboard.ts'

describe('crc32c', () => {
  it.each([
    // RFC 3720, B.4, and the customary check value.
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

describe('openEventFile', () => {
  const folder = temporaryFolder(beforeEach, afterEach)
  const event = (step: number) => ({ wallTime: 9 + step, step, scalars: { 'train/reward': 0.5 } })

  it('appends to one file, and keeps what was written', async () => {
    const file = openEventFile(folder.path)
    await file.append([event(1)])
    const path = folder.join('events.out.tfevents.10.memagent')
    const { ino } = await stat(path)
    await file.append([event(2), event(3)])
    await file.append([])
    expect(await readdir(folder.path)).toEqual(['events.out.tfevents.10.memagent'])
    expect((await stat(path)).ino).toBe(ino)
    expect(await readFile(path)).toEqual(encodeEventFile(10, [event(1), event(2), event(3)]))
  })

  it('continues a file with the same content, even one that was cut short', async () => {
    const path = folder.join('events.out.tfevents.10.memagent')
    await openEventFile(folder.path).append([event(1), event(2)])
    await truncate(path, (await stat(path)).size - 3)
    const { ino } = await stat(path)
    const second = openEventFile(folder.path)
    await second.append([event(1), event(2), event(3)])
    await second.append([event(4)])
    expect(await readdir(folder.path)).toEqual(['events.out.tfevents.10.memagent'])
    expect((await stat(path)).ino).toBe(ino)
    expect(await readFile(path)).toEqual(encodeEventFile(10, [1, 2, 3, 4].map(event)))
  })

  it('leaves one file, renamed when the last one differed, and does not touch other files', async () => {
    const other = 'events.out.tfevents.10.elsewhere.memagent.v2'
    await writeFile(folder.join(other), 'not ours')
    const names: string[] = []
    // One step fewer was saved each time.
    for (const steps of [3, 2, 1]) {
      const events = Array.from({ length: steps }, (_, i) => event(i + 1))
      await openEventFile(folder.path).append(events)
      const [name, ...rest] = (await readdir(folder.path)).filter((found) => found !== other)
      expect(rest).toEqual([])
      expect(await readFile(folder.join(name!))).toEqual(encodeEventFile(10, events))
      names.push(name!)
    }
    expect(names.toSorted()).toEqual(names)
    expect(new Set(names).size).toBe(3)
    expect(await readFile(folder.join(other), 'utf8')).toBe('not ours')
  })
})
