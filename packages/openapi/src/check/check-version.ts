import { KIND } from '../document/tape.ts'
import type { Problems } from './problems.ts'
import type { SpecVersion } from './shapes.ts'

/** Which OpenAPI it is (rule 1: 3.0 or 3.1). Nothing when it cannot be used. */
export function checkVersion(problems: Problems): SpecVersion | undefined {
  const { document } = problems
  if (!document.isObject(document.root)) {
    problems.add('openapi/version', document.root, {
      message: 'The file does not hold an OpenAPI document: it must be an object.',
      hint: 'It begins with `openapi: 3.1.0`.',
    })
    return undefined
  }
  const node = document.field(document.root, 'openapi')
  const swagger = document.field(document.root, 'swagger')
  if (node === undefined) {
    problems.add('openapi/version', swagger ?? document.root, {
      message:
        swagger === undefined
          ? 'The document does not say which version of OpenAPI it is.'
          : 'This is a Swagger 2.0 document. OpenAPI 3.0 and 3.1 are read.',
      hint:
        swagger === undefined
          ? 'Begin it with `openapi: 3.1.0`.'
          : 'Convert it once, for instance with `npx swagger2openapi swagger.json -o openapi.json`.',
    })
    return undefined
  }
  // Unquoted YAML makes a number of `3.1`; what was written is meant.
  const isText = document.kind(node) === KIND.string || document.kind(node) === KIND.number
  const written = isText ? document.text(node).trim() : ''
  const [, minor] = /^3\.([012])(?:\.|-|$)/.exec(written) ?? []
  if (minor === '0') return '3.0'
  if (minor === '1') return '3.1'
  if (minor === '2') {
    problems.add('openapi/newer-version', node, {
      message: `OpenAPI ${written} is read as 3.1; what is new in 3.2 is not shown.`,
      hint: 'Nothing to do if it uses nothing of 3.2.',
    })
    return '3.1'
  }
  problems.add('openapi/version', node, {
    message:
      written === ''
        ? 'The document does not say which version of OpenAPI it is.'
        : `OpenAPI \`${written}\` cannot be read. Versions 3.0 and 3.1 can.`,
    hint: 'Write `openapi: 3.1.0` if that is what it is, or convert it.',
  })
  return undefined
}
