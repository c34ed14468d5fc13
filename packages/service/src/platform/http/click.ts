/** The dashboard calls several routes for one click, in this process and by the same rules as a request. */
import type { ProjectRole, SignedIn } from './caller.ts'
import type { Admitted, Frame, Route } from './route.ts'

export type Click = {
  /** Who is signed in. */
  readonly person: SignedIn
  /** Roles that were looked up for it, by project. A change is never admitted by these. */
  readonly roles: Map<string, Promise<ProjectRole | undefined>>
  /** What else it reads is not counted. */
  isCounted: boolean
  /** The replies are read in this process, so they are not printed. */
  readonly takesValues: boolean
}

export type Roles = Pick<Frame, 'findProjectRole' | 'findOrganizationRole'>

/** Asks for the role in a project once in a click. */
export const rememberRoles = (frame: Frame, { roles }: Click): Roles => ({
  findProjectRole: (person, projectId) => {
    const found = roles.get(projectId) ?? frame.findProjectRole(person, projectId)
    roles.set(projectId, found)
    return found
  },
  findOrganizationRole: frame.findOrganizationRole,
})

/** Counts what a click reads as one request, and each change that it makes. */
export function countClick(
  frame: Frame,
  {
    caller,
    route,
    click,
  }: {
    readonly caller: Admitted
    readonly route: Pick<Route, 'method' | 'caller'>
    readonly click: Click | undefined
  },
): Readonly<Record<string, string>> {
  if (click?.isCounted && route.method === 'GET') return {}
  if (click !== undefined) click.isCounted = true
  return frame.countRequest(caller, route.caller)
}

/** A reply that does not leave this process: its value is neither printed nor parsed. */
export const valueReply = (value: unknown, status: number): Response =>
  Object.defineProperty(new Response(null, { status }), 'json', { value: async () => value })
