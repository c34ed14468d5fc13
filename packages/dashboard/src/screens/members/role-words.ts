/** Descriptions of roles and scopes. The table of roles uses these and ROLE_SCOPES. */
import type { Role } from '@octavo/contract'
import type { Scope } from '../../visit/screen.ts'

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  analyst: 'Analyst',
  viewer: 'Viewer',
}

/** Returns the name of a role; an unknown role is returned unchanged. */
export const roleName = (role: string): string =>
  Object.hasOwn(ROLE_NAMES, role) ? ROLE_NAMES[role as Role] : role

export type ScopeWords = { readonly name: string; readonly about: string }

export const SCOPE_WORDS: Readonly<Record<Scope, ScopeWords>> = {
  'deploy:read': {
    name: 'See deployments and previews',
    about: 'State, log and changes of each deployment.',
  },
  'deploy:write': {
    name: 'Deploy, publish and roll back',
    about: 'Changes what readers see.',
  },
  'gaps:read': { name: 'See gaps', about: 'Questions that the pages do not answer.' },
  'gaps:write': { name: 'Close gaps', about: 'Link pages to gaps, verify gaps, and dismiss them.' },
  'analytics:read': {
    name: 'Read conversations',
    about: 'Readers’ questions, and the answers.',
  },
  'analytics:write': {
    name: 'Import and delete conversations',
    about: 'Can delete history. Grant this permission rarely.',
  },
  'views:read': { name: 'See analytics', about: 'Views, searches and agents, but no questions.' },
  'feedback:read': { name: 'Read feedback', about: 'Votes and comments on pages.' },
  'feedback:write': {
    name: 'Manage feedback',
    about: 'Change the state of feedback, and delete it.',
  },
  'keys:write': { name: 'Create and revoke keys', about: 'Can give others access.' },
  'project:write': {
    name: 'Change settings',
    about: 'Includes the Git connection, the assistant and its budget.',
  },
  'audit:read': { name: 'Read the audit log', about: 'Who changed what, and from where.' },
  'members:write': {
    name: 'Invite and remove members',
    about: 'API keys cannot have this permission.',
  },
  'project:delete': {
    name: 'Transfer or delete the project',
    about: 'Only for owners of the organization.',
  },
}

export const SCOPE_GROUPS: readonly {
  readonly title: string
  readonly scopes: readonly Scope[]
}[] = [
  { title: 'Site', scopes: ['deploy:read', 'deploy:write'] },
  { title: 'Pages', scopes: ['views:read', 'feedback:read', 'feedback:write'] },
  {
    title: 'Conversations',
    scopes: ['gaps:read', 'gaps:write', 'analytics:read', 'analytics:write'],
  },
  {
    title: 'Access',
    scopes: ['keys:write', 'members:write', 'audit:read', 'project:write', 'project:delete'],
  },
]
