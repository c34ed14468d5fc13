import { ModelClient } from '@octavo/assistant'
import type { ModelSettings } from '@octavo/contract'
import { type Finding, failed, fine, skipped, warning } from './finding.ts'

const ANSWER_MS = 10_000

/**
 * Requests the list of models, which uses no tokens. The command `assistant test` sends prompts to
 * the model.
 */
export async function checkModel(
  model: ModelSettings,
  allowPrivateHosts: readonly string[],
): Promise<Finding> {
  const client = new ModelClient(model, {
    // The operator's model may be on a private network.
    allowPrivateHosts: [...allowPrivateHosts, new URL(model.url).hostname],
    limits: { totalMsMax: ANSWER_MS },
    wait: async () => {},
  })
  const listed = await client.listModels(new AbortController().signal)
  const test = '`octavo-service assistant test` shows more details, and uses some tokens.'
  if (listed.kind === 'models') {
    if (listed.ids.includes(model.model))
      return fine('model', `the server answers and has ${model.model}; no tokens were used`)
    return warning('model', {
      code: 'model-unknown',
      found: `The server answers, but does not list ${model.model}.`,
      hint: `Check OCTAVO_ASSISTANT_MODEL. ${test}`,
    })
  }
  const { reason, status, message } = listed.failure
  if (status === 401 || status === 403)
    return failed('model', {
      code: 'model-refused',
      found: message,
      hint: 'Check OCTAVO_ASSISTANT_KEY.',
    })
  // The server responds but has no model list, which is optional.
  if (reason === 'format' || (status !== undefined && status < 500))
    return skipped('model', `the server answers, but lists no models. ${test}`)
  return failed('model', {
    code: 'model-unreachable',
    found: message,
    hint: `Check that the model server runs, and check OCTAVO_ASSISTANT_URL. Until this is fixed, answers are quotations.`,
  })
}
