import { describe, expect, it } from 'vitest'
import { shareRequests } from './share-requests.ts'

/** A prompt that begins with its family's 40 tokens and ends with its own. */
const prompt = (family: number, own: number) => ({
  promptTokens: [...Array.from({ length: 40 }, (_, i) => family * 100 + i), 7000 + own],
})
const alone = (own: number) => ({ promptTokens: [own, 1, 2] })

describe('shareRequests', () => {
  it('keeps families together and workers evenly loaded', () => {
    const families = [0, 1, 2, 3].map((family) => [0, 1, 2].map((own) => prompt(family, own)))
    const shares = shareRequests(families.flat(), [0, 0])
    expect(shares.map((share) => share.length)).toEqual([6, 6])
    for (const family of families) {
      expect(shares.filter((share) => family.some((member) => share.includes(member)))).toHaveLength(1)
    }
  })

  it('splits a family that would leave a worker idle', () => {
    const family = [0, 1, 2, 3].map((own) => prompt(0, own))
    expect(shareRequests(family, [0, 0]).map((share) => share.length)).toEqual([2, 2])
  })

  it('gives single requests to the least loaded worker, each to exactly one', () => {
    const requests = [1, 2, 3, 4, 5].map(alone)
    const shares = shareRequests(requests, [3, 0, 1])
    expect(shares.map((share) => share.length)).toEqual([0, 3, 2])
    expect(new Set(shares.flat())).toEqual(new Set(requests))
  })

  it('is deterministic', () => {
    const requests = [...[1, 2, 3].map(alone), ...[0, 1].map((own) => prompt(1, own))]
    expect(shareRequests(requests, [0, 0])).toEqual(shareRequests(requests, [0, 0]))
    expect(shareRequests([], [0, 0])).toEqual([[], []])
  })
})
