import { describe, expect, test } from 'vitest'
import { findUnsupported } from './sentence-support.ts'

const SOURCE = 'Water\nWater the roses every morning. Open the valve of the hose slowly.'
const unsupported = (answer: string) => findUnsupported(answer, [SOURCE]).unsupported

describe('support of sentences', () => {
  test('a sentence is supported if half of its words are in the sources, in any form', () => {
    expect(unsupported('Watering roses needs patience [1].')).toEqual([])
    expect(unsupported('Watering tulips needs patience [1].')).toEqual([
      'Watering tulips needs patience.',
    ])
  })

  test('a source that the sentence does not cite supports it if the answer cites it', () => {
    const sources = ['Water every morning.', 'Open the valve slowly.']
    expect(findUnsupported('Open the valve slowly [1].', sources)).toEqual({
      sentences: 1,
      unsupported: [],
    })
    expect(findUnsupported('Open the valve slowly [1].', []).unsupported).toHaveLength(1)
  })

  test('each sentence is measured, even in a list, but code and very short sentences are not', () => {
    const answer =
      'Yes. Open the valve slowly [1]. Deploy Kubernetes with Terraform.\n- Water roses every morning\n\n```sh\nterraform apply kubernetes cluster\n```\n'
    expect(findUnsupported(answer, [SOURCE])).toEqual({
      sentences: 3,
      unsupported: ['Deploy Kubernetes with Terraform.'],
    })
  })

  test('code that does not end is not measured', () => {
    expect(unsupported('```sh\nterraform apply kubernetes cluster')).toEqual([])
  })
})
