/** Converts values to form fields, in the form in which they are sent. */
import type { Pair } from '../code-samples/sample-request.ts'
import type { Json } from '../document/spec-document.ts'
import type { MediaData } from './page-data.ts'

/**
 * Converts a field. A list becomes several fields with the same name. An object becomes fields such
 * as `name[key]` in the style `deepObject`, and JSON otherwise.
 */
export function formFields(
  [name, value]: readonly [string, Json],
  media: MediaData,
): readonly Pair[] {
  const style = media.encoding?.find(({ property }) => property === name)?.style
  if (style === 'deepObject') return inBrackets(name, value)
  return isList(value)
    ? value.map((item): Pair => [name, printPlain(item)])
    : [[name, printPlain(value)]]
}

function inBrackets(name: string, value: Json): readonly Pair[] {
  if (isList(value)) return value.flatMap((item, index) => inBrackets(`${name}[${index}]`, item))
  if (typeof value !== 'object' || value === null) return [[name, printPlain(value)]]
  return Object.entries(value).flatMap(([key, field]) => inBrackets(`${name}[${key}]`, field))
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** Prints a value as text. Lists and objects are printed as JSON. */
export function printPlain(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
