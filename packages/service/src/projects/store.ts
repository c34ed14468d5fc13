import { randomInt } from 'node:crypto'
import type { Database } from '../database/database.ts'

const LETTERS = '0123456789abcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 16

export type ProjectRow = { readonly id: string; readonly public_id: string; readonly name: string }

/** All SQL about projects. */
export function createProjectStore(database: Database) {
  return {
    /** Makes a project and the row that its conversation ids are given under. */
    async insert(name: string): Promise<ProjectRow> {
      return database.transaction(async (client) => {
        const { rows } = await client.query<ProjectRow>(
          'insert into project (public_id, name) values ($1, $2) returning id, public_id, name',
          [createPublicId(), name],
        )
        const [project] = rows
        if (project === undefined) throw new Error('the project was not written')
        await client.query('insert into project_sequence (project_id) values ($1)', [project.id])
        await client.query(
          `insert into audit_event (project_id, actor, action) values ($1, 'operator', 'project.create')`,
          [project.id],
        )
        return project
      })
    },

    async find(publicId: string): Promise<ProjectRow | undefined> {
      const [row] = await database.query<ProjectRow>(
        'select id, public_id, name from project where public_id = $1',
        [publicId],
      )
      return row
    },
  }
}

function createPublicId(): string {
  let id = 'prj_'
  for (let count = 0; count < ID_LENGTH; count += 1) id += LETTERS[randomInt(LETTERS.length)]
  return id
}
