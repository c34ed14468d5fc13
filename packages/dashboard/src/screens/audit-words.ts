/** Actions of the audit log as sentences. What is not known is shown as it is. */

const WORDS: Readonly<Record<string, string>> = {
  'key.create': 'Created a key',
  'key.rotate': 'Rotated a key',
  'key.revoke': 'Revoked a key',
  'project.create': 'Created the project',
  'project.settings': 'Changed settings',
  'project.retention': 'Changed how long conversations are kept',
  'project.suspend': 'Suspended the project',
  'project.resume': 'Resumed the project',
  'project.lock': 'Locked publishing',
  'project.unlock': 'Unlocked publishing',
  'deployment.create': 'Began a deployment',
  'deployment.finish': 'Finished a deployment',
  'deployment.publish': 'Published a deployment',
  'deployment.cancel': 'Cancelled a deployment',
  'deployment.remove': 'Removed a deployment',
  'build.create': 'Started a build',
  'build.cancel': 'Cancelled a build',
  'build.retry': 'Built again',
  'preview.approve': 'Let scripts of a preview run',
  'preview.delete': 'Deleted a preview',
  'gap.link': 'Linked a page to a gap',
  'gap.verify': 'Verified a gap',
  'gap.dismiss': 'Dismissed a gap',
  'gap.reopen': 'Opened a gap again',
  'member.role': 'Changed a role',
  'member.remove': 'Removed a member',
  'member.invite': 'Invited somebody',
  'member.withdraw': 'Took back an invitation',
  'organisation.storage': 'Changed the storage limit',
  'assistant.set': 'Changed the assistant',
  'assistant.off': 'Turned the assistant off',
  'connection.add': 'Connected a repository',
  'connection.remove': 'Disconnected the repository',
  'conversation.delete': 'Deleted a conversation',
  'conversations.import': 'Imported conversations',
  'conversations.export': 'Exported conversations',
}

export function actionWords(action: string): string {
  return Object.hasOwn(WORDS, action) ? (WORDS[action] ?? action) : action
}
