/** Describes the tools with which readers contact the owner of a site. */
import type { LoadedTool, SettingsOf } from './loaded-tool.ts'

export function frontChat({ snippetId }: SettingsOf<'frontchat'>): LoadedTool {
  const assets = 'https://chat-assets.frontapp.com'
  return {
    src: `${assets}/v1/chat.bundle.js`,
    start: ['FrontChat', 'init', { chatId: snippetId, useDefaultLauncher: true }],
    origins: {
      scripts: [assets],
      fonts: [assets],
      styles: ['blob:'],
      images: ['https://chat.frontapp.com', 'https://chat-assets.frontusercontent.com'],
      connections: [
        assets,
        'https://chat.frontapp.com',
        'https://us-west-1-chat-server.frontapp.com',
        'https://us-west-2-chat-server.frontapp.com',
        'https://eu-west-1-chat-server.frontapp.com',
        'https://chat-webhook.frontapp.com',
        'wss://front-us-realtime.ably.io',
        'wss://front-eu-realtime.ably.io',
        // The tool sends its own error reports to this host.
        'https://*.bugsnag.com',
        'https://*.browser-intake-datadoghq.com',
      ],
    },
  }
}

export function intercom({ appId }: SettingsOf<'intercom'>): LoadedTool {
  const files = ['https://*.intercomcdn.com', 'https://*.intercomcdn.eu']
  const uploads = [...files, 'https://uploads.intercomusercontent.com']
  return {
    src: `https://widget.intercom.io/widget/${appId}`,
    globals: { intercomSettings: { app_id: appId } },
    stub: { kind: 'function', name: 'Intercom' },
    origins: {
      scripts: [
        'https://app.intercom.io',
        'https://widget.intercom.io',
        'https://js.intercomcdn.com',
      ],
      // The tool has different hosts in each region.
      connections: [
        'https://*.intercom.io',
        'wss://*.intercom.io',
        'https://*.intercom-messenger.com',
        'wss://*.intercom-messenger.com',
        ...uploads,
      ],
      frames: ['https://intercom-sheets.com', 'https://www.intercom-reporting.com'],
      fonts: files,
      media: files,
      images: [
        ...uploads,
        'https://static.intercomassets.com',
        'https://messenger-apps.intercom.io',
      ],
    },
  }
}
