/**
 * Loads the skills that agents can install, from `.octavo/skills/<name>/SKILL.md` and the same path
 * in `.mintlify`.
 */
import { diagnose, parseFrontmatter, type Report } from '@octavo/model'
import { SKILL_FILE } from '../source/read-folder.ts'
import type { SourceTree } from '../source/source-tree.ts'

export type AgentSkill = {
  readonly name: string
  readonly description: string
  readonly text: string
}

const SKILLS_MAX = 50
const NAME = /^[a-z\d]+(?:-[a-z\d]+)*$/
const NAME_LENGTH_MAX = 64
const DESCRIPTION_LENGTH_MAX = 1_024

/** Returns the skills, sorted by name. Skills in `.octavo` take precedence. */
export function loadSkills(tree: SourceTree, report: Report): readonly AgentSkill[] {
  const skills = new Map<string, AgentSkill>()
  const files = tree.files.filter((file) => SKILL_FILE.test(file))
  for (const file of files.toSorted().toReversed()) {
    const skill = readSkill(file, tree.read(file) ?? '')
    if (typeof skill !== 'string' && skills.size < SKILLS_MAX) {
      if (!skills.has(skill.name)) skills.set(skill.name, skill)
      continue
    }
    const reason =
      typeof skill === 'string' ? skill : `A site can have at most ${SKILLS_MAX} skills.`
    const hint =
      'Start the file with frontmatter that has a `description` and a `name` equal to the folder name (lowercase letters, digits, hyphens).'
    report(
      diagnose(
        'file/skill',
        { file, line: 1, column: 1 },
        { message: `This skill is not published. ${reason}`, hint },
      ),
    )
  }
  return [...skills.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function readSkill(file: string, text: string): AgentSkill | string {
  const folder = file.split('/').at(-2) ?? ''
  const { fields, metadata } = parseFrontmatter(file, text).frontmatter
  const { name } = metadata
  const { description } = fields
  if (typeof name !== 'string' || !NAME.test(name) || name.length > NAME_LENGTH_MAX)
    return 'It has no valid `name`.'
  if (name !== folder) return `Its \`name\` differs from the name of its folder, "${folder}".`
  if (description === undefined || description.trim() === '') return 'It has no `description`.'
  if (description.length > DESCRIPTION_LENGTH_MAX)
    return `Its \`description\` has more than ${DESCRIPTION_LENGTH_MAX} characters.`
  return { name, description: description.trim(), text }
}
