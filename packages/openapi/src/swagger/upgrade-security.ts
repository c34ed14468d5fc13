import type { NodeId } from '../document/tape.ts'
import type { UpgradeParts } from './upgrade-parameters.ts'

/** The names of OAuth flows in OpenAPI 3.0. */
const FLOWS: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
}
const OF_FLOWS = ['authorizationUrl', 'tokenUrl', 'scopes']

export function writeSecurityScheme({ writer }: UpgradeParts, scheme: NodeId): void {
  const { from } = writer
  const type = from.field(scheme, 'type')
  const kind = from.textField(scheme, 'type')
  const flow = from.field(scheme, 'flow')
  const name = FLOWS[from.textField(scheme, 'flow') ?? '']
  if (type !== undefined && kind === 'basic') {
    writer.object(scheme, () => {
      writer.text('type', type - 1)
      writer.text('http', type)
      writer.text('scheme', type)
      writer.text('basic', type)
      copyOthers(['type'])
    })
  } else if (kind === 'oauth2' && flow !== undefined && name !== undefined) {
    writer.object(scheme, () => {
      copyOthers(['flow', ...OF_FLOWS])
      writer.text('flows', flow - 1)
      writer.object(flow, () => {
        writer.text(name, flow)
        writer.object(flow, () => {
          for (const key of OF_FLOWS) writer.copyField(key, from.field(scheme, key))
        })
      })
    })
  } else writer.copy(scheme)

  function copyOthers(without: readonly string[]): void {
    for (const [key, value] of from.entries(scheme)) {
      if (!without.includes(key)) writer.copyField(key, value)
    }
  }
}
