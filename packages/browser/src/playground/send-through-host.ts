/**
 * Sends a request through the site's host, for APIs that do not allow the site's origin. Only a
 * hosting service supports this, and only if the owner enables it; a static host never does.
 */
import { siteAddress } from '../page/site-base.ts'

/** The maximum size of a body for the proxy; a larger request is sent directly. */
const BODY_BYTES_MAX = 1_000_000

export async function hostHasProxy(): Promise<boolean> {
  try {
    const response = await fetch(siteAddress('/_octavo/version.json'), { cache: 'no-store' })
    return response.ok && (await response.json()).proxy === true
  } catch {
    return false
  }
}

/**
 * Sends the request; returns undefined if the host does not forward it, in which case the browser
 * must send it.
 */
export async function sendThroughHost(
  url: string,
  { method = 'GET', headers, body, signal = null }: RequestInit,
): Promise<Response | undefined> {
  // A `Response` also sets the boundary of a multipart form.
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
  // The proxy has been disabled or does not allow this server, so the API received no request.
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
