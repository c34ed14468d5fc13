import type { Pair, SamplePart } from '../code-samples/sample-request.ts'
import type { Json } from '../document/spec-document.ts'
import { decodeQueryPart } from '../mock/decode-part.ts'
import { parseQuery } from '../mock/query-pairs.ts'
import { comparePairs, different } from './compare-pairs.ts'
import type { Documented } from './compare-request.ts'
import type { RecordedRequest, SampleProblem } from './recorded-request.ts'

/** Compares the content of a body, by the kind of its media type. */
export function compareBody(
  recorded: RecordedRequest,
  { request: { body }, contentOf }: Documented,
): readonly SampleProblem[] {
  const text = new TextDecoder().decode(recorded.body)
  switch (body?.kind) {
    case undefined:
      return text === '' ? [] : [different('body', undefined, text)]
    case 'json':
      return compareJson(text, body.value)
    case 'form': {
      const sent = parseQuery(text).map(
        ({ name, written }): Pair => [name, decodeQueryPart(written)],
      )
      return comparePairs('body', {
        documented: body.fields.map(plainLines),
        sent: sent.map(plainLines),
      })
    }
    case 'multipart': {
      const documented = body.parts.map((part) => pairOf(part, contentOf))
      const sent = (recorded.parts ?? []).map(
        ({ name, fileName, content }): Pair => [
          name,
          fileName === undefined ? content : `${fileName}: ${content}`,
        ],
      )
      return comparePairs('body', {
        documented: documented.map(plainLines),
        sent: sent.map(plainLines),
      })
    }
    case 'text':
      return text === body.text ? [] : [different('body', body.text, text)]
    case 'file': {
      const content = contentOf(body.fileName)
      return text === content ? [] : [different('body', content, text)]
    }
  }
}

/** Clients write line breaks in forms as CRLF. */
function plainLines([name, value]: Pair): Pair {
  return [name, value.replaceAll('\r\n', '\n')]
}

function pairOf(part: SamplePart, contentOf: Documented['contentOf']): Pair {
  if (!('fileName' in part)) return [part.name, part.value]
  return [part.name, `${part.fileName}: ${contentOf(part.fileName)}`]
}

function compareJson(text: string, documented: Json): readonly SampleProblem[] {
  let sent: Json
  try {
    sent = JSON.parse(text)
  } catch {
    return [different('body', JSON.stringify(documented), text)]
  }
  const found = firstDifference(sent, documented, '')
  if (found === undefined) return []
  return [different(`body ${found.at}`.trim(), print(found.documented), print(found.sent))]
}

function print(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}

type Found = {
  readonly at: string
  readonly sent: Json | undefined
  readonly documented: Json | undefined
}

/** Returns the first difference of two values, with its JSON pointer. */
function firstDifference(
  sent: Json | undefined,
  documented: Json | undefined,
  at: string,
): Found | undefined {
  const [a, b] = [fieldsOf(sent), fieldsOf(documented)]
  if (a === undefined || b === undefined || Array.isArray(sent) !== Array.isArray(documented)) {
    return Object.is(sent, documented) ? undefined : { at, sent, documented }
  }
  for (const key of new Set([...b.keys(), ...a.keys()])) {
    const pointer = `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const found = firstDifference(a.get(key), b.get(key), pointer)
    if (found !== undefined) return found
  }
  return undefined
}

function fieldsOf(value: Json | undefined): ReadonlyMap<string, Json> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
}
