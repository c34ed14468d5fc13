/** Questions of readers of the sample site, with answers. */
export type SampleSource = { readonly title: string; readonly url: string }

export type AnsweredTopic = {
  readonly category: string
  readonly source: SampleSource
  readonly answer: string
  /** The number of readers who asked the first question in the same words. */
  readonly often?: number
  readonly questions: readonly string[]
}

const QUICKSTART = { title: 'Quickstart', url: '/quickstart' }
const SEND = { title: 'Send an e-mail', url: '/guides/send-email' }
const TEMPLATES = { title: 'Templates', url: '/guides/templates' }
const DOMAINS = { title: 'Verify a domain', url: '/guides/domains' }
const WEBHOOKS = { title: 'Webhooks', url: '/guides/webhooks' }
const LIMITS = { title: 'Rate limits', url: '/concepts/rate-limits' }
const ERRORS = { title: 'Errors', url: '/concepts/errors' }
const DELIVERY = { title: 'Delivery problems', url: '/help/delivery' }
const WELCOME = { title: 'Welcome to Wrenpost', url: '/' }

export const ANSWERED_TOPICS: readonly AnsweredTopic[] = [
  {
    category: 'getting-started',
    source: QUICKSTART,
    answer:
      'Open **Settings → API keys** and choose *Create key*. A key starts with `wp_live_` or `wp_test_`, and it is shown once.',
    often: 5,
    questions: [
      'How do I create an API key?',
      'where can I find my api key',
      'How can I get a new key?',
      'I lost my API key, can I see it again?',
      'create key',
    ],
  },
  {
    category: 'getting-started',
    source: QUICKSTART,
    answer:
      'A key that starts with `wp_test_` accepts every request and delivers nothing. Use it in continuous integration and on your own machine.',
    questions: [
      'Is there a test mode?',
      'How do I test without sending real emails?',
      'What does a wp_test_ key do?',
      'can I use wrenpost in CI without delivering mail',
      'Do messages of test keys show up in the dashboard?',
    ],
  },
  {
    category: 'getting-started',
    source: QUICKSTART,
    answer: 'Install the library with `npm install @wrenpost/client`, or `pip install wrenpost`.',
    questions: [
      'How do I install the Node library?',
      'Is there a Python client?',
      'Which libraries do you have?',
      'Can I use curl instead of a library?',
    ],
  },
  {
    category: 'sending',
    source: SEND,
    answer:
      'Add files as base64 in `attachments`. A message with all of its attachments can have 20 MB.',
    often: 2,
    questions: [
      'How do I send attachments?',
      'What is the maximum size of an attachment?',
      'attach a PDF to an email',
      'Can I attach more than one file?',
      'attachment size limit',
      'Why is my .exe attachment refused?',
    ],
  },
  {
    category: 'sending',
    source: SEND,
    answer:
      'Set `send_at` to a time within the next 30 days, in ISO 8601. Until then you can cancel the message with `DELETE /emails/{id}`.',
    questions: [
      'Can I schedule an email?',
      'How do I send a message tomorrow at 9?',
      'How do I cancel a scheduled email?',
      'send later',
      'How far ahead can I schedule a message?',
    ],
  },
  {
    category: 'sending',
    source: SEND,
    answer:
      'Add an `Idempotency-Key` header to requests that you may repeat. Wrenpost answers a repeated request with the first result for 24 hours.',
    questions: [
      'How do I avoid sending an email twice?',
      'Do you support idempotency keys?',
      'What happens if my request times out?',
      'How long is an Idempotency-Key remembered?',
    ],
  },
  {
    category: 'sending',
    source: SEND,
    answer:
      '`to`, `cc` and `bcc` take one address or a list. One message can have up to 50 recipients together.',
    questions: [
      'How many recipients can one email have?',
      'Can I use bcc?',
      'send to multiple recipients',
      'How do I set reply-to?',
    ],
  },
  {
    category: 'templates',
    source: TEMPLATES,
    answer:
      'Send `template` and `variables` instead of `html` and `text`. A variable without a value is an error, `variable_missing`.',
    questions: [
      'How do I use a template?',
      'How do variables in templates work?',
      'What does variable_missing mean?',
      'Can a variable have a default value?',
      'template variables',
      'How do I set a fallback for a missing name?',
    ],
  },
  {
    category: 'templates',
    source: TEMPLATES,
    answer:
      'Use `{% for item in order.items %}` for lists and `{% if order.gift %}` for conditions.',
    questions: [
      'Can I loop over items in a template?',
      'How do I show a paragraph only for some customers?',
      'if condition in template',
    ],
  },
  {
    category: 'templates',
    source: TEMPLATES,
    answer:
      'Every change makes a new version. Requests use the published version; add `template_version` to use another one.',
    questions: [
      'Do templates have versions?',
      'How do I go back to an older template?',
      'How can I preview a template before publishing?',
    ],
  },
  {
    category: 'domains',
    source: DOMAINS,
    answer:
      'Add three records at the provider of your domain: `wrenpost._domainkey` (DKIM), `bounce` (SPF) and `_dmarc` (DMARC). Wrenpost looks every ten minutes.',
    often: 4,
    questions: [
      'How do I verify my domain?',
      'Which DNS records do I need?',
      'How long does domain verification take?',
      'DKIM setup',
      'What is the SPF record for Wrenpost?',
      'Do I need a DMARC record?',
      'My domain is still not verified after an hour',
    ],
  },
  {
    category: 'domains',
    source: DOMAINS,
    answer:
      'Some providers add the domain to the name by themselves. Enter the name without the domain, and choose *Check now*.',
    questions: [
      'The DKIM check finds the wrong record',
      'Why does it say the dkim record is wrong?',
      'domain_not_verified but my records are correct',
    ],
  },
  {
    category: 'domains',
    source: DOMAINS,
    answer: 'Send from a subdomain such as `mail.example.com`. Its reputation is its own.',
    questions: [
      'Should I send from a subdomain?',
      'Can I use mail.mycompany.com as the sender?',
      'subdomain or root domain?',
    ],
  },
  {
    category: 'webhooks',
    source: WEBHOOKS,
    answer:
      'Add a URL under **Settings → Webhooks**. Wrenpost sends it a request for each event, such as `email.delivered` and `email.bounced`.',
    questions: [
      'How do I set up a webhook?',
      'Which webhook events are there?',
      'How do I know if an email bounced?',
      'webhook for delivered emails',
      'How can I track opens?',
      'How fast does my webhook have to answer?',
    ],
  },
  {
    category: 'limits',
    source: LIMITS,
    answer:
      'A request above the limit is answered with status `429` and the header `Retry-After`, in seconds. Starter accounts have 10 requests a second.',
    often: 3,
    questions: [
      'What are the rate limits?',
      'How many emails can I send per day?',
      'I get 429, what should I do?',
      'requests per second on Starter',
      'How can I raise my limit?',
      'Is there a batch endpoint?',
    ],
  },
  {
    category: 'errors',
    source: ERRORS,
    answer:
      'Every error has a `code` for programs and a `message` for people. Repeat requests that fail with a status of 500 or above, with the same `Idempotency-Key`.',
    questions: [
      'What does invalid_key mean?',
      'list of error codes',
      'Why do I get 403 when sending?',
      'What is idempotency_conflict?',
      'Should I retry a 500?',
      'What does message_too_large mean?',
    ],
  },
  {
    category: 'delivery',
    source: DELIVERY,
    answer:
      'Check that the domain is verified with all three records, that the text part is not empty, and that links lead to your own domain.',
    often: 3,
    questions: [
      'Why do my emails go to spam?',
      'emails land in junk folder',
      'How long does it take to warm up a new domain?',
      'Gmail marks our receipts as spam',
      'How do I improve deliverability?',
    ],
  },
  {
    category: 'delivery',
    source: DELIVERY,
    answer:
      'A hard bounce means that the address does not exist, and Wrenpost adds it to the suppression list. Remove it under **Suppressions** when the recipient asks you to.',
    questions: [
      'How do I remove an address from the suppression list?',
      'What is a hard bounce?',
      'Why is this address suppressed?',
      'soft bounce vs hard bounce',
      'My message bounced, will you try again?',
    ],
  },
  {
    category: 'account',
    source: WELCOME,
    answer:
      'Messages are stored in the region of your account: `eu` (Frankfurt) or `us` (Ohio). The region is chosen when the account is created.',
    questions: [
      'Where is my data stored?',
      'Do you have an EU region?',
      'Which regions are available?',
      'What is the sandbox?',
    ],
  },
]
