import type { Json } from '../document/spec-document.ts'

/**
 * Prints a value as XML for a sample body, with one element per field. A list repeats its element.
 */
export function printXml(name: string, value: Json, indent = ''): string {
  const tag = elementName(name)
  if (Array.isArray(value))
    return value.map((item: Json) => printXml(name, item, indent)).join('\n')
  if (typeof value !== 'object' || value === null) {
    return `${indent}<${tag}>${escapeXml(String(value))}</${tag}>`
  }
  const fields = Object.entries(value).map(([key, field]) => printXml(key, field, `${indent}  `))
  return [`${indent}<${tag}>`, ...fields, `${indent}</${tag}>`].join('\n')
}

function elementName(name: string): string {
  const safe = name.replaceAll(/[^\w.-]/g, '_')
  return /^[a-z_]/i.test(safe) ? safe : `_${safe}`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
