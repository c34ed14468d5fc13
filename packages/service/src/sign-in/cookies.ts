/**
 * The session's cookie. `__Host-`: the browser takes it from this host over HTTPS (or localhost) alone,
 * so that no site below a shared domain can set one for us.
 */
const SESSION_COOKIE = '__Host-octavo'

export function readSessionCookie(request: Request): string | undefined {
  const cookies = (request.headers.get('cookie') ?? '').split(/; */)
  const found = cookies.filter((one) => one.startsWith(`${SESSION_COOKIE}=`))
  // Two of them: somebody set another one beside ours, and it cannot be told which is which.
  return found.length === 1 ? found[0]?.slice(SESSION_COOKIE.length + 1) : undefined
}

export function sessionCookie(token: string): string {
  return `${SESSION_COOKIE}=${token}; Path=/; Secure; HttpOnly; SameSite=Lax`
}

export function endedSessionCookie(): string {
  return `${sessionCookie('')}; Max-Age=0`
}
