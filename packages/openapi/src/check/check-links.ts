/**
 * Checks names and link targets that are not references, such as response links and discriminators.
 */
import type { NodeId } from '../document/tape.ts'
import type { Operation } from '../operations/list-operations.ts'
import type { Specification } from '../specification.ts'
import { listNames, type Problems, suggest } from './problems.ts'

/**
 * Matches the URLs that may become links. Other schemes are not allowed, since the URLs are
 * untrusted.
 */
export const WEB_ADDRESS = /^https?:\/\//i

/** Checks `externalDocs`. A URL that is not a web URL is reported, and no link is shown for it. */
export function checkDocsLink(node: NodeId, problems: Problems): void {
  const { document } = problems
  const url = document.field(node, 'url')
  if (url === undefined || !document.isText(url) || WEB_ADDRESS.test(document.text(url))) return
  const written = document.text(url).slice(0, 200)
  problems.add('openapi/broken-link', url, {
    message: `\`externalDocs\` has the URL "${written}", which is not a web URL, so no link is shown.`,
    hint: 'Start the URL with `https://`. To link to a page of the site, put a link into the `description`.',
  })
}

/** Checks that `operationId` and `operationRef` of links name operations in this document. */
export function checkLinks(
  specification: Specification,
  operations: readonly Operation[],
  problems: Problems,
): void {
  const { document } = specification
  const ids = new Set(operations.map(({ node }) => document.textField(node, 'operationId') ?? ''))
  /** Ensures that a response shared by many operations is only checked once. */
  const seen = new Set<NodeId>()
  for (const { node } of operations) {
    for (const [, response] of document.entries(document.field(node, 'responses'))) {
      const followed = specification.follow(response)
      if (followed === undefined || seen.has(followed)) continue
      seen.add(followed)
      for (const [name, written] of document.entries(document.field(followed, 'links'))) {
        const link = specification.follow(written)
        checkLink(
          document.field(link, 'operationId'),
          name,
          (id) => ids.has(id),
          [...ids],
          problems,
        )
        const isLocal = (ref: string) => !ref.startsWith('#') || document.find(ref) !== undefined
        checkLink(document.field(link, 'operationRef'), name, isLocal, [], problems)
      }
    }
  }
}

function checkLink(
  target: NodeId | undefined,
  name: string,
  isKnown: (text: string) => boolean,
  candidates: Iterable<string>,
  problems: Problems,
): void {
  const text = target === undefined ? '' : problems.document.text(target)
  if (target === undefined || isKnown(text)) return
  problems.add('openapi/broken-link', target, () => ({
    message: `The link \`${name}\` refers to the operation \`${text}\`, which does not exist in this document.`,
    hint: suggest(text, candidates, 'Use the `operationId` of an operation.'),
  }))
}

/**
 * Checks that the values of a discriminator mapping (pointers or names) refer to existing schemas.
 */
export function checkDiscriminator(node: NodeId, problems: Problems): void {
  const { document } = problems
  const broken = document
    .entries(document.field(node, 'mapping'))
    .map(([value, target]) => ({ value, target, text: document.text(target) }))
    .filter(({ text }) => document.find(mappingPointer(text)) === undefined)
  const [first, second] = broken
  if (first === undefined) return
  const { value, target, text } = first
  problems.add('openapi/broken-link', target, () => {
    if (second !== undefined) {
      return {
        message: `The discriminator refers to the schemas ${listNames(broken.map((it) => it.text))}, which do not exist in this document.`,
        hint: 'Define these schemas under `components.schemas`, or remove them from the mapping.',
      }
    }
    const components = document.field(document.root, 'components')
    const names = document.entries(document.field(components, 'schemas')).map(([name]) => name)
    return {
      message: `The discriminator maps \`${value}\` to the schema \`${text}\`, which does not exist in this document.`,
      hint: suggest(
        text.split('/').at(-1) ?? text,
        names,
        'Define it under `components.schemas`, or remove the mapping.',
      ),
    }
  })
}

function mappingPointer(text: string): string {
  return text.startsWith('#') ? text : `#/components/schemas/${text}`
}
