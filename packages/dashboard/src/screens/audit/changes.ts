/** Old and new values of an audit log entry. */
import { ROLE_NAMES } from '../members/role-words.ts'

export type Change = {
  readonly label: string
  readonly old: string | undefined
  readonly next: string | undefined
}

const VALUE_LENGTH_MAX = 80
/** A ULID or UUID. A collapsed entry does not show ids. */
const ID = /^(?:[0-9A-HJKMNP-TV-Z]{26}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})$/

/** Returns the values that differ; an empty list if there are no old values. */
export function changesOf(before: unknown, after: unknown): readonly Change[] {
  if (before === undefined || before === null) return []
  return allValues(before, after).filter(({ old, next }) => old !== next)
}

/** Returns all values, old and new. */
export function allValues(before: unknown, after: unknown): readonly Change[] {
  const [old, next] = [flatten(before), flatten(after)]
  return [...new Set([...old.keys(), ...next.keys()])].map((label) => ({
    label,
    old: old.get(label),
    next: next.get(label),
  }))
}

/** Readable names of coded values, by field. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: ROLE_NAMES,
  mode: {
    public: 'Everyone',
    password: 'Password',
    members: 'Members',
    oidc: 'OpenID Connect',
    jwt: 'Your own sign-in (JWT)',
  },
}

/** Returns a value as text; undefined for an empty value. */
export function printValue(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value)) return shorten(value.map(printItem).join(', ')) || undefined
  if (typeof value === 'number') return value.toLocaleString('en')
  return shorten(String(value))
}

const printItem = (item: unknown): string =>
  typeof item === 'object' && item !== null
    ? Object.values(item).map(String).join(' ')
    : String(item)

function flatten(value: unknown, label = '', key = ''): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const text =
      NAMES[key]?.[String(value)] ?? (isPresence(key) ? presence(value) : printValue(value))
    return new Map(text === undefined || ID.test(text) ? [] : [[label, text]])
  }
  return new Map(
    Object.entries(value).flatMap(([name, one]) => [
      ...flatten(
        one,
        label === '' ? wordsOf(name) : `${label}, ${wordsOf(name).toLowerCase()}`,
        name,
      ),
    ]),
  )
}

/** Checks for a field such as `hasPassword`: the log only says whether a secret is set. */
const isPresence = (name: string) => /^has[A-Z]/.test(name)
const presence = (value: unknown) => (value === true ? 'set' : 'not set')

/** Returns `Retention days` for `retentionDays`, and `Password` for `hasPassword`. */
function wordsOf(name: string): string {
  const words = (isPresence(name) ? name.slice(3) : name)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const shorten = (text: string) =>
  text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text
