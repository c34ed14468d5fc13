import { randomBytes } from 'node:crypto'
import { cleanText } from '@octavo/model'

/** Marks texts of others as data, in tags that they cannot write themselves. */
export type DataFence = {
  /** How the names of our tags end. */
  readonly mark: string
  readonly wrap: (
    name: string,
    attributes: Readonly<Record<string, string | number>>,
    text: string,
  ) => string
  /** Text without what nobody sees, and without our mark. */
  readonly clean: (text: string) => string
}

/** The mark stays the same for a process, so that a provider can keep the prompt's beginning. */
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
