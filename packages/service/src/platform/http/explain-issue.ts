/** Explains in plain words why a value was rejected, for schemas that define no message. */
import type { z } from 'zod'

type Issue = z.core.$ZodRawIssue

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  url: 'a URL, such as https://example.com',
  email: 'an e-mail address',
}
const UNITS: Readonly<Record<string, readonly [string, string]>> = {
  string: [' character', ' characters'],
  array: [' entry', ' entries'],
}
const KEY_LENGTH_MAX = 100

/** Returns the explanation; undefined if Zod's default message is good enough. */
export function explainIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `This field is required: ${nounOf(issue.expected)}.`
        : `Expected ${nounOf(issue.expected)}.`
    case 'invalid_format':
      return `Expected ${nounOf(issue.format)}.`
    case 'invalid_value':
      return `Expected ${issue.values.map((value) => `\`${String(value)}\``).join(' or ')}.`
    case 'too_small':
      return `Expected at least ${issue.minimum}${unitOf(issue.origin, issue.minimum)}.`
    case 'too_big':
      return `Expected at most ${issue.maximum}${unitOf(issue.origin, issue.maximum)}.`
    case 'unrecognized_keys':
      return `Unknown field \`${clip(issue.keys[0] ?? '')}\`.`
    default:
      return undefined
  }
}

const nounOf = (type: string) => NOUNS[type] ?? `a value of the type ${type}`

const unitOf = (origin: string, count: number | bigint) =>
  UNITS[origin]?.[count === 1 ? 0 : 1] ?? ''

const clip = (key: string) =>
  key.slice(0, KEY_LENGTH_MAX).toWellFormed().replaceAll(/\p{C}/gu, '\ufffd')
