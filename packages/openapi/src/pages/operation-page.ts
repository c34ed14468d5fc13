/** Reads an operation or a webhook as the data of its page. */

import { KIND, type NodeId } from '../document/tape.ts'
import { extensionField } from '../operations/extensions.ts'
import { callbacksNamed, type Operation } from '../operations/list-operations.ts'
import {
  isDeprecated,
  operationFrontmatter,
  operationMetadata,
} from '../operations/operation-metadata.ts'
import { operationParameters } from '../operations/operation-parameters.ts'
import {
  operationDescription,
  operationSummary,
  operationTitle,
} from '../operations/operation-title.ts'
import type { Specification } from '../specification.ts'
import { defined, EndpointReader, undefinedIfEmpty } from './endpoint-data.ts'
import type { CallbackData, CodeSampleData, OperationPage } from './page-data.ts'
import { docsLink, type SchemaOptions } from './schema-data.ts'
import { securityData } from './security-data.ts'
import { ownServers } from './server-data.ts'

type WrittenCallback = NonNullable<OperationPage['callbacks']>[number]

export class OperationPages {
  readonly #specification: Specification
  readonly #reader: EndpointReader

  constructor(specification: Specification, options: SchemaOptions) {
    this.#specification = specification
    this.#reader = new EndpointReader(specification, options)
  }

  page(operation: Operation): OperationPage {
    const { document, file } = this.#specification
    const { kind, method, path, node } = operation
    const front = operationFrontmatter(document, node)
    const body = document.field(node, 'requestBody')
    return defined<OperationPage>({
      kind,
      specification: file,
      method,
      path,
      title: operationTitle(this.#specification, operation),
      summary: operationSummary(this.#specification, operation),
      description:
        front?.fields.description ?? operationDescription(this.#specification, operation),
      deprecated: isDeprecated(document, node) || undefined,
      operationId: document.textField(node, 'operationId'),
      tags: undefinedIfEmpty(document.texts(document.field(node, 'tags'))),
      docs: docsLink(document, document.field(node, 'externalDocs')),
      metadata: operationMetadata(document, node),
      content: this.#text(extensionField(document, node, 'content')),
      servers: kind === 'webhook' ? undefined : ownServers(this.#specification, operation),
      security: this.#security(node),
      parameters: undefinedIfEmpty(this.#parameters(operation)),
      body: document.isObject(body) ? this.#body(body) : undefined,
      callbacks: undefinedIfEmpty(this.#callbacks(node)),
      responses: this.#reader.responses(document.field(node, 'responses')),
      samples: undefinedIfEmpty(this.#samples(node)),
    })
  }

  #security(node: NodeId) {
    const own = this.#specification.document.field(node, 'security')
    return own === undefined ? undefined : securityData(this.#specification, own)
  }

  #parameters(operation: Operation): OperationPage['parameters'] & object {
    return operationParameters(this.#specification, operation).map(({ place, written }) => {
      const link = this.#reader.link(written)
      return link === undefined ? this.#reader.parameter(written) : { ...link, in: place }
    })
  }

  #body(node: NodeId) {
    return this.#reader.link(node) ?? this.#reader.body(node)
  }

  #callbacks(operation: NodeId): readonly WrittenCallback[] {
    const { document } = this.#specification
    const written = document.entries(document.field(operation, 'callbacks'))
    return written.flatMap(([name, callback]): readonly WrittenCallback[] => {
      const link = this.#reader.link(callback)
      return link === undefined ? this.callbacks(name, callback) : [{ name, ...link }]
    })
  }

  /** Returns the callbacks with one name, for each expression and method. */
  callbacks(name: string, callback: NodeId): readonly CallbackData[] {
    return callbacksNamed(this.#specification, name, callback).map(({ expression, method, node }) =>
      this.#callback({ name, expression, method }, node),
    )
  }

  #callback(named: Pick<CallbackData, 'name' | 'expression' | 'method'>, node: NodeId) {
    const { document } = this.#specification
    const body = document.field(node, 'requestBody')
    return defined<CallbackData>({
      ...named,
      summary: document.textField(node, 'summary'),
      description: document.textField(node, 'description'),
      body: document.isObject(body) ? this.#body(body) : undefined,
      responses: this.#reader.responses(document.field(node, 'responses')),
    })
  }

  /** Reads `x-codeSamples`, or `x-code-samples` as some tools write it. */
  #samples(node: NodeId): readonly CodeSampleData[] {
    const { document } = this.#specification
    const samples = document.field(node, 'x-codeSamples') ?? document.field(node, 'x-code-samples')
    return document.items(samples).flatMap((sample) => {
      const language = document.textField(sample, 'lang')
      const source = document.textField(sample, 'source')
      if (language === undefined || source === undefined) return []
      return [
        defined<CodeSampleData>({ language, label: document.textField(sample, 'label'), source }),
      ]
    })
  }

  #text(node: NodeId | undefined): string | undefined {
    const { document } = this.#specification
    return node !== undefined && document.kind(node) === KIND.string
      ? document.text(node)
      : undefined
  }
}
