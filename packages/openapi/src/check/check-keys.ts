import { KIND, type NodeId } from '../document/tape.ts'
import type { Problems } from './problems.ts'

/**
 * Checks every key of the document, including those in examples. A duplicate key silently loses a
 * value. A `__proto__` key suggests an attack on JavaScript programs, so the whole document is
 * rejected. Returns false if there is such a key.
 */
export function checkKeys(problems: Problems): boolean {
  const { document } = problems
  const { tape } = document
  let isSafe = true
  for (let node: NodeId = 0; node < tape.length; node += 1) {
    if (tape.kind(node) !== KIND.object) continue
    const keys = new Set<string>()
    const end = tape.next(node)
    for (let at = node + 1; at < end; at = tape.next(at + 1)) {
      const key = document.text(at)
      if (keys.has(key)) reportTwice(problems, at, key)
      keys.add(key)
      if (key !== '__proto__') continue
      isSafe = false
      reportForbidden(problems, at)
    }
  }
  return isSafe
}

function reportTwice(problems: Problems, key: NodeId, name: string): void {
  problems.add('json/duplicate-key', key, {
    message: `The key "${name}" appears twice in one object; only the last one is used.`,
    hint: 'Merge the two values, or remove one.',
  })
}

function reportForbidden(problems: Problems, key: NodeId): void {
  problems.add('openapi/forbidden-key', key, {
    message: 'The specification contains a key named `__proto__`, so it is not used.',
    hint: 'Rename the key. It has a special meaning in JavaScript and can make tools that read the file vulnerable.',
  })
}
