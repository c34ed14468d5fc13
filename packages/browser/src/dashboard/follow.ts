/** Waits for new lines of a build log, or for the first deployment. */

const POLL_MS = 5_000
const RETRIES_MAX = 20

type LogLine = { readonly line: number; readonly at: string; readonly text: string }

/**
 * Appends the lines of a log as they are written. When the log ends, the page is reloaded to show
 * the result.
 */
export async function followLog(list: HTMLElement): Promise<void> {
  let after = Number(list.dataset.after)
  const start = Number(list.dataset.start)
  if (after === 0) list.replaceChildren()
  list.scrollTop = list.scrollHeight
  for (let retry = 0; retry < RETRIES_MAX; retry += 1) {
    try {
      const reply = await fetch(`${list.dataset.log}?after=${after}`)
      if (!reply.ok || reply.body === null) return
      for await (const { line, at, text } of readLines(reply.body)) {
        after = line
        retry = 0
        addLine(list, ((Date.parse(at) - start) / 1_000).toFixed(1), text)
      }
      return location.reload()
    } catch {
      // The connection was lost, so the next attempt resumes after the last line.
      await pause()
    }
  }
}

function addLine(list: HTMLElement, seconds: string, text: string): void {
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40
  const item = document.createElement('li')
  const time = document.createElement('time')
  const words = document.createElement('span')
  time.textContent = `${seconds} s`
  words.textContent = text
  item.append(time, words)
  list.append(item)
  if (isAtEnd) list.scrollTop = list.scrollHeight
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<LogLine> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as LogLine
  }
}

export async function reloadWhenReady(url: string): Promise<void> {
  for (;;) {
    await pause()
    if (document.hidden) continue
    const reply = await fetch(url).catch(() => undefined)
    if (reply === undefined) continue
    if (!reply.ok) return
    const { hasDeployment } = (await reply.json()) as { readonly hasDeployment: boolean }
    if (hasDeployment) return location.reload()
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, POLL_MS))
