/** Checks what shapes cannot express, such as undefined names and conflicting paths. */

import { OPENAPI_LIMITS } from '../document/limits.ts'
import type { NodeId } from '../document/tape.ts'
import { checkCodeSamples, checkPrefills, checkTagLabels } from '../operations/check-extensions.ts'
import {
  callbackOperations,
  isMethod,
  listOperations,
  listPaths,
  type Operation,
} from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import { checkLinks } from './check-links.ts'
import { checkParameters } from './check-parameters.ts'
import { checkServers } from './check-servers.ts'
import { listNames, type Problems, suggest } from './problems.ts'

export function checkDocument(specification: Specification, problems: Problems): void {
  const { document } = specification
  const operations = listOperations(specification)
  checkPaths(specification, operations, problems)
  checkOperationIds(operations, problems)
  checkSecurity(specification, operations, problems)
  checkServers(document.field(document.root, 'servers'), problems)
  for (const pathItem of new Set(operations.map((operation) => operation.pathItem))) {
    checkServers(document.field(pathItem, 'servers'), problems)
  }
  for (const operation of operations) {
    checkServers(document.field(operation.node, 'servers'), problems)
    checkParameters(specification, operation, problems)
    checkCodeSamples(specification, operation, problems)
  }
  checkPrefills(specification, problems)
  checkTagLabels(specification, problems)
  checkLinks(specification, operations, problems)
  checkWebhooks(specification, problems)
}

/**
 * Reports paths that are the same to a client, such as `GET /plants/{id}` and `GET /plants/{name}`.
 * Also reports paths that have no pages because too many paths share their path item.
 */
function checkPaths(
  specification: Specification,
  operations: readonly Operation[],
  problems: Problems,
): void {
  for (const { path, item, isSkipped } of listPaths(specification)) {
    if (!isSkipped) continue
    problems.add('openapi/too-large', item, {
      message: `No pages are generated for \`${path}\`: more than ${OPENAPI_LIMITS.pathItemUsesMax} paths refer to the same path item.`,
      hint: 'Define the operations separately where they differ, or keep only one of the paths.',
    })
  }
  const seen = new Map<string, string>()
  for (const { kind, method, path, node } of operations) {
    if (kind === 'webhook') continue
    const shape = `${method} ${path.normalize('NFC').replaceAll(/\{[^{}]*\}/g, '{}')}`
    const earlier = seen.get(shape)
    if (earlier === undefined) seen.set(shape, path)
    else if (earlier !== path) {
      problems.add('openapi/same-path', node - 1, {
        message: `\`${method} ${path}\` and \`${method} ${earlier}\` are the same to a client.`,
        hint: 'Merge the two, or make the paths differ outside the braces.',
      })
    }
  }
}

function checkOperationIds(operations: readonly Operation[], problems: Problems): void {
  const { document } = problems
  const seen = new Map<string, string>()
  const nodes = new Set<NodeId>()
  for (const { method, path, node } of operations) {
    // Two paths that refer to the same path item have the same operation.
    if (nodes.has(node)) continue
    nodes.add(node)
    const id = document.textField(node, 'operationId')
    if (id === undefined) continue
    const earlier = seen.get(id)
    if (earlier === undefined) seen.set(id, `${method} ${path}`)
    else {
      problems.add('openapi/duplicate-operation-id', document.field(node, 'operationId') ?? node, {
        message: `The operationId \`${id}\` is also used by \`${earlier}\`.`,
        hint: 'Give each operation a unique operationId: code generators rely on it. Page URLs do not depend on it.',
      })
    }
  }
}

function checkSecurity(
  specification: Specification,
  operations: readonly Operation[],
  problems: Problems,
): void {
  const { document } = specification
  const components = document.field(document.root, 'components')
  const schemes = document.entries(document.field(components, 'securitySchemes'))
  const known = new Set(schemes.map(([name]) => name))
  const others = known.size === 0 ? '' : `, or use an existing one: ${listNames([...known])}`
  const define = `Define it under \`components.securitySchemes\`${others}.`
  const check = (requirements: NodeId | undefined) => {
    for (const requirement of document.items(requirements)) {
      for (const [name, scopes] of document.entries(requirement)) {
        if (known.has(name)) continue
        problems.addNamed('openapi/unknown-security', name, scopes - 1, () => ({
          message: `The security scheme \`${name}\` is not defined.`,
          hint: suggest(name, known, define),
        }))
      }
    }
  }
  check(document.field(document.root, 'security'))
  for (const { node } of operations) {
    check(document.field(node, 'security'))
    for (const callback of callbackOperations(specification, node)) {
      check(document.field(callback.node, 'security'))
    }
  }
}

/**
 * Reports webhooks with several methods. Only the first is shown, since a webhook is a single
 * request with a name instead of a path.
 */
function checkWebhooks(specification: Specification, problems: Problems): void {
  const { document } = specification
  for (const [name, written] of document.entries(document.field(document.root, 'webhooks'))) {
    const item = specification.isReference(written) ? specification.follow(written) : written
    const methods = document.entries(item).filter(([key]) => isMethod(key))
    if (methods.length < 2) continue
    const [[shown] = ['']] = methods
    problems.add('openapi/repeated-entry', written, {
      message: `The webhook \`${name}\` has ${methods.length} methods; only \`${shown}\` is shown.`,
      hint: 'Define a separate webhook for each method.',
    })
  }
}
