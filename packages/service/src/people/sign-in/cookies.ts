/**
 * Cookies with the `__Host-` prefix: browsers accept them only from this host over HTTPS (or
 * localhost). Therefore, no other site below a shared domain can set one for this host.
 */
const SESSION_COOKIE = '__Host-octavo'

export function readCookie(request: Request, name: string): string | undefined {
  return cookieIn(request.headers.get('cookie') ?? '', name)
}

/** Reads a cookie's value from a `cookie` header. */
export function cookieIn(header: string, name: string): string | undefined {
  const cookies = header.split(/; */)
  const found = cookies.filter((one) => one.startsWith(`${name}=`))
  // If there are two such cookies, another site has set one of them, and it is unclear which.
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined
}

/**
 * Returns a `set-cookie` header. Without `seconds`, the cookie lasts until the browser is closed.
 */
export function setCookie(name: string, value: string, seconds?: number): string {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  return `${name}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax${age}`
}

export function readSessionCookie(request: Request): string | undefined {
  return readCookie(request, SESSION_COOKIE)
}

export function sessionCookie(token: string): string {
  return setCookie(SESSION_COOKIE, token)
}

export function endedSessionCookie(): string {
  return setCookie(SESSION_COOKIE, '', 0)
}
