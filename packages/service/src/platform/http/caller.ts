import type { KeyKind, ProviderKind, Role, Scope } from '@octavo/contract'
import type { Tenant } from '../database/database.ts'

/** Who is calling: always one project, given by the credential and by nothing else. */
type ProjectCaller = {
  readonly tenant: Tenant
  readonly projectPublicId: string
  /** The project is archived: nothing is added to it or changed. */
  readonly isArchived: boolean
  readonly scopes: readonly Scope[]
  /** How the audit log names them, and the request that they make. */
  readonly actor: string
  readonly requestId?: string | undefined
}

export type KeyCaller = ProjectCaller & { readonly kind: KeyKind; readonly keyId: string }

/** A person who is signed in, with the scopes of their role in the project. */
export type MemberCaller = ProjectCaller & {
  readonly kind: 'member'
  readonly person: SignedIn
  /** The greater of the roles in the project and in its organization. */
  readonly role: Role
  /** Null for a role in this project alone. */
  readonly organizationRole: Role | null
}

export type Caller = KeyCaller | MemberCaller

/** A person, and the session they are signed in with. */
export type SignedIn = {
  readonly userId: string
  readonly sessionId: string
  /** What others see. */
  readonly id: string
  readonly name: string
  readonly email: string
  /** Whether it was shown that the address is theirs. */
  readonly isVerified: boolean
  readonly kind: 'browser' | 'command-line'
  /** When they last proved who they are. */
  readonly authenticatedAtMs: number
  /** Whether they can sign in again when this session is over, without asking the operator. */
  readonly hasWayBack: boolean
  /** A link made the account, and there is no way back in: adding one comes before everything else. */
  readonly mustKeepAccess: boolean
  /** Read with the session of a browser, for one request. */
  readonly memberships?: readonly Membership[] | undefined
}

/** An organization in which a person has a role, or has one in some of its projects. */
export type Membership = {
  readonly organizationId: string
  /** What others see. */
  readonly id: string
  readonly name: string
  /** Null for roles in single projects alone. */
  readonly role: Role | null
  readonly projects: readonly {
    readonly projectId: string
    readonly id: string
    readonly name: string
    readonly slug: string
    /** The greater of the roles in the project and in its organization. */
    readonly role: Role
    readonly archived: boolean
  }[]
}

/** A person in an organization as a whole. */
export type OrganizationCaller = {
  readonly kind: 'organization'
  readonly person: SignedIn
  readonly organizationId: string
  readonly role: Role
  readonly scopes: readonly Scope[]
  readonly actor: string
  readonly requestId?: string | undefined
}

/** The role of a person in a project. */
export type ProjectRole = {
  readonly tenant: Tenant
  /** The greater of the roles in the project and in its organization. */
  readonly role: Role
  /** Null for a role in this project alone. */
  readonly organizationRole: Role | null
  readonly isArchived: boolean
}

/** What a Git host sent, as it is kept for the owner. */
export type HookDelivery = {
  readonly deliveryId: string | null
  readonly event: string | null
  readonly ref: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A Git host that signed a webhook of one project. */
export type HookCaller = {
  readonly tenant: Tenant
  readonly isArchived: boolean
  readonly provider: ProviderKind
  /** What arrived, as it is kept for the owner. */
  readonly delivery: HookDelivery
  readonly payload: unknown
}

/** GitHub, by the signature of the GitHub App. */
export type AppHookCaller = {
  /** The projects it is about: none for a repository that nobody has connected. */
  readonly tenants: readonly Tenant[]
  readonly delivery: HookDelivery
  readonly payload: unknown
}
