/** What each screen knows of the visit. */
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
  /** The origin of the service, as people call it from elsewhere. */
  readonly url: string
  readonly now: () => number
  /** The service has a GitHub App that people can connect repositories with. */
  readonly connectsGitHub?: boolean
  /** Where `npx` finds the command line of this service; nothing where it was not built. */
  readonly commandLineUrl?: string | undefined
  /** Why passkeys cannot work at this address. */
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
  /** Where the site is, what is live, and whether publishing is locked. */
  readonly site: Project
  readonly may: (scope: Scope) => boolean
  /** `/projects/<id>/keys` for `keys`. */
  readonly path: (rest: string) => string
}

export type Form = URLSearchParams

/** A form that the API refused: it is shown again with what was typed, and why. */
export type Attempt = { readonly form: Form; readonly problem: FormProblem }

/** One value of a form or of a query, without spaces around it. */
export function formValue(form: Form | undefined, name: string): string {
  return form?.get(name)?.trim() ?? ''
}

/** Roles that this person may give: none that is greater than the own one. */
export function grantableRoles({ organization, project }: ProjectScreen): readonly Role[] {
  const own = [organization.role, project.role].filter((role) => role !== null)
  return ROLES.filter((role) => own.some((one) => mayGrant(one, role)))
}

/** The choice of light or dark, kept in a cookie so that no page flashes in the wrong one. */
export function readTheme(request: Request): ThemeChoice {
  const found = /(?:^|;\s*)octavo-theme=(light|dark)(?:;|$)/.exec(
    request.headers.get('cookie') ?? '',
  )
  return found?.[1] as ThemeChoice
}
