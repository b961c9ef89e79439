/** Addresses of Postgres databases. They may contain a password, which no message may repeat. */
import { StoreError } from '../errors.ts'

const form = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^?]*)(?:\?(.*))?$/is

/** Whether the location of a store is an address rather than a path. */
export const isPostgresAddress = (location: string): boolean => /^postgres(?:ql)?:\/\//i.test(location)

/** The address for messages and for commands that people copy; a path stays as it is. */
export function withoutPassword(location: string): string {
  const [, scheme = '', user = '', place = '', query = ''] = form.exec(location) ?? []
  if (scheme === '') return location
  const name = user.split(':')[0]
  const options = query.split('&').filter((option) => option !== '' && !/^[^=]*pass/i.test(option))
  return `${scheme}${name ? `${name}@` : ''}${place.split(/[@#]/)[0]}${options.length > 0 ? `?${options.join('&')}` : ''}`
}

/** @throws StoreError if part of the password could be mistaken for another part of the address */
export function checkAddress(address: string): void {
  const [, scheme, user = '', place = '', query = ''] = form.exec(address) ?? []
  const isClear = scheme !== undefined && !/[@#]/.test(place + query)
  if (isClear && canParse(address) && [user, place].every(canDecode)) return
  throw new StoreError({
    code: 'store/bad-address',
    message: 'The address of the store is not one of a Postgres database.',
    hint: 'It has the form postgres://USER@HOST:PORT/DATABASE. In a password, write %23 for #, %2F for /, %3A for :, %3F for ? and %40 for @; or give it in PGPASSWORD.',
  })
}

// `URL` rejects a user name before an empty host, which stands for a socket.
const canParse = (address: string) => URL.canParse(address.replace('@/', '@host/'))

function canDecode(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}
