/**
 * The diagnostic codes for OpenAPI documents and for references to them. They are part of
 * DIAGNOSTIC_CODES.
 */
export const SPECIFICATION_CODES = {
  'openapi/no-specification': {
    severity: 'error',
    about: 'An operation is listed where no specification is in scope.',
  },
  'openapi/missing-specification': {
    severity: 'error',
    about: 'A specification file is not in the repository.',
  },
  'openapi/unknown-operation': {
    severity: 'error',
    about: 'A listed operation is not in its specification.',
  },
  'openapi/ambiguous-operation': {
    severity: 'warning',
    about: 'A listed operation is in several of the specifications in scope.',
  },
  'openapi/hidden-operation': {
    severity: 'note',
    about: 'An operation is not shown because its specification hides it.',
  },

  'openapi/unreachable': {
    severity: 'error',
    about: 'A hosted specification could not be fetched, and there is no copy of it.',
  },
  'openapi/stale': {
    severity: 'warning',
    about: 'A hosted specification could not be fetched; the last good copy is used.',
  },
  'openapi/refused': {
    severity: 'error',
    about: 'A hosted specification has a URL that Octavo does not fetch from.',
  },

  'openapi/unreadable': {
    severity: 'error',
    about: 'A specification is neither valid JSON nor valid YAML.',
  },
  'openapi/too-large': {
    severity: 'error',
    about: 'A specification exceeds a limit and is not used.',
  },
  'openapi/forbidden-key': {
    severity: 'error',
    about: 'A specification has a key that is unsafe in JavaScript.',
  },
  'openapi/yaml-feature': {
    severity: 'warning',
    about: 'A specification uses an unsupported YAML feature.',
  },
  'openapi/yaml-indentation': {
    severity: 'note',
    about:
      'A closing bracket in YAML is not indented further than its key, which other tools reject.',
  },
  'openapi/version': { severity: 'error', about: 'Unsupported OpenAPI version.' },
  'openapi/newer-version': {
    severity: 'note',
    about: 'An OpenAPI version that is only partly supported.',
  },
  'openapi/wrong-value': {
    severity: 'error',
    about: 'A specification has a value with the wrong type or an unknown name.',
  },
  'openapi/example-mismatch': {
    severity: 'error',
    about: 'An example, a default or an enum value contradicts its schema.',
  },
  'openapi/missing-quotes': {
    severity: 'warning',
    about: 'A number or boolean is used where a string is expected.',
  },
  'openapi/missing-field': {
    severity: 'warning',
    about: 'A required field is missing in a specification.',
  },
  'openapi/unknown-field': {
    severity: 'warning',
    about: 'A specification has a field that OpenAPI does not define.',
  },
  'openapi/repeated-entry': {
    severity: 'warning',
    about: 'A list in a specification has a duplicate entry.',
  },
  'openapi/external-reference': {
    severity: 'error',
    about: 'A `$ref` leads to no file of the documentation.',
  },
  'openapi/broken-reference': {
    severity: 'error',
    about: 'A `$ref` points to something that does not exist.',
  },
  'openapi/wrong-reference': {
    severity: 'error',
    about: 'A `$ref` points to an object of the wrong kind.',
  },
  'openapi/reference-loop': {
    severity: 'error',
    about: 'A `$ref` refers back to itself, or a chain of references is too long.',
  },
  'openapi/broken-link': {
    severity: 'warning',
    about: 'A link, a discriminator or `externalDocs` points to something that does not exist.',
  },
  'openapi/ignored-siblings': { severity: 'warning', about: 'Keys next to a `$ref` are ignored.' },
  'openapi/overlay-target': {
    severity: 'error',
    about: 'An action of an overlay has a target that it cannot change.',
  },
  'openapi/overlay-extends': {
    severity: 'warning',
    about: 'An overlay is applied to another specification than the one it extends.',
  },
  'openapi/overlay-conflict': {
    severity: 'error',
    about: 'One specification has different overlays at two places.',
  },
  'openapi/no-operations': {
    severity: 'warning',
    about: 'A specification has no operations to generate pages from.',
  },
  'openapi/same-path': {
    severity: 'warning',
    about: 'Two paths of a specification are the same to a client.',
  },
  'openapi/path-parameter': {
    severity: 'warning',
    about: 'A path does not match the parameters that are described for it.',
  },
  'openapi/duplicate-operation-id': {
    severity: 'warning',
    about: 'Two operations have the same operationId.',
  },
  'openapi/unknown-tag': {
    severity: 'note',
    about: 'An operation has a tag that the specification does not declare.',
  },
  'openapi/unknown-security': {
    severity: 'error',
    about: 'A security scheme is used but not defined.',
  },
  'openapi/server-url': {
    severity: 'error',
    about: 'A server has a URL that no request can be sent to.',
  },
  'openapi/extension': { severity: 'warning', about: 'A vendor extension has an invalid value.' },
  'openapi/loose-reference': {
    severity: 'note',
    about: 'A reference to an operation or a schema does not match it exactly.',
  },
  'openapi/unknown-schema': {
    severity: 'error',
    about: 'A page names a schema that no specification has.',
  },
} as const
