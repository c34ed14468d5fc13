/** The sections of a project in the side navigation. People see those that they may read. */
import type { Scope } from '../visit/screen.ts'
import type { IconName } from './icon.ts'

export type SectionId =
  | 'overview'
  | 'deployments'
  | 'connection'
  | 'domains'
  | 'analytics'
  | 'feedback'
  | 'conversations'
  | 'gaps'
  | 'assistant'
  | 'access'
  | 'keys'
  | 'members'
  | 'audit'
  | 'settings'
  | 'notifications'
  | 'usage'

export type Section = {
  readonly id: SectionId
  readonly label: string
  readonly icon: IconName
  readonly scope: Scope
}

export const SECTION_GROUPS: readonly {
  readonly title: string
  readonly sections: readonly Section[]
}[] = [
  {
    title: '',
    sections: [{ id: 'overview', label: 'Overview', icon: 'overview', scope: 'gaps:read' }],
  },
  {
    title: 'Site',
    sections: [
      { id: 'deployments', label: 'Deployments', icon: 'rocket', scope: 'deploy:read' },
      { id: 'connection', label: 'Git connection', icon: 'branch', scope: 'project:write' },
      { id: 'domains', label: 'Domains', icon: 'globe', scope: 'project:write' },
    ],
  },
  {
    title: 'Readers',
    sections: [
      { id: 'analytics', label: 'Analytics', icon: 'chart', scope: 'views:read' },
      { id: 'feedback', label: 'Feedback', icon: 'thumbs-up', scope: 'feedback:read' },
      { id: 'conversations', label: 'Conversations', icon: 'messages', scope: 'analytics:read' },
      { id: 'gaps', label: 'Gaps', icon: 'question', scope: 'gaps:read' },
      { id: 'assistant', label: 'Assistant', icon: 'bot', scope: 'project:write' },
    ],
  },
  {
    title: 'Access',
    sections: [
      { id: 'access', label: 'Site access', icon: 'lock', scope: 'project:write' },
      { id: 'keys', label: 'API keys', icon: 'key', scope: 'keys:write' },
      { id: 'members', label: 'Members', icon: 'users', scope: 'members:write' },
      { id: 'audit', label: 'Audit log', icon: 'scroll', scope: 'audit:read' },
    ],
  },
  {
    title: 'Project',
    sections: [
      { id: 'settings', label: 'Settings', icon: 'sliders', scope: 'project:write' },
      { id: 'notifications', label: 'Notifications', icon: 'bell', scope: 'project:write' },
      { id: 'usage', label: 'Usage', icon: 'gauge', scope: 'deploy:read' },
    ],
  },
]

export function sectionOf(id: SectionId): Section {
  for (const { sections } of SECTION_GROUPS)
    for (const section of sections) if (section.id === id) return section
  throw new Error(`There is no section ${id}.`)
}
