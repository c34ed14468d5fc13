/** Shows what readers of a deployment see for an author's questions. */
import { ShownAnswersBody, ShownAnswersReply } from '@octavo/contract'
import { type SiteLibrary, showAnswer } from '@octavo/search'
import type { Tenant } from '../../platform/database/database.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import { DeploymentParams, WRITE } from '../../publishing/deployments/routes.ts'

const REQUESTS_PER_HOUR = 200

/** Opens a deployment for a reader without groups; undefined if it cannot be searched. */
type OpenLibrary = (tenant: Tenant, deploymentId: string) => Promise<SiteLibrary | undefined>

export const shownAnswerRoutes = (openLibrary: OpenLibrary): readonly Route[] => [
  defineRoute({
    tag: 'Gaps',
    method: 'POST',
    path: '/v1/projects/:projectId/deployments/:deploymentId/shown-answers',
    summary: 'Ask a deployment questions',
    description:
      'Returns the excerpts that readers without groups see for each question, without a model. Nothing is recorded. `octavo eval --against` uses it to compare answers.',
    // Excerpts can be of protected pages, so reading deployments is not enough.
    caller: WRITE,
    params: DeploymentParams,
    body: ShownAnswersBody,
    reply: ShownAnswersReply,
    limit: { action: 'shown answers', perHour: REQUESTS_PER_HOUR },
    async handle({ caller, params, body }) {
      const library = await openLibrary(caller.tenant, params.deploymentId)
      if (library === undefined)
        throw new Problem(
          'not-found',
          'This deployment does not exist, has no search index, or disables the assistant in its docs.json.',
        )
      const answers: ShownAnswersReply['answers'] = []
      for (const { question, pages, passages } of body.questions) {
        const asked = { question, pages: new Set(pages), passages }
        const { matches, ...shown } = await showAnswer(library, asked)
        answers.push({ ...shown, matches: [...matches] })
      }
      return { answers }
    },
  }),
]
