import type { KeyKind, ProviderKind, Role, Scope } from '@octavo/contract'
import type { Tenant } from '../database/database.ts'

/** A caller whose request is bound to exactly one project. */
type ProjectCaller = {
  readonly tenant: Tenant
  readonly projectPublicId: string
  /** True if the project is archived, so nothing in it can be added or changed. */
  readonly isArchived: boolean
  readonly scopes: readonly Scope[]
  /** The name of the caller in the audit log. */
  readonly actor: string
  readonly requestId?: string | undefined
}

export type KeyCaller = ProjectCaller & { readonly kind: KeyKind; readonly keyId: string }

/** A signed-in person with the scopes of their role in the project. */
export type MemberCaller = ProjectCaller & {
  readonly kind: 'member'
  readonly person: SignedIn
  /** The higher of the roles in the project and in its organization. */
  readonly role: Role
  /** Null if the person has a role only in this project. */
  readonly organizationRole: Role | null
}

export type Caller = KeyCaller | MemberCaller

/** A person and the session they are signed in with. */
export type SignedIn = {
  readonly userId: string
  readonly sessionId: string
  /** The public id of the person. */
  readonly id: string
  readonly name: string
  readonly email: string
  /** True if the person proved that they own the email address. */
  readonly isVerified: boolean
  readonly kind: 'browser' | 'command-line'
  /** The time of the last authentication. */
  readonly authenticatedAtMs: number
  /** True if the person can sign in again after this session ends, without the operator's help. */
  readonly canSignInAgain: boolean
  /**
   * True if the account was created through a link and the person could not sign in again. They
   * must first add a sign-in method.
   */
  readonly mustKeepAccess: boolean
  /**
   * The memberships that were read together with a browser session. They are valid for one request.
   */
  readonly memberships?: readonly Membership[] | undefined
}

/** An organization in which a person has a role, or that has projects in which they have one. */
export type Membership = {
  readonly organizationId: string
  /** The public id of the organization. */
  readonly id: string
  readonly name: string
  /** Null if the person has roles only in individual projects. */
  readonly role: Role | null
  readonly projects: readonly {
    readonly projectId: string
    readonly id: string
    readonly name: string
    readonly slug: string
    /** The higher of the roles in the project and in its organization. */
    readonly role: Role
    readonly archived: boolean
  }[]
}

/** A signed-in person with a role in the whole organization. */
export type OrganizationCaller = {
  readonly kind: 'organization'
  readonly person: SignedIn
  readonly organizationId: string
  readonly role: Role
  readonly scopes: readonly Scope[]
  readonly actor: string
  readonly requestId?: string | undefined
}

/** A person's role in a project. */
export type ProjectRole = {
  readonly tenant: Tenant
  /** The higher of the roles in the project and in its organization. */
  readonly role: Role
  /** Null if the person has a role only in this project. */
  readonly organizationRole: Role | null
  readonly isArchived: boolean
}

/** A webhook request from a Git host, as stored for the owner. */
export type HookDelivery = {
  readonly deliveryId: string | null
  readonly event: string | null
  readonly ref: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A Git host that signed a webhook request for one project. */
export type HookCaller = {
  readonly tenant: Tenant
  readonly isArchived: boolean
  readonly provider: ProviderKind
  /** The parts of the webhook request that are stored, so that the owner can see them. */
  readonly delivery: HookDelivery
  readonly payload: unknown
}

/** GitHub, authenticated by the signature of the GitHub App. */
export type AppHookCaller = {
  /** The projects connected to the repository, which can be empty. */
  readonly tenants: readonly Tenant[]
  readonly delivery: HookDelivery
  readonly payload: unknown
}
