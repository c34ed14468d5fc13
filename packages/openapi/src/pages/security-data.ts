import type { NodeId } from '../document/tape.ts'
import { canPrefill } from '../operations/check-extensions.ts'
import type { Specification } from '../specification.ts'
import { defined, undefinedIfEmpty } from './endpoint-data.ts'
import type { FlowData, SecurityAlternative, SecuritySchemeData } from './page-data.ts'

/**
 * Returns the security alternatives of an operation. An empty alternative means that no
 * authentication is required.
 */
export function securityData(
  { document }: Specification,
  requirements: NodeId | undefined,
): readonly SecurityAlternative[] {
  return document.items(requirements).map((requirement) =>
    document.entries(requirement).map(([scheme, scopes]) => {
      const names = document.texts(scopes)
      return names.length === 0 ? { scheme } : { scheme, scopes: names }
    }),
  )
}

/** Returns all security schemes of the document ("Authentication", rule 4). */
export function securitySchemes(specification: Specification): readonly SecuritySchemeData[] {
  const { document } = specification
  const components = document.field(document.root, 'components')
  return document.entries(document.field(components, 'securitySchemes')).flatMap(([name, node]) => {
    const scheme = specification.follow(node)
    return document.isObject(scheme) ? [schemeData(specification, name, scheme)] : []
  })
}

function schemeData({ document }: Specification, name: string, node: NodeId): SecuritySchemeData {
  const prefill = document.field(node, 'x-default')
  const flows = document.entries(document.field(node, 'flows')).flatMap(([kind, flow]) => {
    if (kind.startsWith('x-') || !document.isObject(flow)) return []
    const scopes = document
      .entries(document.field(flow, 'scopes'))
      .map(([scope, about]) => [scope, document.text(about)] as const)
    return [
      defined<FlowData>({
        kind,
        authorizationUrl: webAddress(document.textField(flow, 'authorizationUrl')),
        tokenUrl: webAddress(document.textField(flow, 'tokenUrl')),
        refreshUrl: webAddress(document.textField(flow, 'refreshUrl')),
        scopes,
      }),
    ]
  })
  const type = document.textField(node, 'type') ?? ''
  const isFilled =
    prefill !== undefined &&
    document.isText(prefill) &&
    canPrefill(type, document.textField(node, 'scheme'))
  return defined<SecuritySchemeData>({
    name,
    type,
    description: document.textField(node, 'description'),
    in: document.textField(node, 'in'),
    key: document.textField(node, 'name'),
    scheme: document.textField(node, 'scheme')?.toLowerCase(),
    bearerFormat: document.textField(node, 'bearerFormat'),
    flows: undefinedIfEmpty(flows),
    url: webAddress(document.textField(node, 'openIdConnectUrl')),
    prefill: isFilled ? document.text(prefill) : undefined,
  })
}

/** Returns the URL if a browser may open it. A path is relative to the host of the API. */
function webAddress(url: string | undefined): string | undefined {
  return url !== undefined && /^(?:https?:\/\/|\/(?!\/))/i.test(url) ? url : undefined
}
