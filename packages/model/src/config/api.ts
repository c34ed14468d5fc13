/** The schema of the `api` key, and of the `openapi` value that navigation elements also accept. */

import { byType, flag, listOf, oneOf, text, unsupported } from '../schema/schema.ts'
import { optional, required, shape } from '../schema/shape.ts'
import { joinPath } from '../text/join-path.ts'
import { url } from './values.ts'

const specificationSource = text({ expected: 'the path or URL of a specification' })

const folder = text({
  expected: 'a folder of the documentation',
  check: (value) =>
    joinPath('', value) === undefined ? 'points outside the documentation folder' : undefined,
  hint: 'Write a path from the root of the documentation, such as `api-reference`.',
})

const sourceObject = shape({
  source: required(specificationSource, 'Path in the repository, or URL, of the document.'),
  directory: optional(folder, 'Folder of the generated pages; `api-reference` by default.'),
  overlays: optional(
    listOf(text({ expected: 'the path or URL of an overlay' })),
    'Paths or URLs of OpenAPI Overlay documents, which change the specification in this order.',
  ),
  hidden: optional(flag, 'Generated pages are served but not listed.'),
})

/** One or several specifications: rule 3 of "Documentation generation from OpenAPI". */
export const openapi = byType(
  specificationSource,
  sourceObject,
  listOf(byType(specificationSource, sourceObject), { min: 1 }),
)

export const asyncapi = byType(
  specificationSource,
  shape({
    source: required(specificationSource, 'Path or URL of the document.'),
    directory: optional(folder, 'Folder of the generated pages.'),
  }),
  listOf(specificationSource),
)

export const PLAYGROUND_MODES = ['interactive', 'simple', 'none', 'auth'] as const

export const api = shape(
  {
    openapi: optional(openapi, 'Specifications for pages that do not name one.'),
    asyncapi: optional(unsupported(asyncapi), 'AsyncAPI documents.'),
    params: optional(
      shape({
        expanded: optional(
          oneOf(['all', 'closed']),
          'Whether nested parameters are expanded by default.',
        ),
        post: optional(
          listOf(text()),
          'OpenAPI schema keys that are shown as pills on every parameter.',
        ),
      }),
      'How parameters are shown.',
    ),
    playground: optional(
      shape(
        {
          display: optional(oneOf(PLAYGROUND_MODES), 'Kind of playground.'),
          proxy: optional(
            flag,
            'Send requests through the service that hosts the site, if its owner allows it. Default: `true`.',
          ),
          credentials: optional(flag, "Send the reader's cookies with requests."),
        },
        { legacy: { mode: 'Use `api.playground.display`.' } },
      ),
      'The API playground.',
    ),
    examples: optional(
      shape({
        defaults: optional(
          oneOf(['required', 'all']),
          'Which parameters the samples include. Default: required parameters and parameters with an example.',
        ),
        languages: optional(listOf(text()), 'Languages of the code samples, in order.'),
        prefill: optional(
          flag,
          'Prefill all fields of the playground with example values, or none. Default: the body and required parameters.',
        ),
        autogenerate: optional(
          flag,
          'Generate samples for operations without samples in the specification.',
        ),
      }),
      'Code samples.',
    ),
    url: optional(oneOf(['full']), 'Show the full URL of each endpoint.'),
    mdx: optional(
      shape({
        auth: optional(
          shape({
            method: optional(oneOf(['bearer', 'basic', 'key', 'cobo']), 'Kind of credential.'),
            name: optional(text(), 'Name of the header.'),
          }),
          'Authentication for pages with `api` in their frontmatter.',
        ),
        server: optional(
          byType(url, listOf(url)),
          'Base URL for pages with `api` in their frontmatter.',
        ),
      }),
      'API pages written by hand.',
    ),
  },
  {
    legacy: {
      baseUrl: 'Use `api.mdx.server`.',
      auth: 'Use `api.mdx.auth`.',
      hidePlayground: 'Use `api.playground.display` with the value `none`.',
      disableProxy: 'Use `api.playground.proxy` with the value `false`.',
      paramFields: 'Use `api.params`.',
      request: 'Use `api.examples`.',
      maintainOrder: 'Remove it: pages follow the order of the specification.',
    },
  },
)

/** Checks whether a source is the URL of a hosted document and not a path in the repository. */
export function isHosted(source: string): boolean {
  return /^https?:\/\//i.test(source)
}
