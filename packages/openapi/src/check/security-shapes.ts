/** Shapes of security schemes and their flows. */
import { choice, map, type PartShape, part, shapeOf, text, variant } from './shape.ts'
import type { SpecVersion } from './shapes.ts'

export function securityParts(version: SpecVersion) {
  const scopes = map(text)
  const flow = { refreshUrl: text, scopes }
  const authorizationUrl = text
  const tokenUrl = text
  return {
    securityScheme: securitySchemeShape(version),
    flows: shapeOf('`flows`', {
      implicit: part('implicitFlow'),
      password: part('passwordFlow'),
      clientCredentials: part('clientFlow'),
      authorizationCode: part('codeFlow'),
    }),
    implicitFlow: shapeOf(
      'a flow',
      { ...flow, authorizationUrl },
      { required: ['authorizationUrl', 'scopes'] },
    ),
    passwordFlow: shapeOf(
      'a flow',
      { ...flow, tokenUrl },
      { required: version === '3.0' ? ['tokenUrl'] : ['tokenUrl', 'scopes'] },
    ),
    clientFlow: shapeOf(
      'a flow',
      { ...flow, tokenUrl },
      { required: version === '3.0' ? ['tokenUrl'] : ['tokenUrl', 'scopes'] },
    ),
    codeFlow: shapeOf(
      'a flow',
      { ...flow, authorizationUrl, tokenUrl },
      {
        required:
          version === '3.0'
            ? ['authorizationUrl', 'tokenUrl']
            : ['authorizationUrl', 'tokenUrl', 'scopes'],
      },
    ),
  }
}

/** Returns the shape of a security scheme. Its fields depend on its type. */
function securitySchemeShape(version: SpecVersion): PartShape {
  const place = choice('query', 'header', 'cookie')
  const byType = {
    apiKey: { needed: { name: text, in: place }, more: {} },
    http: { needed: { scheme: text }, more: { bearerFormat: text } },
    oauth2: { needed: { flows: part('flows') }, more: {} },
    openIdConnect: { needed: { openIdConnectUrl: text }, more: {} },
    ...(version === '3.0' ? {} : { mutualTLS: { needed: {}, more: {} } }),
  }
  const type = choice(...Object.keys(byType))
  const scheme = shapeOf('a security scheme', { type, description: text }, { required: ['type'] })
  const shapes = Object.entries(byType).map(([name, { needed, more }]) => {
    const rules = { name: `a security scheme of type \`${name}\``, required: Object.keys(needed) }
    return [name, variant(scheme, { ...needed, ...more }, rules)] as const
  })
  // If the type is unknown, unknown fields are not reported.
  return { ...scheme, open: true, variants: { field: 'type', shapes: new Map(shapes) } }
}
