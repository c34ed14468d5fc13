/**
 * Runs on pages of `octavo dev` and nowhere else: brings the page up to date when a file is saved, and
 * shows what is wrong with it. The server sends the whole page as it is now; see update-page.ts.
 */
import { ProblemPanel, type ShownProblems } from './problem-panel.ts'
import { updatePage } from './update-page.ts'

type Message =
  | ({ readonly kind: 'problems' } & ShownProblems)
  | {
      readonly kind: 'page'
      /** As it is on screen, where the server cannot know that we know. */
      readonly before?: string
      readonly after: string
      readonly version: string
    }
  | { readonly kind: 'files'; readonly urls: readonly string[] }
  | { readonly kind: 'load' }

const OWN = '/_octavo/dev'
/** A page that nobody looks at lets its connection go: a browser has few for one server. */
const HIDDEN_MS_MAX = 20_000

const script = document.querySelector<HTMLScriptElement>('script[data-octavo-dev]')
let version = script?.dataset.octavoDev ?? ''
let shown: string | undefined
let stream: EventSource | undefined
let work: Promise<unknown> = Promise.resolve()
let hiding: number | undefined
/** Makes each address another one. */
let again = 0

const panel = new ProblemPanel({
  open: async ({ file, line, column }) => {
    const response = await fetch(`${OWN}/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ file, line, column }),
    })
    return response.ok ? undefined : response.text()
  },
})

function connect(): void {
  if (stream !== undefined) return
  const query = new URLSearchParams({ path: location.pathname, version })
  stream = new EventSource(`${OWN}/events?${query}`)
  stream.onopen = () => panel.showConnection(true)
  stream.onerror = () => {
    panel.showConnection(false)
    // Asked anew, with the version that is on screen by now.
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
      message.urls.forEach(showAgain)
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

/** A picture or a stylesheet whose address is the same and whose content is not. */
function showAgain(url: string): void {
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
