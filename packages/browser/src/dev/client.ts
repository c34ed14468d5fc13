/**
 * Runs only on pages of `octavo dev`: updates the page when a file is saved, and shows the problems
 * of the page. The server sends the whole new page; see update-page.ts.
 */
import { ProblemPanel, type ShownProblems } from './problem-panel.ts'
import { updatePage } from './update-page.ts'

type Message =
  | ({ readonly kind: 'problems' } & ShownProblems)
  | {
      readonly kind: 'page'
      /** The page that the browser shows; undefined if the server knows that the client has it. */
      readonly before?: string
      readonly after: string
      readonly version: string
    }
  | { readonly kind: 'files'; readonly urls: readonly string[] }
  | { readonly kind: 'load' }

const OWN = '/_octavo/dev'
/** A hidden page closes its connection, since browsers allow only a few per server. */
const HIDDEN_MS_MAX = 20_000

const script = document.querySelector<HTMLScriptElement>('script[data-octavo-dev]')
let version = script?.dataset.octavoDev ?? ''
let shown: string | undefined
let stream: EventSource | undefined
let work: Promise<unknown> = Promise.resolve()
let hiding: number | undefined
/** A counter that makes each URL unique. */
let again = 0

const panel = new ProblemPanel({
  open: ({ file, line, column }) => post('open', { file, line, column }),
  fix: ({ file, line, column, code, message }) =>
    post('fix', { file, line, column, code, message }),
})

/** Posts an action to the server; returns an error message if it fails. */
async function post(action: 'open' | 'fix', body: object): Promise<string | undefined> {
  const response = await fetch(`${OWN}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.ok ? undefined : response.text()
}

function connect(): void {
  if (stream !== undefined) return
  const query = new URLSearchParams({ path: location.pathname, version })
  stream = new EventSource(`${OWN}/events?${query}`)
  stream.onopen = () => panel.showConnection(true)
  stream.onerror = () => {
    panel.showConnection(false)
    // The new connection starts with the version that is now on screen.
    disconnect()
    setTimeout(connect, 1_000)
  }
  stream.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    work = work.then(() => take(message)).catch(() => location.reload())
  }
}

function disconnect(): void {
  stream?.close()
  stream = undefined
}

async function take(message: Message): Promise<void> {
  switch (message.kind) {
    case 'problems':
      panel.show(message)
      break
    case 'files':
      message.urls.forEach(reloadResource)
      break
    case 'load':
      location.reload()
      break
    case 'page': {
      const before = message.before ?? shown
      if (before === undefined || !(await updatePage(before, message.after))) {
        location.reload()
        return
      }
      shown = message.after
      version = message.version
    }
  }
}

/** Reloads an image or stylesheet that changed but has the same URL. */
function reloadResource(url: string): void {
  const isIt = (address: string) => new URL(address, location.href).pathname === url
  again += 1
  const fresh = `${url}?again=${again}`
  for (const image of document.images) if (isIt(image.src)) image.src = fresh
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
    if (!isIt(link.href)) continue
    const copy = link.cloneNode() as HTMLLinkElement
    copy.href = fresh
    copy.addEventListener('load', () => link.remove(), { once: true })
    link.after(copy)
  }
}

document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding)
  if (document.hidden) hiding = setTimeout(disconnect, HIDDEN_MS_MAX)
  else connect()
})
addEventListener('pagehide', disconnect)
addEventListener('pageshow', connect)
connect()
