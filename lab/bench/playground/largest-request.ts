/** Finds the operation of a specification whose request has the most data. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import {
  listedMethod,
  listOperations,
  OperationPages,
  parseSpecification,
  SharedParts,
} from '@octavo/openapi'

export type LargeRequest = {
  /** The method and path, such as `POST /payments`. */
  readonly operation: string
  /** The number of schemas that the request reaches, and their length as JSON. */
  readonly parts: number
  readonly characters: number
}

export function largestRequest(file: string): LargeRequest | undefined {
  const { specification } = parseSpecification(basename(file), readFileSync(file, 'utf8'))
  if (specification === undefined) return undefined
  const options = { pillFields: [] }
  const pages = new OperationPages(specification, options)
  const parts = new SharedParts(specification, options)
  const all = [...listOperations(specification)]
    .filter(({ kind }) => kind !== 'webhook')
    .map((operation): LargeRequest => {
      const { parameters, body } = pages.page(operation)
      const reached = new Map<string, string>()
      const waiting = [...refsIn({ parameters, body })]
      for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
        if (reached.has(ref)) continue
        const part = parts.part(ref)
        reached.set(ref, JSON.stringify(part) ?? '')
        waiting.push(...refsIn(part))
      }
      const characters = [...reached.values()].reduce((sum, text) => sum + text.length, 0)
      const name = `${listedMethod(operation)} ${operation.path}`
      return { operation: name, parts: reached.size, characters }
    })
  return all.toSorted((one, other) => other.characters - one.characters)[0]
}

function refsIn(value: unknown): readonly string[] {
  const text = JSON.stringify(value) ?? ''
  return [...text.matchAll(/"ref":("#[^"]*")/g)].map(([, ref = '""']) => JSON.parse(ref) as string)
}
