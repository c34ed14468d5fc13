/** The data that the dashboard passes to every screen. */
import {
  type Me,
  mayGrant,
  type Project,
  type ROLE_SCOPES,
  ROLES,
  type Role,
} from '@octavo/contract'
import type { FormProblem } from './call-api.ts'
import type { Visit } from './visit.ts'

export type Scope = (typeof ROLE_SCOPES)[Role][number]

export type DashboardOptions = {
  /** The public origin of the service. */
  readonly url: string
  readonly now: () => number
  /** True if the service has a GitHub App to connect repositories with. */
  readonly connectsGitHub?: boolean
  /** The URL of this service's CLI package for `npx`; undefined if the package was not built. */
  readonly commandLineUrl?: string | undefined
  /** The reason why passkeys do not work at this origin. */
  readonly passkeyProblem?: string | undefined
}

export type ThemeChoice = 'light' | 'dark' | undefined

export type Screen = {
  readonly visit: Visit
  readonly url: URL
  readonly options: DashboardOptions
  readonly now: number
  readonly theme: ThemeChoice
  readonly me: Me
}

export type Organization = Me['organizations'][number]

export type ProjectScreen = Screen & {
  readonly organization: Organization
  readonly project: Organization['projects'][number]
  /** The site's URL, the live deployment, and whether publishing is locked. */
  readonly site: Project
  readonly may: (scope: Scope) => boolean
  /** Returns `/projects/<id>/keys` for `keys`. */
  readonly path: (rest: string) => string
}

export type Form = URLSearchParams

/** A form that the API rejected. It is shown again with its values and the reason. */
export type Attempt = { readonly form: Form; readonly problem: FormProblem }

/** Returns a trimmed value of a form or query. */
export function formValue(form: Form | undefined, name: string): string {
  return form?.get(name)?.trim() ?? ''
}

/** Returns the roles that this person may grant, which are not higher than their own. */
export function grantableRoles({ organization, project }: ProjectScreen): readonly Role[] {
  const own = [organization.role, project.role].filter((role) => role !== null)
  return ROLES.filter((role) => own.some((one) => mayGrant(one, role)))
}

/** Reads the choice of light or dark from a cookie, so that no page flashes in the wrong theme. */
export function readTheme(request: Request): ThemeChoice {
  const found = /(?:^|;\s*)octavo-theme=(light|dark)(?:;|$)/.exec(
    request.headers.get('cookie') ?? '',
  )
  return found?.[1] as ThemeChoice
}
