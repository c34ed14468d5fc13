import { randomBytes } from 'node:crypto'
import { cleanText } from '@octavo/model'

/**
 * Wraps untrusted text in tags that the text cannot close, so that the model can tell that it is
 * data.
 */
export type DataFence = {
  /** A random suffix that all tag names have. */
  readonly mark: string
  readonly wrap: (
    name: string,
    attributes: Readonly<Record<string, string | number>>,
    text: string,
  ) => string
  /** Removes invisible characters and the suffix from text. */
  readonly clean: (text: string) => string
}

/**
 * Creates a fence. Its mark is the same in all prompts of a model, so that the provider can cache
 * the start of the prompt.
 */
export function createDataFence(mark = randomBytes(6).toString('hex')): DataFence {
  const clean = (text: string) => cleanText(text).replaceAll(mark, '')
  return {
    mark,
    clean,
    wrap: (name, attributes, text) => {
      const written = Object.entries(attributes).map(
        ([key, value]) => ` ${key}="${clean(String(value)).replaceAll(/["<>\s]+/g, ' ')}"`,
      )
      return `<${name}-${mark}${written.join('')}>\n${clean(text)}\n</${name}-${mark}>`
    },
  }
}
