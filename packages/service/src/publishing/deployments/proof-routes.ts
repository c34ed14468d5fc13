import { PROOF_LIMITS, ProofBody, ProofReply } from '@octavo/contract'
import { passedByPage } from '@octavo/model'
import type { Tenant } from '../../platform/database/database.ts'
import { defineRoute, type Route } from '../../platform/http/route.ts'
import { Problem } from '../../platform/problem.ts'
import type { ProofStore, StoredProof } from './proof-store.ts'
import { DeploymentParams, READ, TAG, WRITE } from './routes.ts'
import type { DeploymentStore } from './store.ts'

/** How far the clock of a CI job may be ahead of the service's clock. */
const AHEAD_MS_MAX = 10 * 60_000
const PATH = '/v1/projects/:projectId/deployments/:deploymentId/proof'

export type ProofRouteDeps = {
  readonly proofsOf: (tenant: Tenant) => ProofStore
  readonly deploymentsOf: (tenant: Tenant) => DeploymentStore
  readonly now: () => number
}

export const proofRoutes = (deps: ProofRouteDeps): readonly Route[] => [
  getProof(deps),
  sendProof(deps),
]

const getProof = ({ proofsOf, deploymentsOf }: ProofRouteDeps) =>
  defineRoute({
    method: 'GET',
    path: PATH,
    tag: TAG,
    summary: 'Get the proof of a deployment',
    description:
      'Which request samples ran, if the results of `octavo test` were sent with this deployment. Returns 404 otherwise.',
    caller: READ,
    params: DeploymentParams,
    reply: ProofReply,
    async handle({ caller, params: { deploymentId } }) {
      await findDeployment(deploymentsOf(caller.tenant), deploymentId)
      return describeProof(proofsOf(caller.tenant), deploymentId)
    },
  })

const sendProof = ({ proofsOf, deploymentsOf, now }: ProofRouteDeps) =>
  defineRoute({
    method: 'PUT',
    path: PATH,
    tag: TAG,
    summary: 'Send the proof of a deployment',
    description:
      'Stores the results of `octavo test`, for a deployment that is being uploaded or is finished. Its files and its manifest stay the same. Pages then show which samples ran, and which have changed since. Another proof for the same deployment replaces the first.',
    caller: WRITE,
    params: DeploymentParams,
    body: ProofBody,
    reply: ProofReply,
    problems: ['conflict'],
    limit: { action: 'proof', perHour: 600 },
    async handle({ caller, params: { deploymentId }, body, audit }) {
      const { number, state } = await findDeployment(deploymentsOf(caller.tenant), deploymentId)
      const proofs = proofsOf(caller.tenant)
      if (!(await proofs.save(deploymentId, toStored(body, now()), PROOF_LIMITS.kept)))
        throw new Problem('conflict', `Deployment #${number} takes no proof: it is ${state}.`)
      const reply = await describeProof(proofs, deploymentId)
      const { passed, failed, notRun } = reply
      await audit({
        action: 'deployment.proof',
        object: `deployment ${deploymentId}`,
        after: { passed, failed, notRun },
      })
      return reply
    },
  })

async function findDeployment(deployments: DeploymentStore, id: string) {
  const row = await deployments.find(id)
  if (row === undefined) throw new Problem('not-found', 'This deployment does not exist.')
  return row
}

function toStored({ date, octavo, runtimes, samples }: ProofBody, now: number): StoredProof {
  const ranAt = new Date(date)
  if (ranAt.getTime() > now + AHEAD_MS_MAX)
    throw new Problem('invalid-request', 'The samples cannot have run in the future.', {
      param: 'date',
    })
  const count = (wanted: string) => samples.filter(({ outcome }) => outcome === wanted).length
  return {
    ranAt,
    octavo,
    runtimes,
    passed: count('passed'),
    failed: count('failed'),
    notRun: count('not-run'),
    pages: passedByPage(samples),
  }
}

async function describeProof(proofs: ProofStore, deployment: string) {
  const found = await proofs.find(deployment)
  if (found === undefined) throw new Problem('not-found', 'No proof was sent with this deployment.')
  const { ranAt, pageCount: pages, runtimes, ...facts } = found
  return { deployment, date: ranAt.toISOString(), ...facts, runtimes: [...runtimes], pages }
}
