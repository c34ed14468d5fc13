import { createProjectStore } from '../projects/store.ts'
import { type CommandInput, required } from './arguments.ts'

/** `project create`: the id is the last line, for `tail -n 1`. */
export async function createProject({ database, words, print }: CommandInput): Promise<void> {
  const name = required(words.join(' '), 'The name of the project')
  const project = await createProjectStore(database).insert(name)
  print(`Made the project "${project.name}". Its id:`)
  print(project.public_id)
}
