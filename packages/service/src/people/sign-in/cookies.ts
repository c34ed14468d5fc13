/**
 * Cookies with the `__Host-` prefix: browsers accept them only from this host over HTTPS (or
 * localhost), so that no site below a shared domain can set one for us.
 */
const SESSION_COOKIE = '__Host-octavo'

export function readCookie(request: Request, name: string): string | undefined {
  return cookieIn(request.headers.get('cookie') ?? '', name)
}

/** Reads a cookie's value from a `cookie` header. */
export function cookieIn(header: string, name: string): string | undefined {
  const cookies = header.split(/; */)
  const found = cookies.filter((one) => one.startsWith(`${name}=`))
  // If there are two, another site has set one as well, and they cannot be distinguished.
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined
}

/** Without `seconds`, the cookie lasts until the browser is closed. */
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
