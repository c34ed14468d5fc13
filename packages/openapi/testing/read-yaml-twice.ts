/**
 * Reads text with the plain YAML reader and with js-yaml's events, in a form that can be compared.
 */

import { OPENAPI_LIMITS } from '../src/document/limits.ts'
import { readPlainYaml } from '../src/document/read-plain-yaml.ts'
import { type Decoded, readYamlEvents, type YamlLimits } from '../src/document/read-yaml.ts'
import type { Tape } from '../src/document/tape.ts'

/** One line for each row, or the reason why the text was not read. */
type Reading = readonly string[] | string

type ReadTwice = { readonly plain: Reading; readonly events: Reading }

export function readTwice(text: string, limits: Partial<YamlLimits> = {}): ReadTwice {
  const all = { ...OPENAPI_LIMITS, ...limits }
  const plain = readPlainYaml(text, all)
  const events = readYamlEvents(text, all)
  // If js-yaml's reader reports a problem, the plain reader must not read the text.
  const isReported = events.kind === 'read' && (events.problems.length > 0 || events.text !== text)
  return {
    plain: plain.kind === 'read' ? listRows(plain.tape, plain.decoded) : plain.kind,
    events:
      events.kind === 'read' && !isReported ? listRows(events.tape, events.decoded) : events.kind,
  }
}

function listRows(tape: Tape, decoded: Decoded): readonly string[] {
  return Array.from({ length: tape.length }, (_, node) => {
    const value = tape.isEncoded(node)
      ? `encoded ${JSON.stringify(decoded.get(node))}`
      : 'as written'
    return `${tape.kind(node)} from ${tape.start(node)} to ${tape.end(node)}, ${value}`
  })
}
