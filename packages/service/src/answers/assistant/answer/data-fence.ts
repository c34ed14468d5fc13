import { randomBytes } from 'node:crypto'
import { cleanText } from '@octavo/model'

/** Marks untrusted text as data, in tags that the text itself cannot contain. */
export type DataFence = {
  /** The suffix of the tag names. */
  readonly mark: string
  readonly wrap: (
    name: string,
    attributes: Readonly<Record<string, string | number>>,
    text: string,
  ) => string
  /** Removes invisible characters and the mark from a text. */
  readonly clean: (text: string) => string
}

/**
 * The mark is the same for the whole process, so that a provider can cache the start of the prompt.
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
