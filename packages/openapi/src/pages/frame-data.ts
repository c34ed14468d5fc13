import type { Specification } from '../specification.ts'
import { defined, undefinedIfEmpty } from './endpoint-data.ts'
import type { SpecificationFrame } from './page-data.ts'
import { securityData, securitySchemes } from './security-data.ts'
import { serversData } from './server-data.ts'

/**
 * Returns the data that all pages of a specification share: its info, servers and security schemes.
 */
export function frameData(specification: Specification): SpecificationFrame {
  const { document } = specification
  const info = document.field(document.root, 'info')
  const servers = document.field(document.root, 'servers')
  const security = document.field(document.root, 'security')
  return defined<SpecificationFrame>({
    title: document.textField(info, 'title'),
    version: document.textField(info, 'version'),
    description: document.textField(info, 'description'),
    servers:
      servers === undefined ? undefined : undefinedIfEmpty(serversData(specification, servers)),
    security: security === undefined ? undefined : securityData(specification, security),
    schemes: securitySchemes(specification),
  })
}
