/** Commands to copy that do the same as a screen, with curl or the CLI. */
import { type Html, type HtmlPart, html } from './html.ts'
import { icon } from './icon.ts'

export type CurlCall = {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly accept?: string
  /** True if API keys cannot make this call. */
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

/** Renders the commands at the end of each screen. */
export function equivalentCommands(...commands: readonly (string | undefined)[]): Html {
  const samples = commands
    .filter((command) => command !== undefined)
    .map((command, index) => codeSample(`same-${index + 1}`, command))
  const isForPeople = commands.some((command) => command?.includes('$OCTAVO_SESSION'))
  return html`
    <section class="same" aria-labelledby="same">
      <h2 id="same">${icon('terminal')}The same without this page</h2>
      ${samples}
      ${
        isForPeople &&
        html`
          <p class="hint">
            Only people can make this call, so an API key does not work: <code>OCTAVO_SESSION</code> is the
            token of a command-line session.
          </p>
        `
      }
    </section>
  `
}

export function codeSample(id: string, text: string): Html {
  return html`<div class="code"><pre tabindex="0" id="${id}">${paintShell(text)}</pre>${copyButton(id, 'Copy')}</div>`
}

/** Renders a hidden button, which the script shows: it does not work without it. */
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
