/** Tests the proof of work before the first question, on sites whose owner requires it. */
import { type Challenge, type Solution, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/sha'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type AssistantSite,
  newAssistantSite,
  startAssistantService,
} from '../../../testing/assistant-site.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { PROOF_LIMITS } from './proof-of-work.ts'
import { AssistantSettingsStore, NO_SETTINGS } from './settings-store.ts'

const QUESTION = 'How do I turn on the hose?'
let service: TestService
let site: AssistantSite
let clock = 0
beforeAll(async () => {
  service = await startAssistantService({ now: () => Date.now() + clock })
})
afterAll(() => service.stop())
beforeEach(async () => {
  clock = 0
  site = await newSite()
})

async function newSite(): Promise<AssistantSite> {
  const made = await newAssistantSite(service)
  const store = new AssistantSettingsStore(service.owner.forProject(made.project.tenant))
  await store.write({ ...NO_SETTINGS, needsProof: true })
  return made
}

async function getChallenge(): Promise<Challenge> {
  const offer = JSON.parse((await site.ticketReply()).text)
  expect(offer).not.toHaveProperty('ticket')
  return offer.challenge
}

async function solve(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('not solved')
  return solution
}

function send(proof: object, to = site) {
  return to.call('POST', '/_octavo/assistant/ticket', {
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(proof),
  })
}

test('a page that solves a challenge gets a ticket, with which it can ask a question', async () => {
  const challenge = await getChallenge()
  const reply = await send({ challenge, solution: await solve(challenge) })
  expect(reply.status).toBe(200)
  const { ticket } = JSON.parse(reply.text)
  expect((await site.ask(QUESTION, { ticket })).status).toBe(200)
})

test('a page gets a ticket immediately if the owner requires no proof of work', async () => {
  const plain = await newAssistantSite(service)
  expect(JSON.parse((await plain.ticketReply()).text)).toHaveProperty('ticket')
})

describe('rejected proofs', () => {
  test('a proof without a solution is rejected', async () => {
    const challenge = await getChallenge()
    for (const proof of [{}, { challenge }, { challenge, solution: null }])
      expect((await send(proof)).status).toBe(400)
  })

  test('a challenge with a wrong solution is rejected', async () => {
    const challenge = await getChallenge()
    const { counter, derivedKey } = await solve(challenge)
    const turned = derivedKey.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
    expect((await send({ challenge, solution: { counter, derivedKey: turned } })).status).toBe(403)
  })

  test('a challenge that was changed to be easier is rejected', async () => {
    const challenge = await getChallenge()
    const { signature } = challenge
    const easy = { parameters: { ...challenge.parameters, cost: 1 }, signature } as Challenge
    const solution = { counter: 1, derivedKey: '0'.repeat(64) }
    expect((await send({ challenge: easy, solution })).status).toBe(403)
  })

  test('a solution is accepted only once, even if it is sent several times at once', async () => {
    const challenge = await getChallenge()
    const proof = { challenge, solution: await solve(challenge) }
    const replies = await Promise.all([send(proof), send(proof), send(proof)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403, 403])
    const again = await send(proof)
    expect(again.status).toBe(403)
    expect(JSON.parse(again.text)).toMatchObject({ code: 'forbidden', param: 'solution' })
  })

  test('a solution that is sent too late is rejected', async () => {
    const challenge = await getChallenge()
    const solution = await solve(challenge)
    clock = PROOF_LIMITS.solveMs + 1_000
    expect((await send({ challenge, solution })).status).toBe(403)
    clock = 0
    expect((await send({ challenge, solution })).status).toBe(200)
  })

  test('a challenge that was solved for another site is rejected', async () => {
    const challenge = await getChallenge()
    const proof = { challenge, solution: await solve(challenge) }
    expect((await send(proof, await newSite())).status).toBe(403)
    expect((await send(proof)).status).toBe(200)
  })
})
