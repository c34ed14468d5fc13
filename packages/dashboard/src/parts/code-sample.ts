/** The curl and CLI commands that do the same as a screen, for people to copy. */
import { type Html, type HtmlPart, html } from './html.ts'
import { icon } from './icon.ts'

export type CurlCall = {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly accept?: string
  /** True if only people can make this call, not API keys. */
  readonly isForPeople?: boolean
}

/** Returns a curl command with the API key in an environment variable. */
export function curlCommand(call: CurlCall): string {
  const { url, method = 'GET', path, body, accept, isForPeople } = call
  const token = isForPeople ? 'OCTAVO_SESSION' : 'OCTAVO_API_KEY'
  const address = `${url}${path}`
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${/[?&]/.test(address) ? `"${address}"` : address}`,
    `-H "Authorization: Bearer $${token}"`,
    ...(accept === undefined ? [] : [`-H "Accept: ${accept}"`]),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${shellWord(JSON.stringify(body))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** Quotes text as a single shell argument. */
export function shellWord(text: string): string {
  return /^[\w.,:/@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Renders the commands at the end of a screen, collapsed into one row with the name of the first.
 */
export function equivalentCommands(...commands: readonly (string | undefined)[]): Html {
  const known = commands.filter((command) => command !== undefined)
  const samples = known.map((command, index) => codeSample(`same-${index + 1}`, command))
  const isForPeople = known.some((command) => command.includes('$OCTAVO_SESSION'))
  return html`
    <details class="same">
      <summary>
        ${icon('terminal')}
        API and CLI
        <code>${nameOf(known[0] ?? '')}</code>
        ${icon('chevron-right')}
      </summary>
      <div class="stack">
        ${samples}
        ${
          isForPeople &&
          html`
            <p class="hint">
              API keys cannot make this call. <code>OCTAVO_SESSION</code> is the token of a command-line session.
            </p>
          `
        }
      </div>
    </details>
  `
}

/** Returns the method and path of a curl command, and any other command unchanged. */
function nameOf(command: string): string {
  const [, method = 'GET', path] =
    /^curl (?:-X (\w+) )?"?https?:\/\/[^/\s]+([^\s?"]*)/.exec(command) ?? []
  return path === undefined ? command : `${method} ${path}`
}

export function codeSample(id: string, text: string): Html {
  return html`<div class="code"><pre tabindex="0" id="${id}">${paintShell(text)}</pre>${copyButton(id, 'Copy')}</div>`
}

/** Renders a hidden button. The script shows it, since it only works with JavaScript. */
export function copyButton(target: string, label: string): Html {
  return html`
    <button class="copy" type="button" hidden data-copy="${target}" aria-label="${label}">
      ${icon('copy')}
    </button>
  `
}

const TOKEN =
  /("[^"]*"|'[^']*')|((?<=\s)--?[A-Za-z][\w-]*)|(^(?:curl|octavo-service|octavo|npx|export)\b)/gm

/** Highlights strings, options and program names. */
function paintShell(text: string): readonly HtmlPart[] {
  const parts: HtmlPart[] = []
  let from = 0
  for (const match of text.matchAll(TOKEN)) {
    parts.push(text.slice(from, match.index))
    const [token, string, option] = match
    const word = option === undefined ? 'program' : 'option'
    const kind = string === undefined ? word : 'string'
    parts.push(html`<span class="${kind}">${token}</span>`)
    from = match.index + token.length
  }
  parts.push(text.slice(from))
  return parts
}
