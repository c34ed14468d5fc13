#!/bin/sh
# Orders the certificate of a custom domain with certbot, for octavo.conf beside this file.
# Usage: order-certificate.sh docs.example.com
#
# It asks the service first, as Caddy does: whoever points a name to this machine could otherwise
# use up the limits of the certificate authority. `certbot renew` renews it from then on.
set -eu

domain=${1:?Usage: order-certificate.sh docs.example.com}
ask=${OCTAVO_ASK:-http://127.0.0.1:9080/internal/tls-ask}

if ! curl --fail --silent --output /dev/null --get --data-urlencode "domain=$domain" "$ask"; then
  echo "$domain is not served here. Run \`octavo domain check $domain\` first." >&2
  exit 1
fi

mkdir -p /var/www/acme /etc/octavo/domains
certbot certonly --non-interactive --agree-tos --webroot --webroot-path /var/www/acme \
  --cert-name "$domain" --domain "$domain"
ln -sfn "/etc/letsencrypt/live/$domain" "/etc/octavo/domains/$domain"
