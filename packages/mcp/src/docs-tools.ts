/** Defines the tools for agents: their names, descriptions and input schemas. */
import { mayRead } from '@octavo/model'
import type { DocsSite } from './docs-site.ts'

export type ToolName =
  | 'search_docs'
  | 'read_page'
  | 'grep_docs'
  | 'list_pages'
  | 'get_operation'
  | 'what_changed'
  | 'report_problem'

type TextProperty = {
  readonly type: 'string'
  readonly description: string
  readonly minLength?: number
  readonly maxLength: number
  readonly enum?: string[]
}

type NumberProperty = {
  readonly type: 'integer'
  readonly description: string
  readonly minimum: number
  readonly maximum: number
}

export type ToolProperty = TextProperty | NumberProperty

type Properties = Record<string, ToolProperty>

export type DocsTool = {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Properties
    readonly required: string[]
    readonly additionalProperties: false
  }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: false
    readonly idempotentHint: boolean
    readonly openWorldHint: false
  }
}

/** Limits for the inputs and outputs of tools. */
export const TOOL_LIMITS = {
  queryLength: 500,
  /** The minimum length of a string to search for literally. */
  grepLengthMin: 2,
  grepLength: 200,
  urlLength: 2_000,
  problemLength: 2_000,
  searchResults: 20,
  grepResults: 50,
  pagesPerList: 200,
  /** The maximum number of characters of a page in one response. */
  pageLength: 40_000,
  /**
   * The maximum number of characters of an API operation, which is about 4,000 tokens. It is lower
   * than for pages because schemas are repetitive and agents look up many operations.
   */
  operationLength: 16_000,
  offsetMax: 10_000_000,
  sinceLength: 40,
  /** The maximum number of pages per list, and of sentences about the API. */
  changesPerList: 100,
} as const

const L = TOOL_LIMITS

/**
 * Returns the scopes that the reader can access, the default one first. A scope is a language and
 * version.
 */
function scopesOf({ deployment, reader }: DocsSite): readonly string[] {
  const readable = deployment.root.search.filter(({ access }) => mayRead(reader, access))
  return [...new Set(readable.map(({ scope }) => scope))]
}

/**
 * Returns the tools for a site. Their order is always the same, so that clients can cache the list.
 */
export function docsTools(site: DocsSite): readonly DocsTool[] {
  const { name } = site
  const scope = scopeProperty(scopesOf(site))
  const tools = [
    searchDocs(name, scope),
    readPage(name, scope),
    grepDocs(name, scope),
    listPages(name, scope),
    getOperation(name, scope),
    ...(site.findChanges === undefined ? [] : [whatChanged(name)]),
  ]
  return site.reportProblem === undefined ? tools : [...tools, REPORT_PROBLEM]
}

/**
 * Returns the property with which agents choose a scope. There is no property if there is only one
 * scope.
 */
function scopeProperty(scopes: readonly string[]): Properties {
  if (scopes.length < 2) return {}
  const description = `Language and version to use. The default is ${scopes[0]}.`
  return { scope: { ...text(description, L.queryLength), enum: [...scopes] } }
}

function searchDocs(name: string, scope: Properties): DocsTool {
  return {
    name: 'search_docs',
    title: `Search ${name}`,
    description: `Searches the documentation of ${name} and returns the pages that match best, each with its best section and its URL. Use it first; then read the page.`,
    inputSchema: shape(
      {
        query: text('A question, or words that describe the topic.', L.queryLength),
        limit: count(
          'Number of pages to return. The default is 8, plus the names of up to 12 more.',
          L.searchResults,
        ),
        ...scope,
      },
      ['query'],
    ),
    annotations: READ_ONLY,
  }
}

function readPage(name: string, scope: Properties): DocsTool {
  return {
    name: 'read_page',
    title: `Read a page of ${name}`,
    description:
      'Returns a page of the documentation as Markdown, or one section of it if the URL has a fragment. Long pages come in several parts.',
    inputSchema: shape(
      {
        url: text(
          'URL or path of the page, such as /guides/start or /guides/start#install.',
          L.urlLength,
        ),
        offset: CONTINUE_AT,
        ...scope,
      },
      ['url'],
    ),
    annotations: READ_ONLY,
  }
}

function grepDocs(name: string, scope: Properties): DocsTool {
  return {
    name: 'grep_docs',
    title: `Search for text in ${name}`,
    description:
      'Finds sections that contain exactly this text, ignoring case: the name of an option, a function, an error message. Regular expressions are not supported.',
    inputSchema: shape(
      {
        text: { ...text('The text to find.', L.grepLength), minLength: L.grepLengthMin },
        path: ONLY_BELOW,
        limit: count('Number of matches to return. The default is 20.', L.grepResults),
        ...scope,
      },
      ['text'],
    ),
    annotations: READ_ONLY,
  }
}

function listPages(name: string, scope: Properties): DocsTool {
  return {
    name: 'list_pages',
    title: `List pages of ${name}`,
    description: 'Lists the pages of the documentation in reading order, with descriptions.',
    inputSchema: shape(
      { path: ONLY_BELOW, offset: count('Number of pages to skip.', L.offsetMax, 0), ...scope },
      [],
    ),
    annotations: READ_ONLY,
  }
}

function getOperation(name: string, scope: Properties): DocsTool {
  return {
    name: 'get_operation',
    title: `Look up an API operation of ${name}`,
    description:
      'Returns the reference of one API operation: parameters, request body, responses and examples. Long ones come in several parts.',
    inputSchema: shape(
      {
        operation: text('Method and path of the operation, such as GET /plants/{id}.', L.urlLength),
        offset: CONTINUE_AT,
        ...scope,
      },
      ['operation'],
    ),
    annotations: READ_ONLY,
  }
}

function whatChanged(name: string): DocsTool {
  return {
    name: 'what_changed',
    title: `What changed in ${name}`,
    description: `Lists the pages of ${name} that were added, changed, moved or removed since an earlier deployment, and what changed in its APIs: what breaks clients, what is new and what is only documentation.`,
    inputSchema: shape(
      {
        since: text(
          'The number of a deployment, such as 12, or a date, such as 2026-01-31 or 2026-01-31T09:00Z.',
          L.sinceLength,
        ),
      },
      ['since'],
    ),
    annotations: READ_ONLY,
  }
}

const ONLY_BELOW = text('Only pages whose path starts with this, such as /guides.', L.urlLength)
const CONTINUE_AT = count(
  'Character to continue at, as given in a previous answer.',
  L.offsetMax,
  0,
)

const READ_ONLY: DocsTool['annotations'] = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

const REPORT_PROBLEM: DocsTool = {
  name: 'report_problem',
  title: 'Report a problem with the documentation',
  description:
    'Tells the owner of the documentation that something is wrong, missing or unclear. Do not include personal data or secrets.',
  inputSchema: shape(
    {
      problem: text('What is wrong, and what you expected.', L.problemLength),
      url: text('The page that the report is about.', L.urlLength),
    },
    ['problem'],
  ),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
}

function shape(properties: Properties, required: string[]): DocsTool['inputSchema'] {
  return { type: 'object', properties, required, additionalProperties: false }
}

function text(description: string, maxLength: number): TextProperty {
  return { type: 'string', description, maxLength }
}

function count(description: string, maximum: number, minimum = 1): NumberProperty {
  return { type: 'integer', description, minimum, maximum }
}
