/** Validates the input of a tool call with the schema that was sent to clients. */
import { cleanText } from '@octavo/model'
import type { DocsTool, ToolProperty } from './docs-tools.ts'

export type ToolInput = {
  readonly text: (name: string) => string | undefined
  readonly number: (name: string) => number | undefined
}

/** Returns the input, or an error message for the agent. */
export function readToolInput({ inputSchema }: DocsTool, given: unknown): ToolInput | string {
  const { properties, required } = inputSchema
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return `Expected an object with ${Object.keys(properties).join(', ')}.`
  const values = new Map<string, string | number>()
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property === undefined)
      return `Unknown argument. Expected ${Object.keys(properties).join(', ')}.`
    if (value === undefined || value === null) continue
    const read = readValue(property, value)
    if (read === undefined) return `Invalid argument "${name}": expected ${describe(property)}.`
    values.set(name, read)
  }
  const missing = required.find((name) => !values.has(name))
  if (missing !== undefined) return `Missing argument "${missing}".`
  return {
    text: (name) => {
      const value = values.get(name)
      return typeof value === 'string' ? value : undefined
    },
    number: (name) => {
      const value = values.get(name)
      return typeof value === 'number' ? value : undefined
    },
  }
}

function readValue(property: ToolProperty, value: unknown): string | number | undefined {
  if (property.type === 'integer') {
    const isCount = typeof value === 'number' && Number.isInteger(value)
    return isCount && value >= property.minimum && value <= property.maximum ? value : undefined
  }
  if (typeof value !== 'string' || value.length > property.maxLength) return undefined
  const text = cleanText(value).trim()
  if (text.length < (property.minLength ?? 1)) return undefined
  return property.enum === undefined || property.enum.includes(text) ? text : undefined
}

function describe(property: ToolProperty): string {
  if (property.type === 'integer')
    return `a whole number from ${property.minimum} to ${property.maximum}`
  if (property.enum !== undefined) return property.enum.join(', ')
  return `a text of ${property.minLength ?? 1} to ${property.maxLength} characters`
}
