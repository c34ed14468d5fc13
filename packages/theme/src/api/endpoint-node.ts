/** The method and URL of an operation, with a button that opens the playground. */
import type { PageNode } from '@octavo/content'
import type { OperationPage, ServerData } from '@octavo/openapi'
import { type ApiContext, element, type PlaygroundMode } from './api-context.ts'

/**
 * Returns the playground mode; without a server, the playground cannot send requests ("API
 * playground…" 1).
 */
export function playgroundMode(
  page: OperationPage,
  servers: readonly ServerData[],
  wanted: PlaygroundMode,
): PlaygroundMode {
  if (page.kind === 'webhook') return 'none'
  if (servers.length > 0) return wanted
  return wanted === 'interactive' ? 'simple' : wanted === 'auth' ? 'none' : wanted
}

export function endpointNode(
  page: OperationPage,
  servers: readonly ServerData[],
  context: ApiContext,
): PageNode {
  const mode = playgroundMode(page, servers, context.playground)
  const method = page.kind === 'webhook' ? 'Webhook' : page.method
  const [server] = servers
  const base = server?.url.replace(/\/$/, '') ?? ''
  const isShown = base !== '' && (servers.length === 1 || context.settings.fullUrl)
  return element('div', { class: 'oct-endpoint', 'data-playground': mode }, [
    element('span', { class: `oct-method oct-method-${method.toLowerCase()}` }, [method]),
    ' ',
    element('code', { class: 'oct-path' }, [
      ...(isShown ? [element('span', { class: 'oct-base' }, [base])] : []),
      ...pathNodes(page.path),
    ]),
    ...button(mode, page, `${base}${page.path}`, context),
  ])
}

/** Styles path parameters differently from the rest of the path. */
function pathNodes(path: string): readonly PageNode[] {
  return path
    .split(/(\{[^{}]*\})/)
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece.startsWith('{') ? element('span', { class: 'oct-path-variable' }, [piece]) : piece,
    )
}

function button(
  mode: PlaygroundMode,
  page: OperationPage,
  address: string,
  { fragments, words }: ApiContext,
): readonly PageNode[] {
  if (mode === 'simple') {
    return [
      element(
        'button',
        {
          class: 'oct-try',
          type: 'button',
          hidden: true,
          'data-oct': 'copy-text',
          'data-text': address,
        },
        [words.copy],
      ),
    ]
  }
  if (mode !== 'interactive' && mode !== 'auth') return []
  // In `auth` mode, only the hosting service shows the button, and only to signed-in readers.
  const control = mode === 'auth' ? 'data-signed-in' : 'data-oct'
  return [
    element(
      'button',
      {
        class: 'oct-try',
        type: 'button',
        hidden: true,
        [control]: 'try',
        'data-folder': fragments.folder,
        'data-count': String(fragments.count),
        ...(fragments.operation === undefined ? {} : { 'data-url': fragments.operation }),
        ...(fragments.inline === undefined ? {} : { 'data-inline': fragments.inline }),
        'data-operation': `${page.method} ${page.path}`,
        'data-failed': words.apiFailed,
        'aria-haspopup': 'dialog',
      },
      [words.apiTry],
    ),
  ]
}
