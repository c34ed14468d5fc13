import { KIND } from '../document/tape.ts'
import type { Problems } from './problems.ts'
import type { SpecVersion } from './shapes.ts'

/** Returns the OpenAPI version, 3.0 or 3.1 (rule 1); undefined if it is not supported. */
export function checkVersion(problems: Problems): SpecVersion | undefined {
  const { document } = problems
  if (!document.isObject(document.root)) {
    problems.add('openapi/version', document.root, {
      message: 'The file is not an OpenAPI document: it must be an object.',
      hint: 'Start the document with `openapi: 3.1.0`.',
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
          : `Swagger \`${document.textField(document.root, 'swagger') ?? ''}\` is not supported. Octavo supports Swagger 2.0, and OpenAPI 3.0 and 3.1.`,
      hint:
        swagger === undefined
          ? 'Start the document with `openapi: 3.1.0`.'
          : 'If the document is written for Swagger 2.0, write `swagger: "2.0"`. Otherwise, convert the document.',
    })
    return undefined
  }
  // YAML reads an unquoted `3.1` as a number, so numbers are accepted as written.
  const isText = document.kind(node) === KIND.string || document.kind(node) === KIND.number
  const written = isText ? document.text(node).trim() : ''
  const [, minor] = /^3\.([012])(?:\.|-|$)/.exec(written) ?? []
  if (minor === '0') return '3.0'
  if (minor === '1') return '3.1'
  if (minor === '2') {
    problems.add('openapi/newer-version', node, {
      message: `OpenAPI ${written} is read as 3.1; features new in 3.2 are not shown.`,
      hint: 'If the document uses no features of 3.2, you can ignore this note.',
    })
    return '3.1'
  }
  problems.add('openapi/version', node, {
    message:
      written === ''
        ? 'The document has no OpenAPI version.'
        : `OpenAPI \`${written}\` is not supported. Octavo supports 3.0 and 3.1.`,
    hint: 'If the document is written for OpenAPI 3.1, write `openapi: 3.1.0`. Otherwise, convert the document.',
  })
  return undefined
}
