/** Questions of readers that the sample site does not answer. */
import type { SampleSource } from './answered-topics.ts'

export type UnansweredTopic = {
  readonly nearest: readonly SampleSource[]
  readonly questions: readonly string[]
}

const WEBHOOKS = { title: 'Webhooks', url: '/guides/webhooks' }
const LIMITS = { title: 'Rate limits', url: '/concepts/rate-limits' }
const SEND = { title: 'Send an e-mail', url: '/guides/send-email' }
const TEMPLATES = { title: 'Templates', url: '/guides/templates' }
const QUICKSTART = { title: 'Quickstart', url: '/quickstart' }
const DELIVERY = { title: 'Delivery problems', url: '/help/delivery' }

/** Questions of one topic share words, so that they become one gap. */
export const UNANSWERED_TOPICS: readonly UnansweredTopic[] = [
  // The newest deployment answers the first two.
  {
    nearest: [WEBHOOKS],
    questions: [
      'How do I verify the signature of a webhook?',
      'verify webhook signature',
      'How can I verify a webhook signature in Node?',
      'check webhook signature',
    ],
  },
  {
    nearest: [WEBHOOKS],
    questions: [
      'How often does a webhook retry?',
      'webhook retries',
      'How many retries does a webhook have?',
    ],
  },
  {
    nearest: [LIMITS],
    questions: [
      'Can I pay by invoice?',
      'pay by invoice',
      'Where can I pay by invoice?',
      'How do I pay by invoice?',
      'Is it possible to pay by invoice?',
    ],
  },
  {
    nearest: [QUICKSTART],
    questions: [
      'Is there a Ruby client?',
      'Do you have a Ruby client library?',
      'ruby client',
      'Ruby on Rails client',
    ],
  },
  {
    nearest: [SEND, DELIVERY],
    questions: [
      'How do I get an unsubscribe link?',
      'unsubscribe link',
      'How do I make an unsubscribe link?',
    ],
  },
  {
    nearest: [QUICKSTART],
    questions: [
      'How do I sign in with SAML?',
      'SAML sign in with Okta',
      'Do you support SAML sign in?',
    ],
  },
  {
    nearest: [TEMPLATES],
    questions: [
      'Can I translate a template into several languages?',
      'translate template languages',
    ],
  },
  {
    nearest: [DELIVERY],
    questions: ['Can I have a dedicated IP address?', 'dedicated ip address price'],
  },
  { nearest: [SEND], questions: ['Can I receive inbound emails with Wrenpost?'] },
]
