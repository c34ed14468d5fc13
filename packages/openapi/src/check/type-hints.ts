import { KIND, type Kind } from '../document/tape.ts'

/** Returns a special hint for a value of the wrong kind, if there is one for its key. */
export function hintFor(key: string, kind: Kind): string | undefined {
  return HINTS.get(`${key} ${kind}`)
}

/**
 * Returns a hint for numbers such as `1_000`, which YAML 1.1 allows and many parsers still accept.
 */
export function hintForDigits(text: string, wanted: string): string | undefined {
  if (!wanted.includes('number') || !/^[-+]?\d+(?:_\d+)+(?:\.\d+)?$/.test(text)) return undefined
  return `Write \`${text.replaceAll('_', '')}\`: with \`_\` in it, YAML 1.2 reads it as a string.`
}

/** Hints for values that would be right in another OpenAPI version or in another place. */
const HINTS: ReadonlyMap<string, string> = new Map([
  [
    `$ref ${KIND.string}`,
    '`properties` cannot be a reference: here `$ref` is the name of a property. Use `allOf` to refer to a schema.',
  ],
  [
    `type ${KIND.array}`,
    'A list of types requires OpenAPI 3.1. In 3.0, use `nullable: true` to allow null.',
  ],
  [
    `items ${KIND.array}`,
    'Write one schema for all items; OpenAPI 3.1 has `prefixItems` for a list of schemas.',
  ],
  [
    `required ${KIND.true}`,
    'List the names of required properties in `required` of the parent object.',
  ],
  [
    `required ${KIND.false}`,
    'Remove it; required properties are listed in `required` of the parent object.',
  ],
  [
    `exclusiveMinimum ${KIND.true}`,
    'In OpenAPI 3.1, it is the limit itself: `exclusiveMinimum: 0`.',
  ],
  [
    `exclusiveMaximum ${KIND.true}`,
    'In OpenAPI 3.1, it is the limit itself: `exclusiveMaximum: 9`.',
  ],
  [`exclusiveMinimum ${KIND.number}`, 'In OpenAPI 3.0, write `true` and set `minimum`.'],
  [`exclusiveMaximum ${KIND.number}`, 'In OpenAPI 3.0, write `true` and set `maximum`.'],
])
