/**
 * Creates the assistant, and the parts that it shares with other features.
 */

import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FindClientAddress } from '../../platform/http/client-address.ts'
import type { SecretSettings } from '../../platform/secrets/settings.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { BlobCache } from '../../reading/hosting/blob-cache.ts'
import type { DeploymentVectors } from '../../reading/libraries/deployment-libraries.ts'
import { DeploymentLibraries } from '../../reading/libraries/deployment-libraries.ts'
import { Assistant } from './assistant.ts'
import { createAnswererChooser } from './choose-answerer.ts'
import { createProofs } from './proof-of-work.ts'
import type { OperatorAssistant } from './settings.ts'
import { createTickets } from './ticket.ts'

/**
 * Creates the parts that answer questions from a deployment. The assistant and the gaps share them.
 */
export function openAnswerParts(deps: {
  readonly settings: Pick<SecretSettings, 'secretKeys'> & {
    readonly assistant: OperatorAssistant
    readonly allowPrivateHosts: readonly string[]
  }
  readonly blobs: BlobStore
  readonly cache: BlobCache
  readonly vectors?: DeploymentVectors | undefined
  readonly log: Log
  readonly now: () => number
}) {
  const { settings, log } = deps
  return {
    libraries: new DeploymentLibraries(deps),
    chooseAnswerer: createAnswererChooser({
      secretKeys: settings.secretKeys,
      allowPrivateHosts: settings.allowPrivateHosts,
      operatorModel: settings.assistant.model,
      // The text after the colon is the provider's message. It may contain the reader's text, so it
      // is not logged.
      report: ({ message }) =>
        log.error('the model did not answer', { reason: message.split(':', 1)[0] }),
    }),
    budget: settings.assistant,
  }
}
export type AnswerParts = ReturnType<typeof openAnswerParts>

export function openAssistant(deps: {
  readonly settings: Pick<SecretSettings, 'pepper'> & { readonly isReadOnly: boolean }
  readonly database: Database
  readonly parts: AnswerParts
  readonly originOf: (slug: string) => string
  readonly findClientAddress: FindClientAddress
  readonly log: Log
  readonly now: () => number
}): Assistant {
  const { settings, database, parts, originOf, findClientAddress, log, now } = deps
  return new Assistant({
    ...parts,
    database,
    tickets: createTickets(settings.pepper, now),
    proofs: createProofs(settings.pepper, now),
    originOf,
    findClientAddress,
    isReadOnly: settings.isReadOnly,
    onError: (error) => log.error('answering a question failed', { error }),
    now,
  })
}
