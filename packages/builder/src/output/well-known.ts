/**
 * Writes files at well-known URLs: the API catalog (RFC 9727), and skills that agents can install.
 */
import type { Access } from '@octavo/model'
import type { BasePath } from '@octavo/theme'
import type { AgentSkill } from '../load/load-skills.ts'
import type { SiteAccess } from '../plan/site-access.ts'
import { hashFile } from '../source/hash-bytes.ts'
import type { SiteOutput } from './site-output.ts'

export type WellKnownInput = {
  readonly output: SiteOutput
  readonly basePath: BasePath
  readonly access: SiteAccess
  readonly specifications: readonly { readonly path: string; readonly access: Access }[]
  readonly skills: readonly AgentSkill[]
}

/** Names that the manifest lists, from which a host derives the response headers. */
export type WellKnownName = 'api-catalog' | 'agent-skills'

const FOLDER = '.well-known'
const SKILLS_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/**
 * Returns the names of the files that a site has. APIs that only some readers of the site may see
 * are not listed.
 */
export function wellKnownNames({
  access,
  specifications,
  skills,
}: Pick<WellKnownInput, 'access' | 'specifications' | 'skills'>): readonly WellKnownName[] {
  const hasApi = specifications.some((one) => access.isForAll(one.access))
  return [
    ...(hasApi ? (['api-catalog'] as const) : []),
    ...(skills.length > 0 ? (['agent-skills'] as const) : []),
  ]
}

export function writeWellKnown(input: WellKnownInput): void {
  const { output, basePath, access, skills } = input
  const facts = { access: access.loosest }
  const open = input.specifications.filter((one) => access.isForAll(one.access))
  if (open.length > 0) {
    const linkset = open.map(({ path }) => {
      const href = basePath.whole(encodeURI(`/${path}`))
      const type = /\.ya?ml$/i.test(path) ? 'application/yaml' : 'application/json'
      return {
        anchor: href,
        'service-desc': [{ href, type }],
        'service-doc': [{ href: basePath.whole('/'), type: 'text/html' }],
      }
    })
    output.write(`${FOLDER}/api-catalog`, print({ linkset }), facts)
  }
  if (skills.length === 0) return
  const urlOf = (folder: string, name: string) =>
    basePath.whole(`/${FOLDER}/${folder}/${name}/SKILL.md`)
  const index = {
    $schema: SKILLS_SCHEMA,
    skills: skills.map(({ name, description, text }) => ({
      name,
      type: 'skill-md',
      description,
      url: urlOf('agent-skills', name),
      digest: `sha256:${hashFile(text)}`,
    })),
  }
  output.write(`${FOLDER}/agent-skills/index.json`, print(index), facts)
  // Clients of the previous version of the skills format read this file.
  const before = skills.map(({ name, description }) => ({ name, description, files: ['SKILL.md'] }))
  output.write(`${FOLDER}/skills/index.json`, print({ skills: before }), facts)
  for (const { name, text } of skills) {
    for (const folder of ['agent-skills', 'skills'])
      output.write(`${FOLDER}/${folder}/${name}/SKILL.md`, text, facts)
  }
}

function print(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`
}
