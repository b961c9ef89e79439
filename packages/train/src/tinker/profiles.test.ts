import { describe, expect, it } from 'vitest'
import { type ProfileChoice, resolveProfile, tinkerProfiles } from './profiles.ts'

describe('resolveProfile', () => {
  it('knows servers by name, and lists the names when one is unknown', () => {
    expect(resolveProfile('skyrl-gpu')).toEqual(tinkerProfiles['skyrl-gpu'])
    expect(() => resolveProfile('toString')).toThrow(
      expect.objectContaining({
        code: 'tinker/unknown-profile',
        hint: expect.stringContaining('tinker, skyrl-jax, skyrl-gpu, verl-tinker'),
      }),
    )
  })

  it('takes a description in full, or what differs from a known server', () => {
    const own = { ...tinkerProfiles.tinker, name: 'mine' }
    expect(resolveProfile(own)).toEqual(own)
    const colocated = resolveProfile({ extends: 'skyrl-gpu', name: 'apart', reference: 'base-sampler' })
    expect(colocated).toEqual({ ...tinkerProfiles['skyrl-gpu'], name: 'apart', reference: 'base-sampler' })
    expect(resolveProfile({ extends: 'skyrl-jax', maskKey: undefined }).maskKey).toBeUndefined()
  })

  it('names what is wrong in a description', () => {
    const wrong = { extends: 'skyrl-jax', reduction: 'mean', colour: 'red' } as unknown as ProfileChoice
    expect(() => resolveProfile(wrong)).toThrow(/reduction: .*; profile: .*colour/)
    expect(() => resolveProfile({ name: 'short' } as unknown as ProfileChoice)).toThrow(/reduction/)
  })
})
