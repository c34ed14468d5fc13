import type { Json, Pair, ParameterData } from '@octavo/openapi/browser'
import { isList } from './check-value.ts'

/**
 * Returns a parameter as name-value pairs. Some lists and objects become several pairs (`style` and
 * `explode`).
 */
export function serializeParameter(parameter: ParameterData, value: Json): readonly Pair[] {
  const { name, style, content } = parameter
  if (content !== undefined) return [[name, JSON.stringify(value)]]
  if (typeof value !== 'object' || value === null) return [[name, printPlain(value)]]
  const isSpread = parameter.explode ?? (parameter.in === 'query' || parameter.in === 'cookie')
  if (isList(value)) {
    const texts = value.map(printPlain)
    if (isSpread && parameter.in !== 'path' && parameter.in !== 'header') {
      return texts.map((text) => [name, text])
    }
    const separator = style === 'pipeDelimited' ? '|' : style === 'spaceDelimited' ? ' ' : ','
    return [[name, texts.join(separator)]]
  }
  const fields = Object.entries(value)
  if (style === 'deepObject') {
    return fields.map(([key, field]) => [`${name}[${key}]`, printPlain(field)])
  }
  if (isSpread && parameter.in === 'query') {
    return fields.map(([key, field]) => [key, printPlain(field)])
  }
  const pairs = isSpread
    ? fields.map(([key, field]) => `${key}=${printPlain(field)}`)
    : fields.flat().map((one) => printPlain(one))
  return [[name, pairs.join(',')]]
}

/** Serializes a path parameter. The styles `label` and `matrix` have separators of their own. */
export function serializePath(parameter: ParameterData, value: Json): string {
  const { name, style = 'simple', explode = false } = parameter
  const encode = (one: Json) => encodeURIComponent(printPlain(one).toWellFormed())
  if (style === 'simple' || !['label', 'matrix'].includes(style)) {
    const [pair] = serializeParameter(parameter, value)
    return encodeURIComponent((pair?.[1] ?? '').toWellFormed()).replaceAll('%2C', ',')
  }
  const list = isList(value) ? value.map(encode) : [encode(value)]
  if (style === 'label') return `.${list.join(explode ? '.' : ',')}`
  return explode ? list.map((one) => `;${name}=${one}`).join('') : `;${name}=${list.join(',')}`
}

export function printPlain(value: Json): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
