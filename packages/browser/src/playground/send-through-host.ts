/**
 * Sends a request through the host of the site, for APIs that do not allow its origin. Only a service
 * that hosts sites does this, and only if the owner wants it; a static site never does.
 */
import { siteAddress } from '../page/site-base.ts'

/** A host takes no larger body; such a request is sent directly. */
const BODY_BYTES_MAX = 1_000_000

export async function hostHasProxy(): Promise<boolean> {
  try {
    const response = await fetch(siteAddress('/_octavo/version.json'), { cache: 'no-store' })
    return response.ok && (await response.json()).proxy === true
  } catch {
    return false
  }
}

/** Nothing if the host does not send this request, so that the browser has to. */
export async function sendThroughHost(
  url: string,
  { method = 'GET', headers, body, signal = null }: RequestInit,
): Promise<Response | undefined> {
  // Also writes the boundary of a form.
  const whole = new Response(body ?? null, headers === undefined ? {} : { headers })
  const bytes = body == null ? undefined : await whole.blob()
  if (bytes !== undefined && bytes.size > BODY_BYTES_MAX) return undefined
  const response = await fetch(siteAddress('/_octavo/proxy'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      url,
      method,
      headers: [...whole.headers],
      ...(bytes !== undefined && { body: await toBase64(bytes) }),
    }),
    signal,
    credentials: 'omit',
    cache: 'no-store',
  })
  // Off by now, or not for this server: the API was not asked.
  if (response.status === 403 || response.status === 404) return undefined
  const reply = await response.json()
  if (!response.ok) throw new Error(reply.detail)
  const hasBody = ![204, 205, 304].includes(reply.status)
  return new Response(hasBody ? fromBase64(reply.body) : null, {
    status: reply.status,
    statusText: reply.statusText,
    headers: reply.headers,
  })
}

function toBase64(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(bytes)
  })
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
