import { KIND } from '../document/tape.ts'
import type { Problems } from './problems.ts'
import type { SpecVersion } from './shapes.ts'

/** Returns the OpenAPI version (rule 1: 3.0 or 3.1). Undefined if it is not supported. */
export function checkVersion(problems: Problems): SpecVersion | undefined {
  const { document } = problems
  if (!document.isObject(document.root)) {
    problems.add('openapi/version', document.root, {
      message: 'The file is not an OpenAPI document: it must be an object.',
      hint: 'Start it with `openapi: 3.1.0`.',
    })
    return undefined
  }
  const node = document.field(document.root, 'openapi')
  const swagger = document.field(document.root, 'swagger')
  if (node === undefined) {
    problems.add('openapi/version', swagger ?? document.root, {
      message:
        swagger === undefined
          ? 'The document has no OpenAPI version.'
          : 'This is a Swagger 2.0 document. Octavo supports OpenAPI 3.0 and 3.1.',
      hint:
        swagger === undefined
          ? 'Start it with `openapi: 3.1.0`.'
          : 'Convert it once, for example with `npx swagger2openapi swagger.json -o openapi.json`.',
    })
    return undefined
  }
  // YAML parses an unquoted `3.1` as a number; the text as written counts.
  const isText = document.kind(node) === KIND.string || document.kind(node) === KIND.number
  const written = isText ? document.text(node).trim() : ''
  const [, minor] = /^3\.([012])(?:\.|-|$)/.exec(written) ?? []
  if (minor === '0') return '3.0'
  if (minor === '1') return '3.1'
  if (minor === '2') {
    problems.add('openapi/newer-version', node, {
      message: `OpenAPI ${written} is read as 3.1; features new in 3.2 are not shown.`,
      hint: 'Nothing to do if it uses no features of 3.2.',
    })
    return '3.1'
  }
  problems.add('openapi/version', node, {
    message:
      written === ''
        ? 'The document has no OpenAPI version.'
        : `OpenAPI \`${written}\` is not supported. Octavo supports 3.0 and 3.1.`,
    hint: 'Write `openapi: 3.1.0` if that is its version, or convert it.',
  })
  return undefined
}
