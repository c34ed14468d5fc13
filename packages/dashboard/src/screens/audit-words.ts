/** Actions of the audit log as sentences. What is not known is shown as it is. */

const WORDS: Readonly<Record<string, string>> = {
  'key.create': 'Created a key',
  'key.rotate': 'Rotated a key',
  'key.revoke': 'Revoked a key',
  'project.create': 'Created the project',
  'project.set': 'Changed settings',
  'project.lock': 'Locked publishing',
  'project.unlock': 'Unlocked publishing',
  'deployment.create': 'Began a deployment',
  'deployment.finish': 'Finished a deployment',
  'deployment.publish': 'Published a deployment',
  'deployment.cancel': 'Cancelled a deployment',
  'deployment.remove': 'Removed a deployment',
  'build.cancel': 'Cancelled a build',
  'build.retry': 'Built again',
  'preview.approve': 'Let scripts of a preview run',
  'preview.delete': 'Deleted a preview',
  'gap.link': 'Linked a page to a gap',
  'gap.verify': 'Verified a gap',
  'gap.dismiss': 'Dismissed a gap',
  'gap.reopen': 'Opened a gap again',
  'member.change': 'Changed a role',
  'member.remove': 'Removed a member',
  'invitation.create': 'Invited somebody',
  'invitation.remove': 'Took back an invitation',
  'conversation.delete': 'Deleted a conversation',
  'conversations.import': 'Imported conversations',
  'conversations.export': 'Exported conversations',
}

export function actionWords(action: string): string {
  return Object.hasOwn(WORDS, action) ? (WORDS[action] ?? action) : action
}
