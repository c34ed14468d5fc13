import { KIND, type Kind } from '../document/tape.ts'

/** What to do about a value of the wrong kind, where that is more than to write another one. */
export function hintFor(key: string, kind: Kind): string | undefined {
  return HINTS.get(`${key} ${kind}`)
}

/** YAML 1.1 let digits be grouped, and many parsers still do. */
export function hintForDigits(text: string, wanted: string): string | undefined {
  if (!wanted.includes('number') || !/^[-+]?\d+(?:_\d+)+(?:\.\d+)?$/.test(text)) return undefined
  return `Write \`${text.replaceAll('_', '')}\`: with \`_\` in it, YAML 1.2 takes it for a text.`
}

/** For what authors write who think of another version, or of another place. */
const HINTS: ReadonlyMap<string, string> = new Map([
  [
    `$ref ${KIND.string}`,
    '`properties` cannot be a reference: here `$ref` is the name of a property. Refer with `allOf`.',
  ],
  [`type ${KIND.array}`, 'Several types came with OpenAPI 3.1. Here `nullable: true` allows null.'],
  [`items ${KIND.array}`, 'One schema for all items; `prefixItems` of OpenAPI 3.1 is a list.'],
  [`required ${KIND.true}`, 'List the names of required properties on the object around them.'],
  [`required ${KIND.false}`, 'Leave it out; required properties are listed on the object around.'],
  [
    `exclusiveMinimum ${KIND.true}`,
    'In OpenAPI 3.1 it is the bound itself: `exclusiveMinimum: 0`.',
  ],
  [
    `exclusiveMaximum ${KIND.true}`,
    'In OpenAPI 3.1 it is the bound itself: `exclusiveMaximum: 9`.',
  ],
  [`exclusiveMinimum ${KIND.number}`, 'In OpenAPI 3.0 it is `true` beside a `minimum`.'],
  [`exclusiveMaximum ${KIND.number}`, 'In OpenAPI 3.0 it is `true` beside a `maximum`.'],
])
