/** A self-signed certificate for allowed.example and its private key, used only in tests. */
import { createPrivateKey, X509Certificate } from 'node:crypto'

const KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgu6LMmjpoTqOLdPQRUTtO9Omty6SwCoSODv+M2PEXtrKhRANCAATCE315MitNlTwSpRy748V+T4Smnq7ojqk2q6PXhd6mwll2r2dmm8oXtyoSL8F7MxK1C6gZLHN2EeKnjHx88AEK'
const CERTIFICATE =
  'MIIBqDCCAU2gAwIBAgIUaEsNS99FPxhEr4SCVcqs4KRrDREwCgYIKoZIzj0EAwIwGjEYMBYGA1UEAwwPYWxsb3dlZC5leGFtcGxlMCAXDTI2MTExNjAwMTQwM1oYDzIxMjYxMDIzMDAxNDAzWjAaMRgwFgYDVQQDDA9hbGxvd2VkLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATCE315MitNlTwSpRy748V+T4Smnq7ojqk2q6PXhd6mwll2r2dmm8oXtyoSL8F7MxK1C6gZLHN2EeKnjHx88AEKo28wbTAdBgNVHQ4EFgQUJwvbLWvO38KS00XM3tOBZQTIrZ8wHwYDVR0jBBgwFoAUJwvbLWvO38KS00XM3tOBZQTIrZ8wDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgg9hbGxvd2VkLmV4YW1wbGUwCgYIKoZIzj0EAwIDSQAwRgIhAJolijPtbHncO3aiMfprvOFC3vfmBluDvNIed4frD/jNAiEA1ncxPRK8JMIUuSiPIfMW1eYsMhJTVtPtox7N2CiOEzo='

export const SELF_SIGNED = {
  key: createPrivateKey({ key: Buffer.from(KEY, 'base64'), format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString(),
  cert: new X509Certificate(Buffer.from(CERTIFICATE, 'base64')).toString(),
}
