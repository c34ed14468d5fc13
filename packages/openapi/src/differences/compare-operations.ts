import type { NodeId } from '../document/tape.ts'
import { callbackOperations } from '../operations/list-operations.ts'
import type { Direction } from '../values/value-context.ts'
import type { Subject } from './api-change.ts'
import type { ChangeRule } from './change-rules.ts'
import {
  compareContent,
  type Nodes,
  type OperationComparison,
  type Side,
} from './compare-content.ts'
import { compareParameters } from './compare-parameters.ts'
import { textOf } from './compare-rules.ts'
import { compareSecurity } from './compare-security.ts'

/** Compares two versions of an operation: texts, parameters, body, responses and security. */
export function compareOperation(comparison: OperationComparison): void {
  compareTexts(comparison)
  compareParameters(comparison)
  compareSecurity(comparison)
  // The API sends the bodies of webhooks, and receives the responses.
  const isEvent = comparison.new.kind === 'webhook'
  compareBody(comparison, isEvent ? 'response' : 'request')
  compareResponses(comparison, isEvent ? 'request' : 'response')
  compareCallbacks(comparison)
}

const TEXTS = ['summary', 'description', 'operationId', 'tags', 'servers', 'externalDocs']

function compareTexts({ versions, old, new: added, report, subject }: OperationComparison): void {
  const before = versions.old.document
  const after = versions.new.document
  const own = subject('the operation')
  for (const key of TEXTS) {
    const node = after.field(added.node, key)
    if (textOf(before, before.field(old.node, key)) === textOf(after, node)) continue
    const text = `has another \`${key}\`.`
    report({ rule: 'described', subject: own, text, node: node ?? added.node, side: 'new' })
  }
  const was = before.isTrue(old.node, 'deprecated')
  if (was === after.isTrue(added.node, 'deprecated')) return
  const text = was ? 'is no longer deprecated.' : 'is now deprecated.'
  report({ rule: 'deprecated', subject: own, text, node: added.node, side: 'new' })
}

function compareBody(comparison: OperationComparison, direction: Direction): void {
  const { versions, report, subject } = comparison
  const own = subject(direction === 'request' ? 'the request body' : 'the body', direction)
  const bodyOf = (side: Side) =>
    versions[side].follow(versions[side].document.field(comparison[side].node, 'requestBody'))
  const before = bodyOf('old')
  const after = bodyOf('new')
  const isRequired = versions.new.document.isTrue(after, 'required')
  const wasRequired = versions.old.document.isTrue(before, 'required')
  const say = (rule: ChangeRule, text: string, node: NodeId, side: Side = 'new') =>
    report({ rule, subject: own, text, node, side })
  if (before === undefined && after !== undefined) {
    say(
      isRequired ? 'body-added-required' : 'body-added',
      isRequired ? 'is new and required.' : 'is new.',
      after,
    )
  } else if (before !== undefined && after === undefined)
    say('body-removed', 'was removed.', before, 'old')
  if (before === undefined || after === undefined) return
  if (isRequired && !wasRequired) say('body-required', 'is now required.', after)
  if (wasRequired && !isRequired) say('body-optional', 'is no longer required.', after)
  compareContent(comparison, { old: before, new: after }, own)
}

