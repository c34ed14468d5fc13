/** Parses the text of a specification as JSON or YAML, and reports problems with their places. */
import {
  type Diagnostic,
  type DiagnosticCode,
  diagnose,
  formatCount,
  type Place,
  parseJson,
  type Report,
  SourceText,
} from '@octavo/model'
import { OPENAPI_LIMITS } from './limits.ts'
import { readJson } from './read-json.ts'
import { readYaml } from './read-yaml.ts'
import { SpecDocument } from './spec-document.ts'

export type DocumentLimits = {
  readonly sizeMax: number
  readonly depthMax: number
  readonly nodesMax: number
  readonly repeatedNodesMax: number
  readonly overlayStepsMax: number
}

/** Returns undefined and reports the reason if the text cannot be parsed or exceeds a limit. */
export function parseDocument(
  file: string,
  text: string,
  report: Report,
  limits: DocumentLimits = OPENAPI_LIMITS,
): SpecDocument | undefined {
  const source = new SourceText(file, text)
  const say = (code: DiagnosticCode, offset: number, message: string, hint: string) => {
    const place = { file, ...source.position(offset) }
    report(diagnose(code, place, { message, hint }))
    return undefined
  }
  const tooMany = (what: string, max: number, hint: string) => {
    report(tooLarge(file, what, max, hint))
    return undefined
  }

  const tooDeep = (offset: number) => {
    report(tooDeepValues({ file, ...source.position(offset) }, limits.depthMax))
    return undefined
  }

  if (text.length > limits.sizeMax) return tooMany('characters', limits.sizeMax, SPLIT)
  const json = LOOKS_LIKE_JSON.test(text.slice(0, 1_000)) ? readJson(text, limits) : undefined
  // YAML in braces looks like invalid JSON, so the file name decides which of the two it is.
  if (json === undefined || (json.kind === 'malformed' && /\.ya?ml$/i.test(file))) {
    const read = readYaml(text, limits)
    if (read.kind === 'malformed') {
      const { offset, message, hint } = read.problem
      return say('openapi/unreadable', offset, message, hint)
    }
    if (read.kind === 'too-deep') return tooDeep(read.offset)
    if (read.kind === 'too-many') {
      return read.repeated
        ? tooMany(
            'values that aliases repeat',
            limits.repeatedNodesMax,
            'Use `$ref` instead of aliases.',
          )
        : tooMany('values', limits.nodesMax, SPLIT)
    }
    for (const { code = 'openapi/yaml-feature', offset, message, hint } of read.problems) {
      report(diagnose(code, { file, ...source.position(offset) }, { message, hint }))
    }
    return new SpecDocument({ file, text: read.text, tape: read.tape, decoded: read.decoded })
  }
  switch (json.kind) {
    case 'read':
      return new SpecDocument({ file, text, tape: json.tape })
    case 'too-many':
      return tooMany('values', limits.nodesMax, SPLIT)
    case 'too-deep':
      return tooDeep(json.offset)
    case 'malformed':
      reportMalformed(file, text, report)
      return undefined
  }
}

export function tooManyValues(file: string, max: number): Diagnostic {
  return tooLarge(file, 'values', max, SPLIT)
}

export function tooManyCharacters(file: string, max: number): Diagnostic {
  return tooLarge(file, 'characters', max, SPLIT)
}

export function tooDeepValues(place: Place, max: number): Diagnostic {
  const message = `Values are nested more than ${max} levels deep here.`
  const hint = 'Move inner schemas to `components` and refer to them.'
  return diagnose('openapi/too-large', place, { message, hint })
}

function tooLarge(file: string, what: string, max: number, hint: string): Diagnostic {
  const message = `The specification has more than ${formatCount(max)} ${what}.`
  return diagnose('openapi/too-large', { file, line: 1, column: 1 }, { message, hint })
}

const LOOKS_LIKE_JSON = /^\uFEFF?\s*[{[]/
const SPLIT = 'Split it into several specifications.'

/** Finds the mistakes with the lenient parser of `@octavo/model`, and reports each as an error. */
function reportMalformed(file: string, text: string, report: Report): void {
  const problems = findMistakes(file, text)
  for (const { message, hint, place } of problems) {
    // Uses only the first sentence of the hint, because the rest is about docs.json.
    const [advice = hint] = hint.split(/(?<=\.) /)
    report(diagnose('openapi/unreadable', place, { message, hint: advice }))
  }
  if (problems.length > 0) return
  const place = { file, line: 1, column: 1 }
  const message = 'The file is not valid JSON.'
  report(
    diagnose('openapi/unreadable', place, {
      message,
      hint: 'Check the file with a JSON validator.',
    }),
  )
}

/** The maximum number of syntax errors to list, since a hostile file may contain millions. */
const MALFORMED_MAX = 20

class TooManyMistakes extends Error {}

function findMistakes(file: string, text: string): readonly Diagnostic[] {
  const found: Diagnostic[] = []
  try {
    parseJson(file, text, (diagnostic) => {
      if (diagnostic.code === 'json/duplicate-key') return
      found.push(diagnostic)
      if (found.length >= MALFORMED_MAX) throw new TooManyMistakes()
    })
  } catch (error) {
    if (!(error instanceof TooManyMistakes)) throw error
  }
  return found
}
