/** How readers of a site sign in. */

const PROTECTIONS = ['public', 'password', 'members', 'oidc', 'jwt'] as const
/** `public`: everybody reads what has no label of its own. */
export type Protection = (typeof PROTECTIONS)[number]

/** How a reader came in; `token` is for programs. */
export type ReaderWay = Exclude<Protection, 'public'> | 'token'
