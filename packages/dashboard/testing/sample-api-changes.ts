/** A sample of the changes of an API. `h` is a hostile text that is added to what authors write. */
import { ApiChangesReply } from '@octavo/contract'
import { ULIDS } from './sample-facts.ts'

export const sampleApiChanges = (h: string) =>
  ApiChangesReply.parse({
    pending: false,
    base: ULIDS.live,
    baseNumber: 1184,
    breaking: 1,
    additive: 2,
    documentation: 1,
    specifications: [
      {
        file: `openapi.yaml${h}`,
        breaking: 1,
        additive: 1,
        documentation: 1,
        restricted: false,
        changes: [
          {
            level: 'breaking',
            rule: 'parameter-required',
            message: `The query parameter \`garden${h}\` is now required.`,
            operations: [`GET /sensors${h}`, 'POST /sensors', 'GET /sensors/{id}'],
            operationCount: 5,
          },
          {
            level: 'additive',
            rule: 'operation-added',
            message: 'The operation is new.',
            operations: ['DELETE /sensors/{id}/alarms'],
            operationCount: 1,
          },
          {
            level: 'documentation',
            rule: 'described',
            message: '`info` of the document differs.',
            operations: [],
            operationCount: 0,
          },
        ],
      },
      {
        file: 'internal.yaml',
        breaking: 0,
        additive: 1,
        documentation: 0,
        restricted: true,
        changes: [],
      },
    ],
  })
