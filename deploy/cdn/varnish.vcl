# Varnish 6 or newer between the server with TLS and octavo-service: what any CDN has to do.
#
# Forward:   Host unchanged; Accept, Accept-Language, Accept-Encoding, Sec-Fetch-Site, If-None-Match, Range,
#            Cookie and Authorization; all methods; /_octavo/ and /.well-known/octavo/ without changes.
# Cache key: Host, path and query, and what `Vary` of the response names.
# Store:     what Cache-Control allows. Never `private` or `no-store`, and nothing that sets a cookie.
# Purge:     by the tags of Cache-Tag, or not at all: `no-cache` asks the service each time.
vcl 4.1;

backend octavo {
  .host = "127.0.0.1";
  .port = "8080";
}

acl purgers {
  "127.0.0.1";
}

sub vcl_recv {
  # curl -X PURGE -H "Cache-Tag: p-<project id>" http://127.0.0.1:6081/
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(405));
    }
    if (req.http.Cache-Tag !~ "^[pd]-[A-Za-z0-9_]+$") {
      return (synth(400, "Expected one tag"));
    }
    ban("obj.http.Cache-Tag ~ (^|,)" + req.http.Cache-Tag + "(,|$)");
    return (synth(200, "Purged"));
  }
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # Readers who are signed in, and checks of domains. Cookies of analytics tools are none of these.
  if (req.http.Authorization || req.http.Cookie ~ "__Host-" || req.url ~ "^/\.well-known/octavo/") {
    return (pass);
  }
  if (req.url ~ "/_octavo/(assistant/|version\.json)") {
    return (pass);
  }
  # Without the rules that come with Varnish, which would change headers.
  return (hash);
}

sub vcl_hash {
  # Two sites never share an answer, whatever their paths are.
  hash_data(req.url);
  hash_data(req.http.Host);
  return (lookup);
}

sub vcl_backend_response {
  if (beresp.http.Cache-Control ~ "(?i)private|no-store" || beresp.http.Set-Cookie || beresp.status >= 400) {
    set beresp.uncacheable = true;
    set beresp.ttl = 0s;
    return (deliver);
  }
  if (beresp.http.Cache-Control ~ "(?i)no-cache") {
    # Kept, and the service is asked each time whether it is still current: Varnish does not keep what
    # has no time at all. To answer without asking, set a longer ttl here, and purge on each publish.
    set beresp.ttl = 1ms;
    set beresp.grace = 0s;
    set beresp.keep = 1d;
    return (deliver);
  }
}

sub vcl_deliver {
  unset resp.http.Cache-Tag;
}
