/** Reads a document of the Overlay Specification 1.0, and reports what is wrong with it. */
import { didYouMean, type Report } from '@octavo/model'
import { checkKeys } from '../check/check-keys.ts'
import { Problems } from '../check/problems.ts'
import { type DocumentLimits, parseDocument } from '../document/parse-document.ts'
import type { SpecDocument } from '../document/spec-document.ts'
import { KIND, type NodeId } from '../document/tape.ts'
import { parseJsonPath } from '../json-path/parse-json-path.ts'
import type { Query } from '../json-path/query.ts'

export type Overlay = {
  readonly document: SpecDocument
  /** The row of `extends`, the specification that the overlay is made for. */
  readonly extends: NodeId | undefined
  readonly actions: readonly Action[]
  readonly problems: Problems
}

export type Action = {
  readonly target: NodeId
  readonly query: Query
  /** Undefined if the action removes its targets. */
  readonly update: NodeId | undefined
}

const FIELDS = ['overlay', 'info', 'extends', 'actions']
const INFO_FIELDS = ['title', 'version']
const ACTION_FIELDS = ['target', 'description', 'update', 'remove']

/** Returns true for a document that is an overlay and not a specification. */
export function isOverlay(document: SpecDocument): boolean {
  const { root } = document
  const isSpecification = ['openapi', 'swagger'].some((key) => document.field(root, key))
  return document.field(root, 'overlay') !== undefined && !isSpecification
}

/** Returns undefined and reports the reason if the document cannot be used as an overlay. */
export function parseOverlay(
  file: string,
  text: string,
  { report, limits }: { readonly report: Report; readonly limits: DocumentLimits },
): Overlay | undefined {
  const document = parseDocument(file, text, report, limits)
  if (document === undefined) return undefined
  const problems = new Problems(document, report)
  const overlay = checkKeys(problems) ? readOverlay(document, problems) : undefined
  if (overlay === undefined) problems.close()
  return overlay
}

/** Reads an overlay whose keys were checked. */
export function readOverlay(document: SpecDocument, problems: Problems): Overlay | undefined {
  if (!checkVersion(document, problems)) return undefined
  const { root } = document
  checkFields(root, 'An overlay', FIELDS, problems)
  const info = document.field(root, 'info')
  if (document.isObject(info)) checkFields(info, '`info` of an overlay', INFO_FIELDS, problems)
  requireFields(info ?? root, '`info`', INFO_FIELDS, problems)
  const written = document.field(root, 'extends')
  const isText = written !== undefined && document.kind(written) === KIND.string
  if (written !== undefined && !isText) {
    problems.add('openapi/wrong-value', written, {
      message: '`extends` must be the path or URL of a specification.',
      hint: 'Write it as it is seen from the overlay, such as `./openapi.yaml`.',
    })
  }
  const actions = document.field(root, 'actions')
  const items = document.items(actions)
  if (items.length === 0) {
    problems.add('openapi/wrong-value', actions ?? root, {
      message: 'The overlay has no actions, so it changes nothing.',
      hint: 'Add `actions`: a list with a `target` and an `update` or `remove` each.',
    })
  }
  return {
    document,
    extends: isText ? written : undefined,
    actions: items.flatMap((item) => readAction(item, document, problems) ?? []),
    problems,
  }
}

function checkVersion(document: SpecDocument, problems: Problems): boolean {
  const { root } = document
  const version = document.field(root, 'overlay')
  const written = document.textField(root, 'overlay')?.trim() ?? ''
  if (version === undefined || !/^1\.\d+(?:\.|-|$)/.test(written)) {
    problems.add('openapi/version', version ?? root, {
      message:
        version === undefined
          ? 'The file is not an overlay: it has no `overlay` version.'
          : `Overlay \`${written}\` is not supported. Octavo supports 1.0.`,
      hint: 'Start the file with `overlay: 1.0.0`.',
    })
    return false
  }
  if (!/^1\.0(?:\.|-|$)/.test(written)) {
    problems.add('openapi/newer-version', version, {
      message: `Overlay ${written} is read as 1.0; actions that are new in later versions are not applied.`,
      hint: 'If the overlay uses only `update` and `remove`, you can ignore this note.',
    })
  }
  return true
}

function readAction(item: NodeId, document: SpecDocument, problems: Problems): Action | undefined {
  if (!document.isObject(item)) {
    problems.add('openapi/wrong-value', item, {
      message: 'An action must be an object with `target`.',
      hint: 'Write `target` with a JSONPath, and `update` or `remove`.',
    })
    return undefined
  }
  checkFields(item, 'An action', ACTION_FIELDS, problems)
  const target = document.field(item, 'target')
  if (target === undefined || document.kind(target) !== KIND.string) {
    problems.add('openapi/wrong-value', target ?? item, {
      message: 'The action has no `target`, so it is not applied.',
      hint: "Write a JSONPath in quotes, such as `target: $.paths['/plants'].get`.",
    })
    return undefined
  }
  const update = document.field(item, 'update')
  const remove = document.field(item, 'remove')
  const isRemoved = document.isTrue(item, 'remove')
  if (remove !== undefined && !isRemoved && document.kind(remove) !== KIND.false) {
    problems.add('openapi/wrong-value', remove, {
      message: '`remove` must be `true` or `false`, without quotes.',
      hint: 'Write `remove: true` to remove the target.',
    })
    return undefined
  }
  if (!isRemoved && update === undefined) {
    problems.add('openapi/wrong-value', item, {
      message: 'The action has neither `update` nor `remove: true`, so it changes nothing.',
      hint: 'Add one of the two, or remove the action.',
    })
    return undefined
  }
  const query = readTarget(target, document, problems)
  return query && { target, query, update: isRemoved ? undefined : update }
}

function readTarget(target: NodeId, document: SpecDocument, problems: Problems): Query | undefined {
  const written = document.text(target)
  const query = parseJsonPath(written)
  if ('segments' in query) return query
  const { message, offset } = query
  const from = offset === 0 ? '' : ` from \`${written.slice(offset, offset + 20)}\` on`
  problems.add('openapi/overlay-target', target, {
    message: `The target is not a valid JSONPath${from}: ${message}.`,
    hint: "A JSONPath (RFC 9535) looks like `$.paths['/plants'].get` or `$.paths.*.*[?@.deprecated == true]`.",
  })
  return undefined
}

function checkFields(
  node: NodeId,
  name: string,
  fields: readonly string[],
  problems: Problems,
): void {
  for (const [key, value] of problems.document.entries(node)) {
    if (fields.includes(key) || key.startsWith('x-')) continue
    problems.add('openapi/unknown-field', value - 1, {
      message: `${name} has no field \`${key}\`; it is ignored.`,
      hint: didYouMean(key, fields, 'Remove it, or start its name with `x-`.'),
    })
  }
}

function requireFields(
  node: NodeId,
  name: string,
  fields: readonly string[],
  problems: Problems,
): void {
  const { document } = problems
  const missing = fields.filter((field) => document.textField(node, field) === undefined)
  if (missing.length === 0) return
  problems.add('openapi/missing-field', node, {
    message: `${name} of the overlay has no ${missing.map((field) => `\`${field}\``).join(' and no ')}.`,
    hint: 'Other tools refuse an overlay without them.',
  })
}