function compareResponses(comparison: OperationComparison, direction: Direction): void {
  const { versions, report, subject } = comparison
  const responsesOf = (side: Side) => {
    const { document } = versions[side]
    return new Map(
      document
        .entries(document.field(comparison[side].node, 'responses'))
        .filter(([key]) => !key.startsWith('x-')),
    )
  }
  const before = responsesOf('old')
  const after = responsesOf('new')
  for (const [status, written] of before) {
    const own = subject(`the response \`${status}\``, direction)
    const other = after.get(status) ?? after.get(`${status.charAt(0)}XX`)
    if (other === undefined) {
      const isSuccess = /^[23]/.test(status)
      const rule = isSuccess ? 'response-removed' : 'error-response-removed'
      report({ rule, subject: own, text: 'was removed.', node: written - 1, side: 'old' })
      continue
    }
    const old = versions.old.follow(written)
    const added = versions.new.follow(other)
    if (old === undefined || added === undefined) continue
    const texts = [
      versions.old.document.textField(old, 'description'),
      versions.new.document.textField(added, 'description'),
    ]
    if (texts[0] !== texts[1]) {
      report({
        rule: 'described',
        subject: own,
        text: 'has another `description`.',
        node: added,
        side: 'new',
      })
    }
    compareContent(comparison, { old, new: added }, own)
    compareHeaders(comparison, { old, new: added }, own)
  }
  for (const [status, node] of after) {
    if (before.has(status)) continue
    report({
      rule: 'response-added',
      subject: subject(`the response \`${status}\``, direction),
      text: 'is new.',
      node: node - 1,
      side: 'new',
    })
  }
}

function compareHeaders(comparison: OperationComparison, nodes: Nodes, response: Subject): void {
  const { versions, schemas, report } = comparison
  const headersOf = (side: Side) => {
    const { document } = versions[side]
    const entries = document.entries(document.field(nodes[side], 'headers'))
    return new Map(entries.map(([name, node]) => [name.toLowerCase(), node]))
  }
  const before = headersOf('old')
  const after = headersOf('new')
  for (const [name, written] of before) {
    const subject = { ...response, part: `the header \`${name}\` of ${response.part}` }
    const other = after.get(name)
    if (other === undefined) {
      report({
        rule: 'header-removed',
        subject,
        text: 'was removed.',
        node: written - 1,
        side: 'old',
      })
      continue
    }
    const old = versions.old.follow(written)
    const added = versions.new.follow(other)
    if (old === undefined || added === undefined) continue
    const was = versions.old.document.isTrue(old, 'required')
    const is = versions.new.document.isTrue(added, 'required')
    if (was && !is)
      report({
        rule: 'header-optional',
        subject,
        text: 'is no longer required.',
        node: added,
        side: 'new',
      })
    if (is && !was)
      report({
        rule: 'header-required',
        subject,
        text: 'is now required.',
        node: added,
        side: 'new',
      })
    const oldSchema = versions.old.document.field(old, 'schema')
    const newSchema = versions.new.document.field(added, 'schema')
    if (oldSchema !== undefined && newSchema !== undefined)
      schemas.add(oldSchema, newSchema, subject)
  }
  for (const [name, node] of after) {
    if (before.has(name)) continue
    const subject = { ...response, part: `the header \`${name}\` of ${response.part}` }
    report({ rule: 'header-added', subject, text: 'is new.', node: node - 1, side: 'new' })
  }
}

function compareCallbacks(comparison: OperationComparison): void {
  const { versions, report, subject } = comparison
  const callbacksOf = (side: Side) =>
    new Map(
      callbackOperations(versions[side], comparison[side].node).map((one) => [
        `${one.name} ${one.method} ${one.expression}`,
        one,
      ]),
    )
  const before = callbacksOf('old')
  const after = callbacksOf('new')
  for (const [key, { name, ...old }] of before) {
    const part = `the callback \`${name}\``
    const added = after.get(key)
    if (added === undefined) {
      report({
        rule: 'operation-removed',
        subject: subject(part),
        text: 'was removed.',
        node: old.node,
        side: 'old',
      })
      continue
    }
    const asEvent = { kind: 'webhook', path: name } as const
    const inner = {
      ...comparison,
      old: { ...old, ...asEvent },
      new: { ...added, ...asEvent },
      subject: (inside: string, direction?: Direction) =>
        subject(`${inside} of ${part}`, direction),
    }
    compareBody(inner, 'response')
    compareResponses(inner, 'request')
  }
  for (const [key, { name, node }] of after) {
    if (before.has(key)) continue
    report({
      rule: 'operation-added',
      subject: subject(`the callback \`${name}\``),
      text: 'is new.',
      node,
      side: 'new',
    })
  }
}
